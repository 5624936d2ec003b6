import { sql } from 'kysely'
import { builder, type Connection, query } from './query.ts'
import type { Steps } from './slices.ts'
import { integer, type NewRowOf, nullable, type Page, type RowOf, table, text } from './table.ts'

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

/** Rows of numbers from one up to another: those of a publisher, or all of them. */
interface Stretch {
  readonly publisher: string | null
  readonly after: number
  readonly upTo: number
}
const inStretch = ({ publisher, after, upTo }: Stretch) =>
  sql`FROM ledger WHERE seq > ${after} AND seq <= ${upTo} AND (${publisher} IS NULL OR publisher_fqdn = ${publisher})`
const countIn = query<Stretch>()((value) => sql<{ count: number }>`SELECT count(*) AS count ${inStretch(value)}`)
const rowsIn = query<Stretch & Page>()(
  (value) => sql<LedgerRow>`SELECT * ${inStretch(value)} ORDER BY seq LIMIT ${value.limit} OFFSET ${value.offset}`,
)
/** Rows that a step of a page looks at. */
const stretch = 5000
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

interface LedgerPage extends Page {
  readonly publisher: string | null
}

/** Writes to chains and what they were charged, oldest first. */
export const ledgerOf = (db: Connection) => ({
  append: (entry: LedgerEntry) => db.run(ledger.insert, entry),
  charged: (publisher: string) => db.first(chargedQuery, { publisher })?.units ?? 0,
  /** Those of a publisher, or of all. */
  page: function* ({ publisher, limit, offset }: LedgerPage): Steps<LedgerRow[]> {
    const end = db.first(last, {})?.seq ?? 0
    const rows: LedgerRow[] = []
    let skipped = 0
    for (let after = 0; after < end && rows.length < limit; after += stretch) {
      const part = { publisher, after, upTo: after + stretch }
      const count = db.first(countIn, part)?.count ?? 0
      const left = Math.min(offset - skipped, count)
      if (left < count) rows.push(...db.rows(rowsIn, { ...part, limit: limit - rows.length, offset: left }))
      skipped += left
      yield
    }
    return rows
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
})
