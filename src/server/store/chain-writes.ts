import { builder, type Connection, query } from './query.ts'
import type { Steps } from './slices.ts'
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

const after = query<{ seq: number; limit: number }>()((value) =>
  builder.selectFrom('ledger').selectAll().where('seq', '>', value.seq).orderBy('seq').limit(value.limit),
)
const numberAfter = query<{ seq: number; offset: number }>()((value) =>
  builder.selectFrom('ledger').select('seq').where('seq', '>', value.seq).orderBy('seq').limit(1).offset(value.offset),
)
/** Rows that a step skips. */
const skipped = 5000
const ofPublisher = ledger.page({ where: ['publisher_fqdn'], order: ['seq'] })

/** Writes to chains and what they were charged, oldest first. */
export const ledgerOf = (db: Connection) => ({
  append: (entry: LedgerEntry) => db.run(ledger.insert, entry),
  charged: (publisher: string) => db.first(chargedQuery, { publisher })?.units ?? 0,
  page: function* ({ limit, offset }: Page): Steps<LedgerRow[]> {
    let seq = 0
    for (let left = offset; left > 0; left -= skipped) {
      const last = db.first(numberAfter, { seq, offset: Math.min(left, skipped) - 1 })
      if (!last) return []
      seq = last.seq
      yield
    }
    return db.rows(after, { seq, limit })
  },
  publisherPage: ({ publisher, ...page }: PublisherPage) =>
    db.rows(ofPublisher, { ...page, publisher_fqdn: publisher }),
})
