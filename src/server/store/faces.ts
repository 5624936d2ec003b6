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
    .select(['faces.id', 'faces.template', 'faces.json'])
    .select(['templates.publisher_fqdn', 'templates.public', 'templates.unpublished'])
    .where('faces.id', '=', value.id),
)
const records = templateRecords('face', faces, 'id')

/** Faces, in order of registration; they are deleted with their template. */
export const facesOf = (db: Connection) => ({
  ...records(db),
  /** A face, with the owner of its template and who may know of that. */
  byId: (id: string) => db.first(byId, { id }),
})
