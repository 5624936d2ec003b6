import { sql } from 'kysely'
import { type Connection, query } from './query.ts'

/** What a feed of changes is about. */
type Kind = 'face' | 'action'
type Key = { kind: Kind; key: string; at: number }

/** What became of a record since a time; `json` is the record, as it is or last was. */
export interface RecordChange {
  readonly operation: 'create' | 'update' | 'delete'
  readonly json: string
}

const created = query<Key & { template: string }>()((db, value) => ({
  compile: () =>
    sql`INSERT INTO record_changes (kind, key, template, created, changed, deleted)
      VALUES (${value.kind}, ${value.key}, ${value.template}, ${value.at}, ${value.at}, NULL)
      ON CONFLICT DO UPDATE SET created = excluded.created, changed = excluded.changed, deleted = NULL`.compile(db),
}))

const updated = query<Key>()((db, value) =>
  db
    .updateTable('record_changes')
    .set({ changed: value.at })
    .where('kind', '=', value.kind)
    .where('key', '=', value.key),
)

const deleted = query<Key & { json: string }>()((db, value) =>
  db
    .updateTable('record_changes')
    .set({ changed: value.at, deleted: value.json })
    .where('kind', '=', value.kind)
    .where('key', '=', value.key),
)

const since = (kind: Kind, table: 'faces' | 'actions', key: 'id' | 'name') =>
  query<{ template: string; since: number }>()((db, value) => ({
    compile: () =>
      sql<RecordChange>`SELECT coalesce(changes.deleted, records.json) AS json,
          CASE WHEN changes.deleted IS NOT NULL THEN 'delete'
            WHEN changes.created >= ${value.since} THEN 'create' ELSE 'update' END AS operation
        FROM record_changes AS changes
        LEFT JOIN ${sql.table(table)} AS records ON records.${sql.ref(key)} = changes.key
        WHERE changes.template = ${value.template} AND changes.kind = ${sql.lit(kind)}
          AND changes.changed >= ${value.since}
        ORDER BY changes.changed, records.seq`.compile(db),
  }))

const feeds = { face: since('face', 'faces', 'id'), action: since('action', 'actions', 'name') }

/** When each face or action of a template was last changed, the deleted ones with it. Times in milliseconds. */
export const recordChangesOf = (db: Connection, kind: Kind) => ({
  created: (template: string, key: string, at: Date) => db.run(created, { kind, template, key, at: at.getTime() }),
  updated: (key: string, at: Date) => db.run(updated, { kind, key, at: at.getTime() }),
  /** Call it while the record's text is still at hand. */
  deleted: (key: string, json: string, at: Date) => db.run(deleted, { kind, key, json, at: at.getTime() }),
  /** Those of a template that changed at a time or later, by when they did. */
  since: (template: string, time: number) => db.rows(feeds[kind], { template, since: time }),
})
