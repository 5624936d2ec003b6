import { builder, type Connection, query } from './query.ts'
import { integer, type NewRowOf, type Page, type RowOf, table, text } from './table.ts'
import { templateRecords } from './template-records.ts'

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
const namesOf = actions.select({ read: ['name'], where: ['template'], order: ['seq'] })
const ofTemplate = { read: ['json'], where: ['template'], order: ['seq'] } as const
const records = templateRecords('action', {
  name: actions.name,
  key: 'name',
  statements: {
    insert: actions.insert,
    update: actions.set('json'),
    remove: actions.remove,
    all: actions.select(ofTemplate),
    page: actions.page(ofTemplate),
    count: actions.count('template'),
  },
})

/** Actions, by their unique names, in order of registration; they go with their template. */
export const actionsOf = (db: Connection) => ({
  ...records(db),
  /** An action, with the owner of its template and who may read that. */
  byName: (name: string) => db.first(byName, { name }),
  /** Names of a template's. */
  namesOf: (template: string) => db.rows(namesOf, { template }).map(({ name }) => name),
})

export const actionHandlers = table('action_handlers', {
  key: ['publisher_fqdn', 'reactor'],
  columns: { publisher_fqdn: text, reactor: text, url: text, created_by: text, when_created: text },
})
export type ActionHandlerRow = RowOf<typeof actionHandlers>

type HandlerKey = Pick<ActionHandlerRow, 'publisher_fqdn' | 'reactor'>
const handlersPage = actionHandlers.page({ where: ['publisher_fqdn'], order: ['reactor'] })

/** Where a publisher's own reactors are carried out; each publisher has a space of its own. */
export const actionHandlersOf = (db: Connection) => ({
  find: (key: HandlerKey) => db.first(actionHandlers.find, key),
  /** A page of a publisher's, by reactor. */
  page: ({ publisher, ...page }: Page & { readonly publisher: string }) =>
    db.rows(handlersPage, { ...page, publisher_fqdn: publisher }),
  insert: (handler: ActionHandlerRow) => db.run(actionHandlers.insert, handler),
  /** The number of handlers removed: none where there is no such handler. */
  remove: (key: HandlerKey) => db.run(actionHandlers.remove, key),
})

export const actionRuns = table('action_runs', {
  key: ['action', 'user_id'],
  columns: { action: text, user_id: text, count: integer },
})

type Run = Pick<NewRowOf<typeof actionRuns>, 'action'> & { readonly user: string }
const addRun = query<Run>()((value) =>
  builder
    .insertInto('action_runs')
    .values({ action: value.action, user_id: value.user, count: 1 })
    .onConflict((taken) => taken.doUpdateSet((row) => ({ count: row('action_runs.count', '+', 1) }))),
)

/** How often users ran actions, since those were limited; it goes with the action, and with the user. */
export const actionRunsOf = (db: Connection) => ({
  count: ({ action, user }: Run) => db.first(actionRuns.find, { action, user_id: user })?.count ?? 0,
  add: (run: Run) => db.run(addRun, run),
})
