import { sql } from 'kysely'
import { builder, type Connection, type Query, query } from './query.ts'
import { integer, nullable, type Page, table, text } from './table.ts'

type Kind = 'face' | 'action'

/** When a face or an action was added and last changed, in milliseconds since 1970. */
export const recordChanges = table('record_changes', {
  key: ['kind', 'key'],
  columns: {
    /** A `Kind`. */
    kind: text,
    /** The record's id or name. */
    key: text,
    template: text,
    created: integer,
    changed: integer,
    /** The record as it last was, once it is deleted. */
    deleted: nullable(text),
  },
})

/** What became of a record since a time; `json` is the record, as it is or last was. */
export interface RecordChange {
  readonly operation: 'create' | 'update' | 'delete'
  readonly json: string
}

const created = query<{ kind: Kind; key: string; template: string; at: number }>()((value) =>
  builder
    .insertInto('record_changes')
    .values({
      kind: value.kind,
      key: value.key,
      template: value.template,
      created: value.at,
      changed: value.at,
      deleted: null,
    })
    .onConflict((known) => known.doUpdateSet({ created: value.at, changed: value.at, deleted: null })),
)
const updated = recordChanges.set('changed')
const deleted = recordChanges.set('changed', 'deleted')

const changesIn = (kind: Kind, records: string, key: string) =>
  query<{ template: string; since: number }>()(
    (value) =>
      sql<RecordChange>`SELECT coalesce(changes.deleted, records.json) AS json,
          CASE WHEN changes.deleted IS NOT NULL THEN 'delete'
            WHEN changes.created >= ${value.since} THEN 'create' ELSE 'update' END AS operation
        FROM record_changes AS changes
        LEFT JOIN ${sql.table(records)} AS records ON records.${sql.ref(key)} = changes.key
        WHERE changes.template = ${value.template} AND changes.kind = ${sql.lit(kind)}
          AND changes.changed >= ${value.since}
        ORDER BY changes.changed, records.seq`,
  )

type Text<Names extends string> = { readonly [N in Names]: string }
type OfTemplate = Text<'template'>
/** The statements of a table whose rows are a template's, each with its record as JSON text. */
interface Statements<Key extends string> {
  readonly insert: Query<Text<Key | 'template' | 'json'>, unknown>
  readonly update: Query<Text<Key | 'json'>, unknown>
  readonly remove: Query<Text<Key>, unknown>
  readonly all: Query<OfTemplate, Text<'json'>>
  readonly page: Query<OfTemplate & Page, Text<'json'>>
  readonly count: Query<OfTemplate, { readonly count: number }>
}

/** What faces and actions share: they are a template's, in order of registration, and clients follow their changes. */
export function templateRecords<Key extends 'id' | 'name'>(
  kind: Kind,
  { name, key, statements }: { readonly name: string; readonly key: Key; readonly statements: Statements<Key> },
) {
  const changes = changesIn(kind, name, key)
  return (db: Connection) => ({
    /** Records of a template's, as JSON text. */
    ofTemplate: (template: string) => db.rows(statements.all, { template }).map(({ json }) => json),
    /** A page of them. */
    page: (values: OfTemplate & Page) => db.rows(statements.page, values).map(({ json }) => json),
    /** How many a template has. */
    countOf: (template: string) => db.first(statements.count, { template })?.count ?? 0,
    insert: (row: Text<Key | 'template' | 'json'>, now: Date) => {
      db.run(statements.insert, row)
      db.run(created, { kind, key: row[key], template: row.template, at: now.getTime() })
    },
    update: (row: Text<Key | 'json'>, now: Date) => {
      db.run(statements.update, row)
      db.run(updated, { kind, key: row[key], changed: now.getTime() })
    },
    /** `json` is the record as it last was. */
    remove: (row: Text<Key | 'json'>, now: Date) => {
      db.run(statements.remove, row)
      db.run(deleted, { kind, key: row[key], changed: now.getTime(), deleted: row.json })
    },
    /** What became of a template's since a time in milliseconds, by when it did. */
    changesSince: (template: string, since: number) => db.rows(changes, { template, since }),
  })
}
