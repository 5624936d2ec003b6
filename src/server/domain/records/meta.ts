import { at } from '../../../contract/schema/path.ts'
import { type Section, sectionOf } from '../../../contract/vatom/complete.ts'
import type { TemplateRow } from '../../store/templates.ts'
import type { ByUser } from '../caller.ts'
import { timestamp } from '../clock.ts'

type Meta = Pick<TemplateRow, 'created_by' | 'when_created' | 'modified_by' | 'when_modified'>

/** The `meta` of a record: who created and changed it, and when. */
export const recordMeta = (row: Meta, dataType: string) => ({
  created_by: row.created_by,
  when_created: row.when_created,
  modified_by: row.modified_by,
  when_modified: row.when_modified,
  data_type: dataType,
})

/** The `meta` of a record that only its owner changes. */
export const metaOf = (row: Pick<Meta, 'when_created' | 'when_modified'>, owner: string, dataType: string) =>
  recordMeta({ ...row, created_by: owner, modified_by: owner }, dataType)

/** The columns of a record that the caller creates now. */
export const newMeta = (scope: ByUser): Meta => ({
  created_by: scope.user.id,
  when_created: timestamp(scope.now),
  ...changedMeta(scope),
})

/** The columns of a record that the caller changes now. */
export const changedMeta = (scope: ByUser) => ({ modified_by: scope.user.id, when_modified: timestamp(scope.now) })

/** The properties of a record that is stored as JSON text. */
export const propertiesOf = (json: string): Section => sectionOf(at(JSON.parse(json), 'properties'))

/** Such a record after the caller has replaced its properties. */
export function withProperties(scope: ByUser, json: string, properties: Section): string {
  const record = sectionOf(JSON.parse(json))
  return JSON.stringify({ ...record, meta: { ...sectionOf(record.meta), ...changedMeta(scope) }, properties })
}
