import { sql } from 'kysely'
import { vatomTypeKey } from '../../../contract/values.ts'
import type { Section } from '../../../contract/vatom/complete.ts'
import { type Connection, query } from '../query.ts'
import { type Bit, bit } from '../table.ts'
import { type Position, positionsOf } from './positions.ts'
import { changed, withInside, withReached } from './vatom-folders.ts'
import { root, trashUser } from './vatoms.ts'

const builtInOf = (json: string, property: string) =>
  sql`json_extract(${sql.ref(json)}, ${sql.lit(`$."${vatomTypeKey}".${property}`)})`

/** Changes built-in properties in a record's text: its folder, where it lies and who sees it there. */
const patch = query<{ id: string; patch: string }>()(
  (value) =>
    sql`UPDATE vatoms SET json = new.json,
      parent_id = ${builtInOf('new.json', 'parent_id')},
      visibility_type = ${builtInOf('new.json', 'visibility.type')}
      FROM (SELECT json_patch(json, ${value.patch}) AS json FROM vatoms WHERE id = ${value.id}) AS new
      WHERE id = ${value.id}`,
)

const touch = query<{ id: string; now: string }>()(
  (value) => sql`UPDATE vatoms SET json = json_set(json, ${changed(value.now)}) WHERE id = ${value.id}`,
)

type Owning = { id: string; owner: string; now: string; patch: string }
/** Changes the owner of a vAtom and of all in it, at any depth. */
const own = query<Owning>()(
  (value) =>
    sql`${withInside(sql`SELECT ${value.id}`)}
      UPDATE vatoms SET owner = ${value.owner},
        json = json_set(json_patch(json, ${value.patch}), ${changed(value.now)}, '$.when_added', ${value.now})
      WHERE id IN (SELECT id FROM inside)`,
)

/** Built-in properties of a vAtom that are changed when it is given to another owner. */
export interface Handover {
  readonly transferred_by?: string
  readonly acquirable?: boolean
}

type Giving = { id: string; owner: string; now: string; patch: string; ofContents: string; acquirable: Bit | null }
/** Gives a vAtom and all in it, at any depth, to an owner, and moves it to the root; `reached` take their visibility from it. */
const give = query<Giving>()(
  (value) =>
    sql`WITH RECURSIVE inside (id, reached) AS (
        SELECT ${value.id}, 1
        UNION
        SELECT vatoms.id, inside.reached AND vatoms.visibility_type = 'container'
        FROM inside JOIN vatoms ON vatoms.parent_id = inside.id)
      UPDATE vatoms SET owner = ${value.owner},
        parent_id = CASE WHEN vatoms.id = ${value.id} THEN ${root} ELSE parent_id END,
        acquirable = CASE WHEN vatoms.id = ${value.id} THEN coalesce(${value.acquirable}, acquirable) ELSE acquirable END,
        public = CASE WHEN inside.reached
          THEN (SELECT visibility_type = 'public' FROM vatoms WHERE id = ${value.id}) ELSE public END,
        json = json_set(
          json_patch(json, CASE WHEN vatoms.id = ${value.id} THEN ${value.patch} ELSE ${value.ofContents} END),
          ${changed(value.now)}, '$.when_added', ${value.now})
      FROM inside WHERE vatoms.id = inside.id`,
)

/** The visibility of a vAtom at the root, and of what takes its visibility from it. Spec 2.4. */
const settle = query<{ id: string }>()(
  (value) =>
    sql`${withReached(sql`SELECT ${value.id}`)}
      UPDATE vatoms SET public = (SELECT visibility_type = 'public' FROM vatoms WHERE id = ${value.id})
      WHERE id IN (SELECT id FROM reached)`,
)

/** Makes a vAtom and all in it, at any depth, visible to the owner alone. */
const hide = query<{ id: string }>()(
  (value) =>
    sql`${withInside(sql`SELECT ${value.id}`)}
      UPDATE vatoms SET public = 0, visibility_type = 'owner' WHERE id IN (SELECT id FROM inside)`,
)

type Abandoning = { ids: string; now: string; patch: string }
/** Trashes vAtoms in one statement; they stay in their folders. */
const abandon = query<Abandoning>()(
  (value) =>
    sql`UPDATE vatoms SET owner = ${trashUser}, public = 0, visibility_type = 'owner',
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

const trashed = patchOf({ owner: trashUser, ...pickedUp })

/** What happens to vAtoms; to be called in a write. Columns, effective visibility and positions are updated too. */
export function vatomLifeOf(db: Connection) {
  const positions = positionsOf(db)
  const change = (id: string, properties: Section) => {
    db.run(patch, { id, patch: patchOf({ parent_id: root, ...properties }) })
    db.run(settle, { id })
  }
  return {
    /**
     * Drops a vAtom at a point, where everybody finds it, or picks it up, so that only its owner finds it; it is at the
     * root then. The same users find what takes its visibility from it. Does not check whether it may leave its folder.
     */
    place: (id: string, position: Position | undefined, now: string) => {
      db.run(touch, { id, now })
      change(id, position ? lying(position) : pickedUp)
      positions.set(id, position)
    },
    /**
     * Gives a vAtom, with what is in it, to another owner, at the root. `extra` are other built-in properties of the
     * vAtom itself. A dropped vAtom stays dropped until it is picked up.
     */
    give: (id: string, owner: string, now: string, extra: Handover = {}) => {
      const acquirable = extra.acquirable === undefined ? null : bit(extra.acquirable)
      const patch = patchOf({ owner, parent_id: root, ...extra })
      db.run(give, { id, owner, now, patch, ofContents: patchOf({ owner }), acquirable })
    },
    /** Gives a vAtom, with what is in it, to the trash user: nobody finds it or acts on it. */
    trash: (id: string, now: string) => {
      db.run(own, { id, owner: trashUser, now, patch: trashed })
      change(id, {})
      db.run(hide, { id })
      positions.set(id, undefined)
    },
    /** Gives vAtoms to the trash user. What is in them stays as it is. */
    trashEach: (ids: readonly string[], now: string) => {
      const list = JSON.stringify(ids)
      positions.removeEach(list)
      db.run(abandon, { ids: list, now, patch: trashed })
    },
  }
}
