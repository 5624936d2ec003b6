import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import { builder, type Connection, query } from '../query.ts'
import { processorTime, type Steps } from '../slices.ts'
import type { Page } from '../table.ts'
import { type Key, type Part, rangesOf } from '../vatoms/vatom-order.ts'
import { allOf, type Filter, longMatchesOf, type OfLong } from './conditions.ts'
import type { Condition } from './operators.ts'
import { PageMarks } from './page-marks.ts'
import { type Candidates, type FoundAmong, type Sample, textReader } from './texts.ts'

/**
 * vAtoms that an index has in that order, and what else must hold for each. `walk` is a range of the index, so that every
 * entry that is read is one of the walk: a step counts those that it finds, and may read no more than it counts.
 */
export interface Branch {
  readonly walk: Condition
  readonly where?: Condition
}

/** What to look for: the branches have no vAtom in common; the filters are valid for all of them. */
export interface Walk {
  readonly branches: readonly Branch[]
  readonly filter: readonly Filter[]
  readonly sample?: Sample | undefined
}

/** How many vAtoms a step looks at: so many that it takes some milliseconds. */
export class Pace {
  rows: number

  /** `effort` is how much longer the first vAtoms take than most do. */
  constructor(effort = 1) {
    this.rows = Math.ceil(first / effort)
  }

  /** Carries out a step, and adapts to how long it takes. */
  step<T>(work: () => T): T {
    const start = processorTime()
    const value = work()
    const took = processorTime() - start
    if (took < fast) this.rows = Math.min(this.rows * 4, most)
    else if (took > slow) this.rows = Math.max(Math.floor((this.rows * slow) / took), 1)
    return value
  }
}

/** Milliseconds below which a step is made larger, and above which it is made smaller. */
const [fast, slow] = [1, 4]
/** vAtoms of the first step, and of the largest. */
const [first, most] = [500, 20_000]

/** Numbers (`seq`) of the vAtoms on a page of a walk; `marks` are places in its results, and get more. */
export function* pageOf(db: Connection, walk: Walk, { limit, offset }: Page, marks = new PageMarks()): Steps<number[]> {
  const found: Key[] = []
  let { passed, after } = marks.before(offset)
  const look = ({ upTo, count, page }: FoundIn) => {
    // What is skipped is only counted.
    const skipped = passed < offset ? Math.min(count(), offset - passed) : 0
    passed += skipped
    if (passed === offset) found.push(...page({ limit: limit - found.length, offset: skipped }))
    else if (upTo) marks.add(passed, upTo)
    return found.length >= limit
  }
  yield* lookThrough(db, walk, look, after)
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
  yield* lookThrough(db, walk, ({ count }) => {
    sum += count()
    return false
  })
  return sum
}

/** What is found in a part, which is looked at only once. */
interface FoundIn extends FoundAmong {
  /** The key that the part ends with, unless it is the last. */
  readonly upTo: Key | undefined
}
type Look = (found: FoundIn) => boolean

/** A vAtom whose category is longer than one may be, as an earlier version let it be. */
export const longCategory = query()(
  () =>
    sql<Pick<Key, 'seq'>>`SELECT seq FROM vatoms INDEXED BY vatoms_long_categories
      WHERE octet_length(category) > 1024 LIMIT 1`,
)

/** Where any category is long, all are looked at as texts are. */
const counted = (db: Connection, { branches, filter, sample }: Walk): Walk =>
  db.first(longCategory, {}) === undefined
    ? { branches, filter, sample }
    : { branches, filter: filter.map(asTexts), sample: sample && asTexts(sample) }
const asTexts = <T extends OfLong>(one: T): T => ({ ...one, texts: one.texts + one.categories, categories: 0 })

/** Shows `look` what a walk finds, part by part, from a key on, until it returns that it has found enough. */
function lookThrough(db: Connection, found: Walk, look: Look, from?: Key): Steps<void> {
  const walk = counted(db, found)
  if (readsTexts(walk)) return lookThroughTexts(db, walk, look, from)
  const inPart = (part: Part) => ({
    upTo: part.upTo,
    count: () => db.rowsOf(countQuery(walk, part))[0]?.count ?? 0,
    page: (page: Page) => db.rowsOf(keysQuery(walk, part, page)),
  })
  return inParts(db, walk, (part) => look(inPart(part)), from)
}

const readsTexts = ({ filter, sample }: Walk) => sample !== undefined || filter.some(({ texts }) => texts > 0)

/** Finds by the columns what may be found, and looks at the texts of few of those at a time. */
function* lookThroughTexts(db: Connection, walk: Walk, look: Look, from?: Key): Steps<void> {
  const reader = textReader(
    db,
    walk.filter.filter(({ texts }) => texts > 0),
    walk.sample,
  )
  let batches: string[] = []
  let upTo: Key | undefined
  const findBatches = (part: Part) => {
    batches = db.rowsOf(candidatesQuery(walk, part)).flatMap(reader.batches)
    upTo = part.upTo
    return false
  }
  for (const _ of inParts(db, walk, findBatches, from)) {
    yield
    for (const batch of batches) {
      const found = yield* reader.found(batch)
      if (look({ ...found, upTo: batch === batches.at(-1) ? upTo : undefined })) return
      yield
    }
  }
}

/** Looks at one part after the other, from a key on, until `look` returns that it has found enough. */
function* inParts(db: Connection, walk: Walk, look: (part: Part) => boolean, from?: Key): Steps<void> {
  const pace = new Pace(1 + longMatchesOf(walk.filter))
  let after = from
  do {
    after = pace.step(() => {
      const [upTo] = db.rowsOf(boundaryQuery(walk, after, pace.rows))
      return look({ after, upTo }) ? undefined : upTo
    })
    yield
  } while (after)
}

/** The last key of so many entries of the indexes that follow one, as SQL; reads these alone, whatever else must hold. */
export const boundaryQuery = ({ branches }: Walk, after: Key | undefined, rows: number): CompiledQuery<Key> =>
  sql<Key>`${merged(branches.flatMap(({ walk }) => rangesOf({ after }).map((range) => allOf([walk, range]))))} LIMIT 1 OFFSET ${rows - 1}`.compile(
    builder,
  )

/** Keys of a part, as SQL. */
export const keysQuery = (walk: Walk, part: Part, { limit, offset }: Page): CompiledQuery<Key> =>
  sql<Key>`${merged(conditions(walk, part))} LIMIT ${limit} OFFSET ${offset}`.compile(builder)

/** The vAtoms of a part whose texts are to be looked at, which are not read for that, as SQL. */
export const candidatesQuery = (walk: Walk, part: Part): CompiledQuery<Candidates> =>
  sql<Candidates>`SELECT json_group_array(seq) AS numbers, json_group_array(size) AS sizes
    FROM (${merged(conditions(walk, part), [sql`octet_length(json) AS size`])})`.compile(builder)

/** The number of vAtoms of a part, as SQL. */
export function countQuery(walk: Walk, part: Part): CompiledQuery<{ readonly count: number }> {
  const counts = conditions(walk, part).map((where) => sql`(SELECT count(*) FROM vatoms WHERE ${where})`)
  return sql<{ readonly count: number }>`SELECT ${sql.join(counts, sql` + `)} AS count`.compile(builder)
}

/** What columns must have. */
function conditions({ branches, filter }: Walk, part: Part): Condition[] {
  const ofColumns = filter.filter(({ texts }) => texts === 0).map(({ holds }) => holds)
  return branches.flatMap(({ walk, where }) =>
    rangesOf(part).map((range) => allOf([walk, range, ...(where ? [where] : []), ...ofColumns])),
  )
}

/** Each branch is read in the order of its index, so that nothing is sorted. */
const merged = (wheres: readonly Condition[], more: readonly Condition[] = []): RawBuilder<unknown> => {
  const columns = sql.join([sql`created`, sql`seq`, ...more])
  const branches = wheres.map((where) => sql`SELECT ${columns} FROM vatoms WHERE ${where}`)
  return sql`${sql.join(branches, sql` UNION ALL `)} ORDER BY created DESC, seq DESC`
}
