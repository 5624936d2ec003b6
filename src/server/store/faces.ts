import { type Connection, query } from './query.ts'
import { recordChangesOf } from './record-changes.ts'

/** A face: `json` is its record as it is answered. */
export interface FaceRow {
  readonly id: string
  readonly template: string
  readonly json: string
}

const byId = query<{ id: string }>()((db, value) =>
  db
    .selectFrom('faces')
    .innerJoin('templates', 'templates.name', 'faces.template')
    .select(['faces.id', 'faces.template', 'faces.json', 'templates.publisher_fqdn'])
    .where('faces.id', '=', value.id),
)

const ofTemplate = query<{ template: string }>()((db, value) =>
  db.selectFrom('faces').select('json').where('template', '=', value.template).orderBy('seq'),
)

const countOf = query<{ template: string }>()((db, value) =>
  db
    .selectFrom('faces')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('template', '=', value.template),
)

type PageValues = { template: string; limit: number; offset: number }
const page = query<PageValues>()((db, value) =>
  db
    .selectFrom('faces')
    .select('json')
    .where('template', '=', value.template)
    .orderBy('seq')
    .limit(value.limit)
    .offset(value.offset),
)

const insert = query<FaceRow>()((db, value) =>
  db.insertInto('faces').values({ id: value.id, template: value.template, json: value.json }),
)

type Change = Pick<FaceRow, 'id' | 'json'>
const update = query<Change>()((db, value) =>
  db.updateTable('faces').set({ json: value.json }).where('id', '=', value.id),
)

const remove = query<{ id: string }>()((db, value) => db.deleteFrom('faces').where('id', '=', value.id))

/** Faces, in order of registration; they go with their template. */
export function facesOf(db: Connection) {
  const changes = recordChangesOf(db, 'face')
  return {
    /** A face, and whose its template is. */
    byId: (id: string) => db.first(byId, { id }),
    /** Records of a template's faces, as JSON text. */
    ofTemplate: (template: string) => db.rows(ofTemplate, { template }).map(({ json }) => json),
    /** A page of them. */
    page: (values: PageValues) => db.rows(page, values).map(({ json }) => json),
    /** How many a template has. */
    countOf: (template: string) => db.first(countOf, { template })?.count ?? 0,
    insert: (face: FaceRow, now: Date) => {
      db.run(insert, face)
      changes.created(face.template, face.id, now)
    },
    update: (change: Change, now: Date) => {
      db.run(update, change)
      changes.updated(change.id, now)
    },
    remove: ({ id, json }: Change, now: Date) => {
      db.run(remove, { id })
      changes.deleted(id, json, now)
    },
    /** What became of a template's since a time in milliseconds. */
    changesSince: (template: string, time: number) => changes.since(template, time),
  }
}
