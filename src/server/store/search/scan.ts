import { createHash } from 'node:crypto'
import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import { builder, type Connection } from '../query.ts'
import { processorTime, type Steps } from '../slices.ts'
import type { Page } from '../table.ts'
import { type Key, type Part, rangesOf } from '../vatoms/vatom-order.ts'
import { allOf } from './conditions.ts'
import type { Condition } from './operators.ts'
import { PageMarks } from './page-marks.ts'

/** vAtoms that an index has in that order, by a condition that the index answers, and what else must hold for each. */
export interface Branch {
  readonly walk: Condition
  readonly where?: Condition
}

/** What to look for: the branches have no vAtom in common; the filter is valid for all of them. */
export interface Walk {
  readonly branches: readonly Branch[]
  readonly filter: readonly Condition[]
  /** How many comparisons need the text of a vAtom, which may be long. */
  readonly texts: number
  /** Only so many of the newest vAtoms are found for which `group` is the same JSON. */
  readonly sample?: { readonly count: number; readonly group: Condition } | undefined
}

/** How many vAtoms a step looks at: so many that it takes some milliseconds. */
export class Pace {
  rows: number
  readonly #most: number

  /** `texts`: how many comparisons need the text of a vAtom. */
  constructor(texts: number) {
    this.#most = texts > 0 ? most.texts : most.columns
    this.rows = texts > 0 ? Math.max(Math.floor(most.texts / texts), 1) : first
  }

  /** Carries out a step, and adapts to how long it takes. */
  step<T>(work: () => T): T {
    const start = processorTime()
    const value = work()
    const took = processorTime() - start
    if (took < fast) this.rows = Math.min(this.rows * 4, this.#most)
    else if (took > slow) this.rows = Math.max(Math.floor((this.rows * slow) / took), 1)
    return value
  }
}

/** Milliseconds below which a step is made larger, and above which it is made smaller. */
const [fast, slow] = [1, 4]
/** vAtoms of the first step, and of the largest: a text can be a thousand times as long as the one before. */
const first = 500
const most = { columns: 20_000, texts: 64 }

/** Numbers (`seq`) of the vAtoms on a page of a walk; `marks` are places in its results, and get more. */
export function* pageOf(db: Connection, walk: Walk, { limit, offset }: Page, marks = new PageMarks()): Steps<number[]> {
  const found: Key[] = []
  const finder = finderOf(db, walk)
  let { passed, after } = marks.before(offset)
  const look = (part: Part) => {
    const { count, page } = finder(part)
    // What is skipped is only counted.
    const skipped = passed < offset ? Math.min(count(), offset - passed) : 0
    passed += skipped
    if (passed === offset) found.push(...page({ limit: limit - found.length, offset: skipped }))
    else if (part.upTo) marks.add(passed, part.upTo)
    return found.length >= limit
  }
  yield* inParts(db, walk, look, after)
  const [first, last] = [found[0], found.at(-1)]
  if (first && last) {
    marks.add(offset, { created: first.created, seq: first.seq + 1 })
    marks.add(offset + found.length, last)
  }
  return found.map(({ seq }) => seq)
}

/** The number of all vAtoms of a walk. */
export function* countOf(db: Connection, walk: Walk): Steps<number> {
  let sum = 0
  const finder = finderOf(db, walk)
  yield* inParts(db, walk, (part) => {
    sum += finder(part).count()
    return false
  })
  return sum
}

/** What is found in a part, which is looked at only once. */
interface FoundIn {
  readonly count: () => number
  readonly page: (page: Page) => readonly Key[]
}

/** Looks for what a walk finds in its parts, one after the other. */
const finderOf = (db: Connection, walk: Walk): ((part: Part) => FoundIn) =>
  walk.sample
    ? sampler(db, walk, walk.sample)
    : (part) => ({
        count: () => db.rowsOf(countQuery(walk, part))[0]?.count ?? 0,
        page: (page) => db.rowsOf(keysQuery(walk, part, page)),
      })

/** Finds only the newest of each group. */
function sampler(db: Connection, walk: Walk, { count, group }: NonNullable<Walk['sample']>): (part: Part) => FoundIn {
  const found = new Map<string, number>()
  const isAmongFirst = ({ value }: Grouped) => {
    // The same number can be written in several ways.
    const key = digest(JSON.stringify(JSON.parse(value)))
    const place = (found.get(key) ?? 0) + 1
    found.set(key, place)
    return place <= count
  }
  return (part) => {
    const sampled = db.rowsOf(groupsQuery(walk, part, group)).filter(isAmongFirst)
    return { count: () => sampled.length, page: ({ limit, offset }) => sampled.slice(offset, offset + limit) }
  }
}

/** A short text instead of a long one. */
export const digest = (text: string) => (text.length > 64 ? createHash('sha256').update(text).digest('base64') : text)

/** Looks at one part after the other, from a key on, until `look` returns that it has found enough. */
function* inParts(db: Connection, walk: Walk, look: (part: Part) => boolean, from?: Key): Steps<void> {
  const pace = new Pace(walk.texts)
  let after = from
  do {
    after = pace.step(() => {
      const [upTo] = db.rowsOf(boundaryQuery(walk, after, pace.rows))
      return look({ after, upTo }) ? undefined : upTo
    })
    yield
  } while (after)
}

/** The last key of so many that follow one, as SQL; reads an index alone, whatever else must hold. */
export const boundaryQuery = ({ branches }: Walk, after: Key | undefined, rows: number): CompiledQuery<Key> =>
  sql<Key>`${merged(branches.flatMap(({ walk }) => rangesOf({ after }).map((range) => allOf([walk, range]))))} LIMIT 1 OFFSET ${rows - 1}`.compile(
    builder,
  )

/** Keys of a part, as SQL. */
export const keysQuery = (walk: Walk, part: Part, { limit, offset }: Page): CompiledQuery<Key> =>
  sql<Key>`${merged(conditions(walk, part))} LIMIT ${limit} OFFSET ${offset}`.compile(builder)

interface Grouped extends Key {
  readonly value: string
}

/** The keys of a part with the group that each is in, as SQL. */
const groupsQuery = (walk: Walk, part: Part, group: Condition): CompiledQuery<Grouped> =>
  sql<Grouped>`${merged(conditions(walk, part), [sql`${group} AS value`])}`.compile(builder)

/** The number of vAtoms of a part, as SQL. */
export function countQuery(walk: Walk, part: Part): CompiledQuery<{ readonly count: number }> {
  const counts = conditions(walk, part).map((where) => sql`(SELECT count(*) FROM vatoms WHERE ${where})`)
  return sql<{ readonly count: number }>`SELECT ${sql.join(counts, sql` + `)} AS count`.compile(builder)
}

const conditions = ({ branches, filter }: Walk, part: Part): Condition[] =>
  branches.flatMap(({ walk, where }) =>
    rangesOf(part).map((range) => allOf([walk, range, ...(where ? [where] : []), ...filter])),
  )

/** Each branch is read in the order of its index, so that nothing is sorted. */
const merged = (wheres: readonly Condition[], more: readonly Condition[] = []): RawBuilder<unknown> => {
  const columns = sql.join([sql`created`, sql`seq`, ...more])
  const branches = wheres.map((where) => sql`SELECT ${columns} FROM vatoms WHERE ${where}`)
  return sql`${sql.join(branches, sql` UNION ALL `)} ORDER BY created DESC, seq DESC`
}
