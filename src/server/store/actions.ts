import { type Connection, query } from './query.ts'
import { recordChangesOf } from './record-changes.ts'

/** An action: `json` is its record as it is answered. */
export interface ActionRow {
  readonly name: string
  readonly template: string
  readonly json: string
}

const byName = query<{ name: string }>()((db, value) =>
  db
    .selectFrom('actions')
    .innerJoin('templates', 'templates.name', 'actions.template')
    .select(['actions.name', 'actions.template', 'actions.json'])
    .select(['templates.publisher_fqdn', 'templates.public', 'templates.unpublished'])
    .where('actions.name', '=', value.name),
)

const ofTemplate = query<{ template: string }>()((db, value) =>
  db.selectFrom('actions').select('json').where('template', '=', value.template).orderBy('seq'),
)

const namesOf = query<{ template: string }>()((db, value) =>
  db.selectFrom('actions').select('name').where('template', '=', value.template).orderBy('seq'),
)

const countOf = query<{ template: string }>()((db, value) =>
  db
    .selectFrom('actions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('template', '=', value.template),
)

type PageValues = { template: string; limit: number; offset: number }
const page = query<PageValues>()((db, value) =>
  db
    .selectFrom('actions')
    .select('json')
    .where('template', '=', value.template)
    .orderBy('seq')
    .limit(value.limit)
    .offset(value.offset),
)

const insert = query<ActionRow>()((db, value) =>
  db.insertInto('actions').values({ name: value.name, template: value.template, json: value.json }),
)

type Change = Pick<ActionRow, 'name' | 'json'>
const update = query<Change>()((db, value) =>
  db.updateTable('actions').set({ json: value.json }).where('name', '=', value.name),
)

const remove = query<{ name: string }>()((db, value) => db.deleteFrom('actions').where('name', '=', value.name))

/** Actions, by their unique names, in order of registration; they go with their template. */
export function actionsOf(db: Connection) {
  const changes = recordChangesOf(db, 'action')
  return {
    /** An action, and whose its template is and who may read it. */
    byName: (name: string) => db.first(byName, { name }),
    /** Records of a template's actions, as JSON text. */
    ofTemplate: (template: string) => db.rows(ofTemplate, { template }).map(({ json }) => json),
    /** A page of them. */
    page: (values: PageValues) => db.rows(page, values).map(({ json }) => json),
    /** Their names alone. */
    namesOf: (template: string) => db.rows(namesOf, { template }).map(({ name }) => name),
    /** How many a template has. */
    countOf: (template: string) => db.first(countOf, { template })?.count ?? 0,
    insert: (action: ActionRow, now: Date) => {
      db.run(insert, action)
      changes.created(action.template, action.name, now)
    },
    update: (change: Change, now: Date) => {
      db.run(update, change)
      changes.updated(change.name, now)
    },
    remove: ({ name, json }: Change, now: Date) => {
      db.run(remove, { name })
      changes.deleted(name, json, now)
    },
    /** What became of a template's since a time in milliseconds. */
    changesSince: (template: string, time: number) => changes.since(template, time),
  }
}
