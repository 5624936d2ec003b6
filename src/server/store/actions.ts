import { type RawBuilder, sql } from 'kysely'
import type { ReadCaches } from './database/read-caches.ts'
import { builder, type Connection, query } from './query.ts'
import { integer, type PublisherPage, type RowOf, table, text } from './table.ts'
import { templateRecords } from './template-records.ts'
import type { TemplateRow } from './templates.ts'

/** Actions; `seq` is the order of registration, `json` the record as it is answered. */
export const actions = table('actions', {
  key: ['name'],
  columns: { seq: integer, name: text, template: text, json: text },
})

const byName = query<{ name: string }>()((value) =>
  builder
    .selectFrom('actions')
    .innerJoin('templates', 'templates.name', 'actions.template')
    .select(['actions.name', 'actions.template', 'actions.json'])
    .select(['templates.publisher_fqdn', 'templates.public', 'templates.unpublished'])
    .where('actions.name', '=', value.name),
)

/** What an action may have much of, and what its performance does not depend on, or few need: each has up to 64 KB. */
const long = ['config', 'params', 'state_impact', 'policy.rule', 'action_notification.custom']
const paths = sql.raw(long.map((field) => `'$.properties.${field}'`).join(', '))

const settings = query<{ name: string }>()((value) =>
  builder
    .selectFrom('actions')
    .select(sql<string>`json_remove(json, ${paths}) ->> '$.properties'`.as('text'))
    .where('name', '=', value.name),
)

const namesOf = actions.select({ read: ['name'], where: ['template'], order: ['seq'] })
const records = templateRecords('action', actions, 'name')

/** An action, with the owner of its template and who may know of that. */
type FoundAction = Omit<RowOf<typeof actions>, 'seq'> & Pick<TemplateRow, 'publisher_fqdn' | 'public' | 'unpublished'>

/** How many characters of actions are cached at most. */
const cached = 2 ** 20

/** Actions, by their unique names, in order of registration; they are deleted with their template. */
export function actionsOf(db: Connection, caches: ReadCaches) {
  const known = caches.of<FoundAction>({
    tables: ['actions', 'templates'],
    most: cached,
    sizeOf: ({ json }) => json.length,
  })
  const short = caches.of<string>({ tables: ['actions', 'templates'], most: cached, sizeOf: ({ length }) => length })
  return {
    ...records(db),
    byName: (name: string): FoundAction | undefined => known(name, () => db.first(byName, { name })),
    /** The properties of an action that are short, as JSON: without its config, above all. */
    settings: (name: string): string | undefined => short(name, () => db.first(settings, { name })?.text),
    /** Names of a template's actions. */
    namesOf: (template: string) => db.rows(namesOf, { template }).map(({ name }) => name),
  }
}

export const actionHandlers = table('action_handlers', {
  key: ['publisher_fqdn', 'reactor'],
  columns: { publisher_fqdn: text, reactor: text, url: text, created_by: text, when_created: text },
})
export type ActionHandlerRow = RowOf<typeof actionHandlers>

type HandlerKey = Pick<ActionHandlerRow, 'publisher_fqdn' | 'reactor'>
const handlersPage = actionHandlers.page({ where: ['publisher_fqdn'], order: ['reactor'] })

/** Actions with a reactor, of a publisher, with whose name theirs begin: by an index that has both, as actions can be long. */
const namersOf = <Row>(what: RawBuilder<Row>) =>
  query<HandlerKey & { readonly limit: number }>()(
    (value) =>
      sql<Row>`SELECT ${what} FROM actions WHERE json ->> '$.properties.reactor' = ${value.reactor}
        AND name > ${value.publisher_fqdn} || '::' AND name < ${value.publisher_fqdn} || ':;' LIMIT ${value.limit}`,
  )
export const namerQueries = {
  names: namersOf(sql<{ readonly name: string }>`name`),
  count: namersOf(sql<{ readonly count: number }>`count(*) AS count`),
}

/** The URLs that carry out publishers' own reactors; each publisher has its own names. */
export const actionHandlersOf = (db: Connection) => ({
  find: (key: HandlerKey) => db.first(actionHandlers.find, key),
  /** By reactor. */
  page: ({ publisher, ...page }: PublisherPage) => db.rows(handlersPage, { ...page, publisher_fqdn: publisher }),
  insert: (handler: ActionHandlerRow) => db.run(actionHandlers.insert, handler),
  /** How many of the publisher's actions a handler carries out, and the names of the first. */
  namers: (key: HandlerKey, limit: number) => ({
    count: db.first(namerQueries.count, { ...key, limit: 1 })?.count ?? 0,
    names: db.rows(namerQueries.names, { ...key, limit }).map(({ name }) => name),
  }),
  /** Returns the number of handlers removed, 0 or 1. */
  remove: (key: HandlerKey) => db.run(actionHandlers.remove, key),
})
