import { type Connection, query } from './query.ts'

/** A face: `json` is its record as it is answered. */
export interface FaceRow {
  readonly id: string
  readonly template: string
  readonly json: string
}

const insert = query<FaceRow>()((db, value) =>
  db.insertInto('faces').values({ id: value.id, template: value.template, json: value.json }),
)

const ofTemplate = query<{ template: string }>()((db, value) =>
  db.selectFrom('faces').select('json').where('template', '=', value.template).orderBy('seq'),
)

/** Faces, in order of registration; they go with their template. */
export const facesOf = (db: Connection) => ({
  insert: (face: FaceRow) => db.run(insert, face),
  /** Records of a template's faces, as JSON text. */
  ofTemplate: (template: string) => db.rows(ofTemplate, { template }).map(({ json }) => json),
})
