import { sql } from 'kysely'
import { vatomTypeKey } from '../../../contract/values.ts'
import type { Section } from '../../../contract/vatom/complete.ts'
import { type Connection, query } from '../query.ts'
import type { Steps } from '../slices.ts'
import { type Bit, bit } from '../table.ts'
import { type Position, positionsOf } from './positions.ts'
import { changed, idList, inside, publishInside } from './vatom-folders.ts'
import { root, trashUser } from './vatoms.ts'

const builtInOf = (json: string, property: string) =>
  sql`json_extract(${sql.ref(json)}, ${sql.lit(`$."${vatomTypeKey}".${property}`)})`

/** Changes built-in properties of a vAtom at the root: where it lies and who sees it there. */
const patch = query<{ id: string; patch: string }>()(
  (value) =>
    sql`UPDATE vatoms SET json = new.json,
      parent_id = ${builtInOf('new.json', 'parent_id')},
      visibility_type = ${builtInOf('new.json', 'visibility.type')},
      public = (${builtInOf('new.json', 'visibility.type')} = 'public')
      FROM (SELECT json_patch(json, ${value.patch}) AS json FROM vatoms WHERE id = ${value.id}) AS new
      WHERE id = ${value.id}`,
)

const touch = query<{ id: string; now: string }>()(
  (value) => sql`UPDATE vatoms SET json = json_set(json, ${changed(value.now)}) WHERE id = ${value.id}`,
)

/** Built-in properties of a vAtom that are changed when it is given to another owner. */
export interface Handover {
  readonly transferred_by?: string
  readonly acquirable?: boolean
  readonly redeemable?: boolean
}

type Giving = { id: string; owner: string; now: string; patch: string; acquirable: Bit | null }
/** Gives a vAtom to an owner, at the root. */
const give = query<Giving>()(
  (value) =>
    sql`UPDATE vatoms SET owner = ${value.owner}, parent_id = ${root}, public = (visibility_type = 'public'),
        acquirable = coalesce(${value.acquirable}, acquirable),
        json = json_set(json_patch(json, ${value.patch}), ${changed(value.now)}, '$.when_added', ${value.now})
      WHERE id = ${value.id}`,
)

type GivingEach = { ids: string; reached: string; owner: string; now: string; patch: string; folder: string }
/** Gives vAtoms to an owner, where they are; those that are `reached` are as visible as a folder. */
const giveEach = query<GivingEach>()(
  (value) =>
    sql`UPDATE vatoms SET owner = ${value.owner},
        public = CASE WHEN id IN (SELECT value FROM json_each(${value.reached}))
          THEN (SELECT folder.public FROM vatoms AS folder WHERE folder.id = ${value.folder}) ELSE public END,
        json = json_set(json_patch(json, ${value.patch}), ${changed(value.now)}, '$.when_added', ${value.now})
      WHERE id IN (SELECT value FROM json_each(${value.ids}))`,
)

type Abandoning = { ids: string; now: string; patch: string; parent: string | null }
/** Trashes vAtoms in one statement; they stay in their folders unless a parent is given. */
const abandon = query<Abandoning>()(
  (value) =>
    sql`UPDATE vatoms SET owner = ${trashUser}, public = 0, visibility_type = 'owner',
        parent_id = coalesce(${value.parent}, parent_id),
        json = json_set(json_patch(json, ${value.patch}), ${changed(value.now)}, '$.when_added', ${value.now})
      WHERE id IN (SELECT value FROM json_each(${value.ids}))`,
)

const point = ({ lon, lat }: Position): Section => ({
  type: 'Point',
  coordinates: [lon, lat],
  $reql_type$: 'GEOMETRY',
})
const visibleTo = (type: 'owner' | 'public') => ({ visibility: { type, value: '*' } })
const patchOf = (properties: Section) => JSON.stringify({ [vatomTypeKey]: properties })

/** Properties of a dropped vAtom, and of one that is not. */
const lying = (position: Position): Section => ({ dropped: true, geo_pos: point(position), ...visibleTo('public') })
const pickedUp: Section = { dropped: false, geo_pos: point({ lon: 0, lat: 0 }), ...visibleTo('owner') }

const trashed = { owner: trashUser, ...pickedUp }
const trashedInPlace = { parent: null, patch: patchOf(trashed) }
const trashedAlone = { parent: root, patch: patchOf({ ...trashed, parent_id: root }) }

/**
 * What happens to vAtoms, in steps; to be carried out in a write. Columns, effective visibility and positions are updated
 * too.
 */
export function vatomLifeOf(db: Connection) {
  const positions = positionsOf(db)
  const change = (id: string, properties: Section) =>
    db.run(patch, { id, patch: patchOf({ parent_id: root, ...properties }) })
  const trashSome = (ids: string, now: string, where: Pick<Abandoning, 'parent' | 'patch'>) => {
    positions.removeEach(ids)
    db.run(abandon, { ids, now, ...where })
  }
  const trashAlone = (some: readonly { readonly id: string }[], now: string) =>
    trashSome(idList(some), now, trashedAlone)
  return {
    /**
     * Drops a vAtom at a point, where everybody finds it, or picks it up, so that only its owner finds it; it is at the
     * root then. The same users find what takes its visibility from it. Does not check whether it may leave its folder.
     */
    *place(id: string, position: Position | undefined, now: string): Steps<void> {
      db.run(touch, { id, now })
      change(id, position ? lying(position) : pickedUp)
      positions.set(id, position)
      yield* publishInside(db, id, position !== undefined)
    },
    /**
     * Gives a vAtom, with what is in it, to another owner, at the root. `extra` are other built-in properties of the
     * vAtom itself. A dropped vAtom stays dropped until it is picked up.
     */
    *give(id: string, owner: string, now: string, extra: Handover = {}): Steps<void> {
      const acquirable = extra.acquirable === undefined ? null : bit(extra.acquirable)
      db.run(give, { id, owner, now, patch: patchOf({ owner, parent_id: root, ...extra }), acquirable })
      const patch = patchOf({ owner })
      for (const some of inside(db, id)) {
        const reached = idList(some.filter(({ isReached }) => isReached))
        db.run(giveEach, { ids: idList(some), reached, owner, now, patch, folder: id })
        yield
      }
    },
    /** Gives a vAtom, with what is in it, to the trash user: nobody finds it or acts on it. */
    *trash(id: string, now: string): Steps<void> {
      trashAlone([{ id }], now)
      for (const some of inside(db, id)) {
        trashSome(idList(some), now, trashedInPlace)
        yield
      }
    },
    /** Gives vAtoms to the trash user, out of their folders. What is in them stays as it is. */
    trashAlone,
  }
}
