import { at } from '../../../contract/schema/path.ts'
import { type Section, sectionOf } from '../../../contract/vatom/complete.ts'
import type { ByUser } from '../caller.ts'
import { timestamp } from '../clock.ts'

interface Meta {
  readonly created_by: string
  readonly when_created: string
  readonly modified_by: string
  readonly when_modified: string
}

/** Who made and changed a record, and when. */
export const recordMeta = (row: Meta, dataType: string) => ({
  created_by: row.created_by,
  when_created: row.when_created,
  modified_by: row.modified_by,
  when_modified: row.when_modified,
  data_type: dataType,
})

/** Of a record that only its owner writes. */
export const metaOf = (row: Pick<Meta, 'when_created' | 'when_modified'>, owner: string, dataType: string) =>
  recordMeta({ ...row, created_by: owner, modified_by: owner }, dataType)

/** Of a record that the caller makes now. */
export const newMeta = (scope: ByUser): Meta => ({
  created_by: scope.user.id,
  when_created: timestamp(scope.now),
  ...changedMeta(scope),
})

/** Of a record that the caller changes now. */
export const changedMeta = (scope: ByUser) => ({ modified_by: scope.user.id, when_modified: timestamp(scope.now) })

/** The properties of a record that is stored as JSON text. */
export const propertiesOf = (json: string): Section => sectionOf(at(JSON.parse(json), 'properties'))

/** Such a record with other properties, which the caller gives it now. */
export function withProperties(scope: ByUser, json: string, properties: Section): string {
  const record = sectionOf(JSON.parse(json))
  return JSON.stringify({ ...record, meta: { ...sectionOf(record.meta), ...changedMeta(scope) }, properties })
}
