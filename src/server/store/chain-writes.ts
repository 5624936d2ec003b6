import { sql } from 'kysely'
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
const last = query()(() => builder.selectFrom('ledger').select(({ fn }) => fn.max<number | null>('seq').as('seq')))

/** Points of a line at most. */
const mostPoints = 200
/** Writes whose charges are summed up in a step. */
const summedAtOnce = 5000

/** What publishers were charged for, in parts of so many numbers; and when the last of each part was written. */
const chargedInParts = query<{ after: number; upTo: number; size: number }>()(
  ({ after, upTo, size }) => sql<{ publisher_fqdn: string; writes: number; units: number; when: string; seq: number }>`
    SELECT publisher_fqdn, count(*) AS writes, sum(units) AS units, when_written AS "when", max(seq) AS seq
    FROM ledger WHERE seq > ${after} AND seq <= ${upTo}
    GROUP BY (seq - 1) / CAST(${size} AS INTEGER), publisher_fqdn ORDER BY max(seq)`,
)

/** What a publisher was charged, as it grew. */
interface ChargedLine {
  writes: number
  readonly points: { readonly when: string; readonly charged: number }[]
}

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
  /** What each publisher was charged by and by, by name: the line of each has few points, however long the ledger is. */
  chargedOverTime: function* (): Steps<Map<string, ChargedLine>> {
    const lines = new Map<string, ChargedLine>()
    const end = db.first(last, {})?.seq ?? 0
    const size = Math.ceil(end / mostPoints)
    const step = size * Math.max(Math.floor(summedAtOnce / size), 1)
    for (let after = 0; after < end; after += step) {
      for (const { publisher_fqdn, writes, units, when } of db.rows(chargedInParts, {
        after,
        upTo: after + step,
        size,
      })) {
        const line = lines.get(publisher_fqdn) ?? { writes: 0, points: [] }
        lines.set(publisher_fqdn, line)
        line.writes += writes
        line.points.push({ when, charged: (line.points.at(-1)?.charged ?? 0) + units })
      }
      yield
    }
    return lines
  },
  publisherPage: ({ publisher, ...page }: PublisherPage) =>
    db.rows(ofPublisher, { ...page, publisher_fqdn: publisher }),
})
