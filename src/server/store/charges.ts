import type { Selectable } from 'kysely'
import { type Connection, query } from './query.ts'
import type { Tables } from './tables.ts'

export type LedgerRow = Selectable<Tables['ledger']>
/** A write to a chain that is about to be recorded. */
export type LedgerEntry = Omit<LedgerRow, 'seq'>

const append = query<LedgerEntry>()((db, value) =>
  db.insertInto('ledger').values({
    publisher_fqdn: value.publisher_fqdn,
    subject: value.subject,
    network: value.network,
    symbol: value.symbol,
    entry: value.entry,
    field: value.field,
    type: value.type,
    value: value.value,
    units: value.units,
    when_written: value.when_written,
  }),
)

/** What a publisher was charged in all; writes that cost nothing are skipped, however many they are. */
export const chargedQuery = query<{ publisher: string }>()((db, value) =>
  db
    .selectFrom('ledger')
    .select(({ fn }) => fn.sum<number | null>('units').as('units'))
    .where('publisher_fqdn', '=', value.publisher)
    .where('units', '>', 0),
)

type PageValues = { limit: number; offset: number }
const page = query<PageValues>()((db, value) =>
  db.selectFrom('ledger').selectAll().orderBy('seq').limit(value.limit).offset(value.offset),
)

type PublisherPageValues = PageValues & { publisher: string }
const publisherPage = query<PublisherPageValues>()((db, value) =>
  db
    .selectFrom('ledger')
    .selectAll()
    .where('publisher_fqdn', '=', value.publisher)
    .orderBy('seq')
    .limit(value.limit)
    .offset(value.offset),
)

/** Writes to chains and what they were charged, oldest first; the database lets none be changed or deleted. */
export const ledgerOf = (db: Connection) => ({
  append: (entry: LedgerEntry) => db.run(append, entry),
  charged: (publisher: string) => db.first(chargedQuery, { publisher })?.units ?? 0,
  page: (values: PageValues) => db.rows(page, values),
  publisherPage: (values: PublisherPageValues) => db.rows(publisherPage, values),
})
