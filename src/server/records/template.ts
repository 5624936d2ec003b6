import type { TemplateRecord } from '../../contract/template.ts'
import type { TemplateRow } from '../store/templates.ts'
import { type Section, sectionOf } from './sections.ts'

/** The `vatom` section a stored template keeps. */
export const vatomOf = (row: TemplateRow): Section => sectionOf(JSON.parse(row.vatom))
/** The `eth` section a stored template keeps, if it has one. */
export const ethOf = (row: TemplateRow): Section | undefined =>
  row.eth === null ? undefined : sectionOf(JSON.parse(row.eth))

/** A template as it is answered. */
export const templateRecord = (row: TemplateRow): TemplateRecord => ({
  name: row.name,
  public: row.public === 1,
  meta: recordMeta(row, 'v1::TemplateType'),
  properties: {
    publisher_fqdn: row.publisher_fqdn,
    unpublished: row.unpublished === 1,
    cloneable: row.cloneable === 1,
    template: vatomOf(row),
    ...(row.eth !== null && { eth: ethOf(row) }),
  },
})

type Meta = Pick<TemplateRow, 'created_by' | 'when_created' | 'modified_by' | 'when_modified'>

/** Who made and changed a record, and when. */
export const recordMeta = (row: Meta, dataType: string) => ({
  created_by: row.created_by,
  when_created: row.when_created,
  modified_by: row.modified_by,
  when_modified: row.when_modified,
  data_type: dataType,
})
