import { sql } from 'kysely'
import { limits } from '../../contract/limits.ts'
import { sectionOf } from '../../contract/vatom/complete.ts'
import { builder, type Connection, eachOf, type Query, query } from './query.ts'
import type { Steps } from './slices.ts'
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
    /** The record as it was when it was deleted, without what is long in it; null before. */
    deleted: nullable(text),
  },
})

/** The latest change of a record; `json` is the record, as it is or was when it was deleted. */
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

interface ChangedKey {
  readonly key: string
  readonly changed: number
}

/** Keys of changes that are read at once. */
const keysAtOnce = 1000

/** The keys of a template's latest changes, in their order, by an index alone; and one of these changes. */
const changesOf = (kind: Kind, records: string, key: string) => {
  const recordOf = sql`LEFT JOIN ${sql.table(records)} AS records ON records.${sql.ref(key)} = changes.key`
  return {
    keys: query<{ template: string; from: number; to: number; limit: number }>()(
      (value) =>
        sql<ChangedKey>`SELECT changes.key, changes.changed FROM record_changes AS changes ${recordOf}
        WHERE changes.template = ${value.template} AND changes.kind = ${sql.lit(kind)}
          AND changes.changed BETWEEN ${value.from} AND ${value.to}
        ORDER BY changes.changed, records.seq LIMIT ${value.limit}`,
    ),
    one: query<{ key: string; since: number }>()(
      (value) =>
        sql<RecordChange>`SELECT coalesce(changes.deleted, records.json) AS json,
          CASE WHEN changes.deleted IS NOT NULL THEN 'delete'
            WHEN changes.created >= ${value.since} THEN 'create' ELSE 'update' END AS operation
        FROM record_changes AS changes ${recordOf}
        WHERE changes.kind = ${sql.lit(kind)} AND changes.key = ${value.key}`,
    ),
  }
}

/** Records that are read at once: with the largest, that takes some milliseconds. */
const recordsAtOnce = 8

/**
 * A deleted record without its long properties, as there can be any number of these records; clients may require a
 * text, which is cut, and a list, which is empty.
 */
function withoutLong(json: string): string {
  const { properties, ...record } = sectionOf(JSON.parse(json))
  const kept = Object.entries(sectionOf(properties)).flatMap(([key, value]) => {
    if (JSON.stringify(value).length <= limits.deletedProperty) return [[key, value]]
    if (typeof value === 'string') return [[key, cut(value)]]
    return Array.isArray(value) ? [[key, []]] : []
  })
  return JSON.stringify({ ...record, properties: Object.fromEntries(kept) })
}

/** The beginning of a text, which ends with a whole character. */
const cut = (text: string): string => text.slice(0, limits.deletedProperty).replace(/[\ud800-\udbff]$/, '')

const bytesOf = (records: string) =>
  query<OfTemplate>()(
    (value) =>
      sql<{ readonly bytes: number }>`SELECT coalesce(sum(octet_length(json)), 0) AS bytes FROM ${sql.table(records)}
      WHERE template = ${value.template}`,
  )

/** Some of a template's records after one, in the order of their registration, as JSON text. */
const someOf = (records: string) =>
  query<{ template: string; after: number }>()(
    (value) =>
      sql<{ readonly seq: number; readonly json: string }>`SELECT seq, json FROM ${sql.table(records)}
      WHERE template = ${value.template} AND seq > ${value.after} ORDER BY seq LIMIT ${sql.lit(recordsAtOnce)}`,
  )

const changesUpTo = query<{ template: string; limit: number }>()(
  (value) =>
    sql<{ readonly count: number }>`SELECT count(*) AS count FROM
      (SELECT 1 FROM record_changes WHERE template = ${value.template} LIMIT ${value.limit})`,
)
const removeChanges = query<OfTemplate>()(
  (value) =>
    sql`DELETE FROM record_changes WHERE (kind, key) IN
      (SELECT kind, key FROM record_changes WHERE template = ${value.template} LIMIT ${sql.lit(recordsAtOnce)})`,
)

/** Changes of all that belongs to templates: they are of every face and action that a template ever had. */
export const recordChangesOf = (db: Connection) => ({
  /** How many changes of a template there are, as far as a limit. */
  countUpTo: (template: string, limit: number) => db.first(changesUpTo, { template, limit })?.count ?? 0,
  /** Forgets those of a template, some at a time. */
  forget: function* (template: string): Steps<void> {
    while (db.run(removeChanges, { template }) > 0) yield
  },
})

type Text<Names extends string> = { readonly [N in Names]: string }
type OfTemplate = Text<'template'>
interface KeysOfTemplate<Key> {
  readonly read: readonly Key[]
  readonly where: readonly ['template']
  readonly order: readonly ['seq']
}
/** A table of records of templates, each as JSON text. */
interface RecordTable<Key extends string> {
  readonly name: string
  readonly insert: Query<Text<Key | 'template' | 'json'>, unknown>
  readonly remove: Query<Text<Key>, unknown>
  readonly set: (column: 'json') => Query<Text<Key | 'json'>, unknown>
  readonly find: Query<Text<Key>, Text<'json'>>
  readonly page: (what: KeysOfTemplate<Key>) => Query<OfTemplate & Page, Text<Key>>
  readonly count: (where: 'template') => Query<OfTemplate, { readonly count: number }>
}

/** What faces and actions share: they belong to a template, in order of registration, and clients follow their changes. */
export function templateRecords<Key extends 'id' | 'name'>(kind: Kind, records: RecordTable<Key>, key: Key) {
  const update = records.set('json')
  const page = records.page({ read: [key], where: ['template'], order: ['seq'] })
  const count = records.count('template')
  const changes = changesOf(kind, records.name, key)
  const some = someOf(records.name)
  const bytes = bytesOf(records.name)
  /** Some at a time: of a millisecond all, as those of one are not in an order that stays. */
  function* changedKeys(db: Connection, template: string, since: number): Generator<ChangedKey, void> {
    const keysIn = (from: number, to: number, limit: number) => db.rows(changes.keys, { template, from, to, limit })
    for (let from = since; ; ) {
      const next = keysIn(from, Number.MAX_SAFE_INTEGER, keysAtOnce)
      const last = next.at(-1)?.changed
      if (last === undefined || next.length < keysAtOnce) return yield* next
      yield* next.filter(({ changed }) => changed < last)
      yield* keysIn(last, last, -1)
      from = last + 1
    }
  }
  return (db: Connection) => ({
    /** A template's records, as JSON text, some read at a time. */
    eachOfTemplate: function* (template: string): Generator<string, void> {
      for (let after = -1; ; ) {
        const found = db.rows(some, { template, after })
        for (const { json } of found) yield json
        const last = found.at(-1)
        if (found.length < recordsAtOnce || last === undefined) return
        after = last.seq
      }
    },
    /** A page of a template's records, each read when it is wanted. */
    page: (values: OfTemplate & Page) => eachOf(db, records.find, db.rows(page, values)),
    /** How many a template has. */
    countOf: (template: string) => db.first(count, { template })?.count ?? 0,
    /** How many bytes they have as JSON text. */
    bytesOf: (template: string) => db.first(bytes, { template })?.bytes ?? 0,
    insert: (row: Text<Key | 'template' | 'json'>, now: Date) => {
      db.run(records.insert, row)
      db.run(created, { kind, key: row[key], template: row.template, at: now.getTime() })
    },
    update: (row: Text<Key | 'json'>, now: Date) => {
      db.run(update, row)
      db.run(updated, { kind, key: row[key], changed: now.getTime() })
    },
    remove: (row: Text<Key | 'json'>, now: Date) => {
      db.run(records.remove, row)
      db.run(deleted, { kind, key: row[key], changed: now.getTime(), deleted: withoutLong(row.json) })
    },
    /**
     * A template's records that have changed since a time in milliseconds, in the order of their changes, each read when it
     * is wanted.
     */
    changesSince: function* (template: string, since: number): Generator<RecordChange, void> {
      for (const { key } of changedKeys(db, template, since)) {
        const change = db.first(changes.one, { key, since })
        if (change) yield change
      }
    },
  })
}
