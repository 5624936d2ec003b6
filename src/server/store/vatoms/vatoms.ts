import { sql } from 'kysely'
import type { ReadCaches } from '../database/read-caches.ts'
import { builder, type Connection, query, statement, type ValuesOf } from '../query.ts'
import type { Steps } from '../slices.ts'
import { type Bit, bit, integer, type NewRowOf, nullable, type RowOf, table, text, truth } from '../table.ts'

/** vAtoms: the text of the record, and columns that searches use. `seq` is the order of insertion. */
export const vatoms = table('vatoms', {
  key: ['id'],
  columns: {
    seq: integer,
    id: text,
    owner: text,
    author: text,
    publisher_fqdn: text,
    template: text,
    template_variation: text,
    parent_id: text,
    category: text,
    visibility_type: text,
    in_contract: truth,
    acquirable: truth,
    /** Effective visibility: whether everybody may find it. Updated with every write. */
    public: truth,
    /** Seconds since 1970. */
    created: integer,
    /** Seconds since 1970; null where the action Redeem was not performed. */
    redeemed: nullable(integer),
    /** The record as it is answered. */
    json: text,
  },
})

/** What most reads of vAtoms need. */
export const vatomColumns = ['id', 'owner', 'template', 'template_variation', 'parent_id', 'public', 'json'] as const
export type VatomRow = Pick<RowOf<typeof vatoms>, (typeof vatomColumns)[number]>

/** The `parent_id` of a vAtom that is in no folder. */
export const root = '.'

/** Owner of trashed vAtoms: a user of the platform that nobody can sign in as. */
export const trashUser = '00000000-0000-0000-0000-000000000000'

/** vAtoms that differ only in their ids; `json` is the record's text without its id. */
export interface Batch extends Omit<NewRowOf<typeof vatoms>, 'id' | 'in_contract' | 'public' | 'redeemed'> {
  readonly ids: readonly string[]
  readonly public: boolean
}

/** The values that SQLite computes from each id of a batch. */
const perVatom: Readonly<Record<string, { readonly sql: string; readonly names: readonly string[] }>> = {
  id: { sql: 'ids.value', names: [] },
  json: { sql: `'{"id":"' || ids.value || '",' || ?`, names: ['json'] },
}

/** One statement for any number of vAtoms: SQLite puts each id at the front of its record's text. */
const insertBatch = statement<Omit<NewRowOf<typeof vatoms>, 'id'> & { readonly ids: string }>(() => {
  const values = vatoms.fields.map((column) => perVatom[column] ?? { sql: '?', names: [column] })
  return {
    sql: `INSERT INTO vatoms (${vatoms.fields.join(', ')})
      SELECT ${values.map(({ sql }) => sql).join(', ')} FROM json_each(?) AS ids`,
    names: [...values.flatMap(({ names }) => names), 'ids'],
  }
})

const byId = vatoms.select({ read: vatomColumns, where: ['id'] })
const isPublic = vatoms.select({ read: ['public'], where: ['id'] })
const redeemed = vatoms.select({ read: ['redeemed'], where: ['id'] })
const countOf = vatoms.count('template_variation')
const change = vatoms.set('category', 'visibility_type', 'acquirable', 'json')

const ofVariation = query<{ variation: string }>()((value) =>
  builder
    .selectFrom('vatoms')
    .select(vatomColumns)
    .where('template_variation', '=', value.variation)
    .where('owner', '<>', trashUser),
)

const someOf = query<{ owner: string; limit: number }>()((value) =>
  builder.selectFrom('vatoms').select(vatomColumns).where('owner', '=', value.owner).limit(value.limit),
)

const redeem = vatoms.set('redeemed')

/** How many vAtoms are read in a step. */
const countedAtOnce = 2000

const countOwned = query<{ variation: string }>()(
  (value) =>
    sql<{ count: number }>`SELECT count(*) AS count FROM vatoms
      WHERE template_variation = ${value.variation} AND owner <> ${trashUser}`,
)
/** Uses the index of variations: the `+` prevents the use of that of owners, as the trash user has many. */
const countTrashed = query<{ variation: string }>()(
  (value) =>
    sql<{ count: number }>`SELECT count(*) AS count FROM vatoms
      WHERE template_variation = ${value.variation} AND +owner = ${trashUser}`,
)
/** The place of the last of so many vAtoms after a place; none if there are fewer. */
const lastOfSome = query<{ variation: string; after: number; afterSeq: number }>()(
  ({ variation, after, afterSeq }) => sql<{ created: number; seq: number }>`
    SELECT created, seq FROM vatoms WHERE template_variation = ${variation} AND (created, seq) > (${after}, ${afterSeq})
    ORDER BY created, seq LIMIT 1 OFFSET ${sql.lit(countedAtOnce - 1)}`,
)
type Counted = { variation: string; after: number; afterSeq: number; upTo: number; upToSeq: number }
/**
 * Of those between two places: how many were made, redeemed, and trashed without that, on each day; how many of them are
 * owned, and left. Nothing changes a vAtom after it was trashed.
 */
const countSome = query<Counted>()(({ variation, after, afterSeq, upTo, upToSeq }) => {
  const those = sql`FROM vatoms WHERE template_variation = ${variation}
    AND (created, seq) > (${after}, ${afterSeq}) AND (created, seq) <= (${upTo}, ${upToSeq})`
  return sql<DayCount>`
    SELECT day, sum(count) AS count, sum(redeemed) AS redeemed, sum(trashed) AS trashed,
      sum(owned) AS owned, sum("left") AS "left" FROM (
      SELECT date(created, 'unixepoch') AS day, 1 AS count, 0 AS redeemed, 0 AS trashed, owner <> ${trashUser} AS owned,
        owner <> ${trashUser} AND redeemed IS NULL AS "left" ${those}
      UNION ALL
      SELECT date(redeemed, 'unixepoch'), 0, 1, 0, 0, 0 ${those} AND redeemed IS NOT NULL
      UNION ALL
      SELECT date(json ->> '$.when_added'), 0, 0, 1, 0, 0 ${those} AND owner = ${trashUser} AND redeemed IS NULL
    ) GROUP BY day`
})

/** What happened to vAtoms on a day, and what became of those that were made on it. */
interface DayCount {
  readonly day: string
  readonly count: number
  readonly redeemed: number
  readonly trashed: number
  readonly owned: number
  readonly left: number
}

const everyOf = vatoms.select({ read: vatomColumns, where: ['template_variation'] })
const removeOf = query<{ variation: string }>()((value) =>
  builder.deleteFrom('vatoms').where('template_variation', '=', value.variation),
)
const removePositions = query<{ variation: string }>()(
  (value) =>
    sql`DELETE FROM positions WHERE id IN (SELECT seq FROM vatoms WHERE template_variation = ${value.variation})`,
)

/** vAtoms of an owner that are looked at in a step. */
const ownedAtOnce = 500
/** The next of those after a place, and whether they are of a template, of which there may be many more. */
const nextOwned = query<{ owner: string; template: string; after: number; afterSeq: number }>()(
  ({ owner, template, after, afterSeq }) => sql<{ created: number; seq: number; isOf: Bit }>`
    SELECT created, seq, template = ${template} AS isOf FROM vatoms
    WHERE owner = ${owner} AND (created, seq) > (${after}, ${afterSeq})
    ORDER BY created, seq LIMIT ${sql.lit(ownedAtOnce)}`,
)

const anyPublic = query<{ template: string }>()(
  (value) => sql`SELECT 1 FROM vatoms WHERE template = ${value.template} AND public = 1 LIMIT 1`,
)

/** How many characters of vAtoms are cached at most. */
const cached = 4 * 2 ** 20

/** Statements on single vAtoms; `foldersOf` and `vatomLifeOf` have those that change several at once. */
export function vatomsOf(db: Connection, caches: ReadCaches) {
  const known = caches.of<VatomRow>({ tables: ['vatoms'], most: cached, sizeOf: ({ json }) => json.length })
  return {
    insert: (batch: Batch) =>
      db.run(insertBatch, {
        ...batch,
        ids: JSON.stringify(batch.ids),
        in_contract: 0,
        redeemed: null,
        public: bit(batch.public),
      }),
    /** How many there are of a variation, trashed ones too. */
    countOf: (variation: string) => db.first(countOf, { template_variation: variation })?.count ?? 0,
    /** Those of a variation that are not trashed. */
    ofVariation: (variation: string): VatomRow[] => db.rows(ofVariation, { variation }),
    /** So many vAtoms of an owner, any of them. */
    someOf: (owner: string, limit: number): VatomRow[] => db.rows(someOf, { owner, limit }),
    /** How many of a variation are not trashed. */
    countOwned: (variation: string) => db.first(countOwned, { variation })?.count ?? 0,
    /** How many of a variation were trashed, or redeemed with no merchant. */
    countTrashed: (variation: string) => db.first(countTrashed, { variation })?.count ?? 0,
    /** What happened to the vAtoms of a variation by day, trashed ones too, some at a time. A day may come several times. */
    *counts(variation: string) {
      const end = { created: Number.MAX_SAFE_INTEGER, seq: 0 }
      for (let after = { created: -1, seq: 0 }; after.created < end.created; ) {
        const from = { variation, after: after.created, afterSeq: after.seq }
        const upTo = db.first(lastOfSome, from) ?? end
        yield db.rows(countSome, { ...from, upTo: upTo.created, upToSeq: upTo.seq })
        after = upTo
      }
    },
    /** Those of a variation, trashed ones too. */
    everyOf: (variation: string): VatomRow[] => db.rows(everyOf, { template_variation: variation }),
    /** Removes those of a variation, trashed ones too. */
    removeOf: (variation: string) => {
      db.run(removePositions, { variation })
      db.run(removeOf, { variation })
    },
    byId: (id: string): VatomRow | undefined => known(id, () => db.first(byId, { id })),
    /** Whether everybody finds a vAtom of a template. */
    anyPublic: (template: string) => db.first(anyPublic, { template }) !== undefined,
    /** Whether someone owns a vAtom of a template. */
    *ownsAny(owner: string, template: string): Steps<boolean> {
      for (let after = { created: -1, seq: 0 }; ; ) {
        const some = db.rows(nextOwned, { owner, template, after: after.created, afterSeq: after.seq })
        if (some.some(({ isOf }) => isOf === 1)) return true
        const last = some.at(-1)
        if (!last || some.length < ownedAtOnce) return false
        after = last
        yield
      }
    },
    /** Whether everybody may find a vAtom; false if it does not exist. */
    isPublic: (id: string) => db.first(isPublic, { id })?.public === 1,
    /** Whether a vAtom was redeemed; false if it does not exist. */
    isRedeemed: (id: string) => typeof db.first(redeemed, { id })?.redeemed === 'number',
    redeem: (values: ValuesOf<typeof redeem>) => db.run(redeem, values),
    change: (values: ValuesOf<typeof change>) => db.run(change, values),
  }
}
