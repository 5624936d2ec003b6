import { builder, type Connection, query } from './query.ts'
import { integer, type NewRowOf, nullable, type Page, type PublisherPage, type RowOf, table, text } from './table.ts'

/** What was written to chains; the database refuses to change or delete a row. */
export const ledger = table('ledger', {
  key: ['seq'],
  columns: {
    seq: integer,
    publisher_fqdn: text,
    /** Name of the template or variation whose eth section it is. */
    subject: text,
    network: text,
    symbol: text,
    /** `contract` or `field`. */
    entry: text,
    field: nullable(text),
    type: nullable(text),
    /** JSON of the new value. */
    value: nullable(text),
    /** Platform units charged. */
    units: integer,
    when_written: text,
  },
})
export type LedgerRow = RowOf<typeof ledger>
/** A write to a chain, to be recorded. */
export type LedgerEntry = NewRowOf<typeof ledger>

/** The sum of what a publisher was charged; the index lets it skip writes that cost nothing. */
export const chargedQuery = query<{ publisher: string }>()((value) =>
  builder
    .selectFrom('ledger')
    .select(({ fn }) => fn.sum<number | null>('units').as('units'))
    .where('publisher_fqdn', '=', value.publisher)
    .where('units', '>', 0),
)

const everything = ledger.page({ order: ['seq'] })
const ofPublisher = ledger.page({ where: ['publisher_fqdn'], order: ['seq'] })

/** Writes to chains and what they were charged, oldest first. */
export const ledgerOf = (db: Connection) => ({
  append: (entry: LedgerEntry) => db.run(ledger.insert, entry),
  charged: (publisher: string) => db.first(chargedQuery, { publisher })?.units ?? 0,
  page: (page: Page) => db.rows(everything, page),
  publisherPage: ({ publisher, ...page }: PublisherPage) =>
    db.rows(ofPublisher, { ...page, publisher_fqdn: publisher }),
})
