import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type Connection, query } from '../query.ts'
import type { Steps } from '../slices.ts'
import type { Page } from '../table.ts'
import type { Key } from '../vatoms/vatom-order.ts'
import { allOf, type Filter, type OfLong } from './conditions.ts'
import type { Condition } from './operators.ts'

/** vAtoms whose texts are to be looked at, newest first. */
export interface Candidates {
  /** Their numbers (`seq`), as JSON. */
  readonly numbers: string
  /** How many bytes the text of each has, as JSON. */
  readonly sizes: string
}

/** Only so many of the newest vAtoms are found that have the same values. */
export interface Sample extends OfLong {
  readonly count: number
  readonly by: readonly Condition[]
}

/** What is found among vAtoms. */
export interface FoundAmong {
  readonly count: () => number
  readonly page: (page: Page) => readonly Key[]
}

/** Looks at the texts of vAtoms, of few at a time. */
export interface TextReader {
  /** Numbers of as many as a step looks at, as JSON. */
  readonly batches: (candidates: Candidates) => string[]
  readonly found: (numbers: string) => Steps<FoundAmong>
}

/** Finds those for which filters hold; of a sample, of which filters may be none, only the newest of each group. */
export function textReader(db: Connection, filters: readonly Filter[], sample: Sample | undefined): TextReader {
  const comparisons = filters.reduce((sum, { texts }) => sum + texts, sample?.texts ?? 0)
  const rows = sample ? most.sampled : most.rows
  const [last = [], ...others] = stepsOf(filters)
  const sieves = others.map((some) => textQueries(some).numbers)
  const finder = sample ? sampler(db, last, sample) : lister(db, last)
  return {
    batches: (candidates) => batchesOf(candidates, rows, comparisons),
    found: function* (numbers) {
      let left = numbers
      for (const sieve of sieves) {
        left = db.rowsFor(sieve, { numbers: left })[0]?.numbers ?? '[]'
        yield
      }
      return yield* finder(left)
    },
  }
}

/** Filters that are looked at together: one at least. */
function stepsOf(filters: readonly Filter[]): Filter[][] {
  const steps: Filter[][] = []
  let left = 0
  for (const filter of filters) {
    const step = steps.at(-1)
    if (step && filter.texts <= left) step.push(filter)
    else {
      steps.push([filter])
      left = most.comparisons
    }
    left -= filter.texts
  }
  return steps
}

/** Finds all. */
function lister(db: Connection, filters: readonly Filter[]): TextReader['found'] {
  const { count, page } = textQueries(filters)
  return function* (numbers) {
    return {
      count: () => db.rowsFor(count, { numbers })[0]?.count ?? 0,
      page: (wanted) => db.rowsFor(page, { numbers, ...wanted }),
    }
  }
}

/**
 * vAtoms of a step, which need not be many for a page; bytes that it compares, as each comparison finds its field in the
 * text of a vAtom anew; and comparisons of one vAtom.
 */
const most = { rows: 100, sampled: 500, bytes: 2_000_000, comparisons: 40 }
/** How many comparisons take as long as to parse a text, and how many bytes of it as long as a comparison always takes. */
const least = { comparisons: 2, bytes: 500 }

function batchesOf({ numbers, sizes }: Candidates, mostRows: number, comparisons: number): string[] {
  const rows: readonly number[] = JSON.parse(numbers)
  const bytes: readonly number[] = JSON.parse(sizes)
  const batches: number[][] = []
  let left = 0
  for (const [at, row] of rows.entries()) {
    const compared = ((bytes[at] ?? 0) + least.bytes) * (comparisons + least.comparisons)
    const batch = batches.at(-1)
    if (batch && batch.length < mostRows && compared <= left) batch.push(row)
    else {
      batches.push([row])
      left = most.bytes
    }
    left -= compared
  }
  return batches.map((batch) => JSON.stringify(batch))
}

type Numbers = { readonly numbers: string }
type Values = Key & Readonly<Record<string, string>>

/** What is asked about the vAtoms of numbers: each has every comparison once, so that it is soon prepared. */
export function textQueries(filters: readonly Filter[]) {
  const among = (numbers: string) =>
    sql`FROM vatoms WHERE seq IN (SELECT value FROM json_each(${numbers})) AND ${allOf(filters.map(({ holds }) => holds))}`
  const newestFirst = sql`ORDER BY created DESC, seq DESC`
  return {
    numbers: query<Numbers>()(({ numbers }) => sql<Numbers>`SELECT json_group_array(seq) AS numbers ${among(numbers)}`),
    count: query<Numbers>()(({ numbers }) => sql<{ count: number }>`SELECT count(*) AS count ${among(numbers)}`),
    page: query<Numbers & Page>()(
      ({ numbers, limit, offset }) =>
        sql<Key>`SELECT created, seq ${among(numbers)} ${newestFirst} LIMIT ${limit} OFFSET ${offset}`,
    ),
    /** Values as JSON, in columns of their numbers. */
    values: (by: readonly Condition[]) => {
      const columns = by.map((value, at) => sql`json_quote(${value}) AS ${sql.ref(String(at))}`)
      return query<Numbers>()(
        ({ numbers }) => sql<Values>`SELECT created, seq, ${sql.join(columns)} ${among(numbers)} ${newestFirst}`,
      )
    },
  }
}

/** Characters of values that a step compares as JSON, which takes much longer than to find them. */
const charactersOfStep = 50_000

/** Finds only the newest of each group. */
function sampler(db: Connection, filters: readonly Filter[], { count, by }: Sample): TextReader['found'] {
  const query = textQueries(filters).values(by)
  const places = new Map<string, number>()
  const isAmongFirst = (group: string) => {
    const place = (places.get(group) ?? 0) + 1
    places.set(group, place)
    return place <= count
  }
  return function* (numbers) {
    const found: Key[] = []
    const rows = db.rowsFor(query, { numbers })
    yield places.size
    let read = 0
    for (const row of rows) {
      const group: string[] = []
      for (const at of by.keys()) {
        const value = row[at] ?? 'null'
        group.push(digest(canonical(value)))
        read += value.length
        if (read < charactersOfStep) continue
        yield
        read = 0
      }
      if (isAmongFirst(digest(group.join()))) found.push(row)
    }
    return { count: () => found.length, page: ({ limit, offset }) => found.slice(offset, offset + limit) }
  }
}

/** The same number can be written in several ways, and the same text in one. */
const canonical = (json: string) => (json.startsWith('"') ? json : JSON.stringify(JSON.parse(json)))

/** A short text instead of a long one. */
export const digest = (text: string) => (text.length > 64 ? createHash('sha256').update(text).digest('base64') : text)
