import { sql } from 'kysely'
import { builder, type Connection, type Query, query } from '../query.ts'
import type { Steps } from '../slices.ts'
import { type Bit, bit } from '../table.ts'
import { columnsAfter, type Key } from './vatom-order.ts'
import { root, type VatomRow, vatomColumns } from './vatoms.ts'

/** A folder or the root, and whether everybody may find it. */
export interface Place {
  readonly id: string
  readonly isPublic: boolean
}

/** A vAtom in a folder, at any depth; `isReached`: it takes its visibility from that folder. Spec 2.4. */
export interface Inside {
  readonly id: string
  readonly isReached: boolean
}

/** How many vAtoms in a folder are looked at, or changed, in one step, and how many bytes of JSON these have together. */
const insideAtOnce = 25
const bytesAtOnce = 2 ** 17

/** A vAtom takes as long to change as one row, and as one more for each of so many bytes. */
const bytesOfRow = 16384

/** What every change of a record's text updates. */
export const changed = (now: string) => sql`'$.sync', json_extract(json, '$.sync') + 1, '$.when_modified', ${now}`

const start: Key = { created: -1, seq: -1 }
const isBefore = (one: Key, other: Key): boolean =>
  one.created < other.created || (one.created === other.created && one.seq < other.seq)

type After = Key & { readonly folder: string; readonly limit: number }
type Child = Key & { readonly id: string; readonly visibility_type: string; readonly bytes: number }
const someIn = query<After>()(
  (value) =>
    sql<Child>`${columnsAfter(sql`id, created, seq, visibility_type, octet_length(json) AS bytes`, sql`parent_id = ${value.folder}`, value)} LIMIT ${value.limit}`,
)

/** A vAtom in a folder, and its place in the order of what is there. */
export interface Content extends VatomRow, Key {
  readonly visibility_type: string
}
const contentColumns = sql.join([...vatomColumns, 'visibility_type', 'created', 'seq'].map((name) => sql.ref(name)))

const holdingAmong = query<{ ids: string }>()(
  (value) =>
    sql<{ id: string }>`SELECT value AS id FROM json_each(${value.ids})
      WHERE EXISTS (SELECT 1 FROM vatoms WHERE parent_id = value)`,
)

/** The `+` prevents the use of the index of owners. */
const holdingOf = query<{ ids: string; owner: string }>()(
  (value) =>
    sql<{ id: string }>`SELECT value AS id FROM json_each(${value.ids})
      WHERE EXISTS (SELECT 1 FROM vatoms WHERE parent_id = value AND +owner = ${value.owner})`,
)

const ownedIn = query<{ folder: string; owner: string; limit: number }>()(
  (value) =>
    sql<VatomRow>`SELECT ${sql.join(vatomColumns.map((name) => sql.ref(name)))} FROM vatoms
      WHERE parent_id = ${value.folder} AND +owner = ${value.owner} LIMIT ${value.limit}`,
)

const byIds = query<{ ids: string }>()(
  (value) =>
    sql<VatomRow>`SELECT ${sql.join(vatomColumns.map((name) => sql.ref(name)))}
      FROM (SELECT value FROM json_each(${value.ids})) CROSS JOIN vatoms ON id = value`,
)

/** Reads no text of a vAtom, only how long it is. */
const weightOf = query<{ ids: string }>()(
  (value) =>
    sql<{ rows: number }>`SELECT coalesce(sum(1 + octet_length(json) / ${sql.lit(bytesOfRow)}), 0) AS rows
      FROM (SELECT value FROM json_each(${value.ids})) CROSS JOIN vatoms ON id = value`,
)

const contents = query<After>()(
  (value) =>
    sql<Content>`${columnsAfter(contentColumns, sql`parent_id = ${value.folder}`, value)} LIMIT ${value.limit}`,
)

const lastIn = query<{ folder: string }>()(
  (value) =>
    sql<Key>`SELECT created, seq FROM vatoms WHERE parent_id = ${value.folder} ORDER BY created DESC, seq DESC LIMIT 1`,
)

/** Reads no vAtom but the one that is found: the index says who sees them, and the `+` prevents the use of others. */
const firstSeen = query<{ folder: string; user: string }>()(
  (value) =>
    sql<VatomRow>`SELECT ${sql.join(vatomColumns.map((name) => sql.ref(name)))} FROM vatoms WHERE seq = (
      SELECT seq FROM vatoms WHERE parent_id = ${value.folder} AND (+owner = ${value.user} OR +public = 1)
      ORDER BY created, seq LIMIT 1)`,
)

/** Reads an index alone, which has none of those at the root: the last condition says that none of them is asked for. */
const countIn = query<{ folder: string; variation: string }>()(
  (value) =>
    sql<{ count: number }>`SELECT count(*) AS count FROM vatoms
      WHERE parent_id = ${value.folder} AND template_variation = ${value.variation} AND parent_id <> ${sql.lit(root)}`,
)

const above = query<{ id: string; limit: number }>()(
  (value) =>
    sql<{ id: string }>`WITH RECURSIVE above (id) AS (
      SELECT ${value.id}
      UNION
      SELECT vatoms.parent_id FROM above JOIN vatoms ON vatoms.id = above.id
      LIMIT ${value.limit})
      SELECT id FROM above`,
)

const holding = query<{ variation: string }>()((value) =>
  builder
    .selectFrom('vatoms as folder')
    .innerJoin('vatoms as child', 'child.parent_id', 'folder.id')
    .select('folder.id')
    .where('folder.template_variation', '=', value.variation)
    .limit(1),
)

const built = (path: string) => sql.lit(`$."vAtom::vAtomType".${path}`)

type Move = { ids: string; folder: string; now: string }
const move = query<Move>()(
  (value) =>
    sql`UPDATE vatoms SET parent_id = ${value.folder},
      json = json_set(json, ${built('parent_id')}, ${value.folder}, ${changed(value.now)})
      WHERE id IN (SELECT value FROM json_each(${value.ids}))`,
)

const publish = query<{ ids: string; public: Bit }>()(
  (value) => sql`UPDATE vatoms SET public = ${value.public} WHERE id IN (SELECT value FROM json_each(${value.ids}))`,
)

/** Only vAtoms whose visibility changes: else nothing changes for what is in them. */
const inheriting = query<{ ids: string; public: Bit }>()(
  (value) =>
    sql<{ id: string }>`SELECT id FROM vatoms WHERE id IN (SELECT value FROM json_each(${value.ids}))
      AND visibility_type = 'container' AND public <> ${value.public}`,
)

/** A vAtom with others in it. */
export type HoldingVatom = Pick<VatomRow, 'id' | 'public'>

const holdingOfVariation = query<{ variation: string }>()(
  (value) =>
    sql<HoldingVatom>`SELECT id, public FROM vatoms AS folder WHERE template_variation = ${value.variation}
      AND EXISTS (SELECT 1 FROM vatoms WHERE parent_id = folder.id)`,
)

/** The queries of folders, for the tests of their plans. */
export const folderQueries = {
  contents,
  lastIn,
  someIn,
  firstSeen,
  holdingAmong,
  holdingOf,
  ownedIn,
  weightOf,
  countIn,
  above,
  holdingOfVariation,
}

/** All in a vAtom, at any depth, some at a time: what is in a folder after the folder, the oldest first. */
export function* inside(db: Connection, id: string): Generator<readonly Inside[], void, void> {
  const folders: Inside[] = [{ id, isReached: true }]
  // What is found to be a folder is added while the list is walked.
  for (const folder of folders)
    for (const children of pagesOf(db, someIn, folder.id, ({ bytes }) => bytes)) {
      const some = children.map(({ id, visibility_type }) => ({
        id,
        isReached: folder.isReached && visibility_type === 'container',
      }))
      const holding = new Set(db.rows(holdingAmong, { ids: idList(some) }).map((one) => one.id))
      folders.push(...some.filter((one) => holding.has(one.id)))
      yield some
    }
}

/** Whether other vAtoms may be in one: only in folders, of which all root types end alike. Parses nothing. */
export const mayHold = ({ json }: Pick<VatomRow, 'json'>): boolean => json.includes('ContainerType"')

/** Some vAtoms, as many at a time as one step changes; those that are large one by one. */
export function* someAtOnce<Row>(
  rows: readonly Row[],
  bytesOf: (row: Row) => number,
): Generator<readonly Row[], void, void> {
  let some: Row[] = []
  let bytes = 0
  for (const row of rows) {
    const more = bytesOf(row)
    if (some.length > 0 && bytes + more > bytesAtOnce) {
      yield some
      ;[some, bytes] = [[], 0]
    }
    some.push(row)
    bytes += more
  }
  if (some.length > 0) yield some
}

/** The length of the text of a vAtom: that of its bytes, or a little less. */
export const lengthOf = ({ json }: Pick<VatomRow, 'json'>): number => json.length

/** What is in a folder, from a key on, some at a time; what was read may leave the folder before the next is read. */
function* pagesOf<Row extends Key>(
  db: Connection,
  find: Query<After, Row>,
  folder: string,
  bytesOf: (row: Row) => number,
  after = start,
): Generator<readonly Row[], void, void> {
  for (let last: Key | undefined = after; last; ) {
    const page: Row[] = db.rows(find, { folder, created: last.created, seq: last.seq, limit: insideAtOnce })
    yield* someAtOnce(page, bytesOf)
    last = page.length < insideAtOnce ? undefined : page.at(-1)
  }
}

/** Ids as a statement takes them. */
export const idList = (some: readonly { readonly id: string }[]): string => JSON.stringify(some.map(({ id }) => id))

/** What is in folders, and who finds it there. */
export const foldersOf = (db: Connection) => ({
  /** What is in a folder, the oldest first, some at a time: they may leave it before the next are read. */
  contents: (folder: string): Generator<readonly Content[], void, void> => pagesOf(db, contents, folder, lengthOf),
  /**
   * What is in a folder now, the oldest first, as many at a time as `portion` takes of some, which is one at least. All are
   * read anew when they are wanted: between two portions a transaction may end. What comes meanwhile may be left out.
   */
  *contentsNow(folder: string, portion: (some: readonly Content[]) => readonly Content[]) {
    const last = db.first(lastIn, { folder })
    for (let after = start; last && isBefore(after, last); ) {
      const [some] = pagesOf(db, contents, folder, lengthOf, after)
      if (!some) return
      const taken = portion(some)
      after = taken.at(-1) ?? last
      yield taken
    }
  },
  /** The oldest in a folder that is a user's own or that everybody may find. */
  firstSeen: (folder: string, user: string) => db.first(firstSeen, { folder, user }),
  /**
   * All in a vAtom, at any depth, some at a time: what is in a folder after the folder, the oldest first. Reads nothing for
   * a vAtom that is no folder.
   */
  inside: (vatom: Pick<VatomRow, 'id' | 'json'>) => (mayHold(vatom) ? inside(db, vatom.id) : []),
  /** Some vAtoms, in their order. */
  byIds: (some: readonly { readonly id: string }[]): VatomRow[] => db.rows(byIds, { ids: idList(some) }),
  /** As how many rows some vAtoms count when they change: large ones count as several. */
  weightOf: (some: readonly { readonly id: string }[]): number => db.first(weightOf, { ids: idList(some) })?.rows ?? 0,
  /** So many vAtoms of an owner in a folder, any of them. */
  ownedIn: (folder: string, owner: string, limit: number): VatomRow[] => db.rows(ownedIn, { folder, owner, limit }),
  /** Ids of the vAtoms among some that contain others of an owner. */
  holdingOf: (owner: string, some: readonly VatomRow[]): string[] => {
    const folders = some.filter(mayHold)
    return folders.length === 0 ? [] : db.rows(holdingOf, { owner, ids: idList(folders) }).map(({ id }) => id)
  },
  /** How many vAtoms of a variation are in a folder, not at the root. */
  countIn: (folder: string, variation: string) => db.first(countIn, { folder, variation })?.count ?? 0,
  /** Ids of a vAtom, its folder, the folder of that, and so on up to the root; so many at most. */
  above: (id: string, limit: number) => db.rows(above, { id, limit }).map((row) => row.id),
  /** Whether any vAtom of a variation has something in it. */
  anyHolding: (variation: string) => db.first(holding, { variation }) !== undefined,
  /** The vAtoms of a variation that have something in them, and whether everybody finds each. */
  holdingOfVariation: (variation: string) => db.rows(holdingOfVariation, { variation }),
  /** Sets whether everybody finds a vAtom, and what takes its visibility from it. */
  *setPublic(id: string, isPublic: boolean): Steps<void> {
    db.run(publish, { ids: idList([{ id }]), public: bit(isPublic) })
    yield* publishInside(db, id, isPublic)
  },
  /** Moves a few vAtoms into a folder; those that take their visibility from it do so. Checks no rights. */
  *move(ids: readonly string[], { id: folder, isPublic }: Place, now: string): Steps<void> {
    const list = JSON.stringify(ids)
    db.run(move, { ids: list, folder, now })
    const found = db.rows(inheriting, { ids: list, public: bit(isPublic) })
    if (found.length > 0) db.run(publish, { ids: idList(found), public: bit(isPublic) })
    for (const { id } of found) yield* publishInside(db, id, isPublic)
  },
})

/** Sets whether everybody finds what takes its visibility from a vAtom. Spec 2.4. */
export function* publishInside(db: Connection, id: string, isPublic: boolean): Steps<void> {
  for (const some of inside(db, id)) {
    const reached = some.filter(({ isReached }) => isReached)
    if (reached.length > 0) db.run(publish, { ids: idList(reached), public: bit(isPublic) })
    yield
  }
}
