import { builder, type Connection, query } from './query.ts'
import { integer, table, text } from './table.ts'
import { templateRecords } from './template-records.ts'

/** Faces; `seq` is the order of registration, `json` the record as it is answered. */
export const faces = table('faces', {
  key: ['id'],
  columns: { seq: integer, id: text, template: text, json: text },
})

const byId = query<{ id: string }>()((value) =>
  builder
    .selectFrom('faces')
    .innerJoin('templates', 'templates.name', 'faces.template')
    .select(['faces.id', 'faces.template', 'faces.json', 'templates.publisher_fqdn'])
    .where('faces.id', '=', value.id),
)
const ofTemplate = { read: ['json'], where: ['template'], order: ['seq'] } as const
const records = templateRecords('face', {
  name: faces.name,
  key: 'id',
  statements: {
    insert: faces.insert,
    update: faces.set('json'),
    remove: faces.remove,
    all: faces.select(ofTemplate),
    page: faces.page(ofTemplate),
    count: faces.count('template'),
  },
})

/** Faces, in order of registration; they go with their template. */
export const facesOf = (db: Connection) => ({
  ...records(db),
  /** A face, with the owner of its template. */
  byId: (id: string) => db.first(byId, { id }),
})
