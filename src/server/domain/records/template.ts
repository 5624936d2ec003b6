import { type Section, sectionOf } from '../../../contract/vatom/complete.ts'
import type { TemplateRow } from '../../store/templates.ts'
import { JsonText } from '../json-text.ts'
import { recordMeta } from './meta.ts'

/** The `vatom` section of a stored template. */
export const vatomOf = (row: TemplateRow): Section => sectionOf(JSON.parse(row.vatom))
/** The `eth` section of a stored template, if it has one. */
export const ethOf = (row: TemplateRow): Section | undefined =>
  row.eth === null ? undefined : sectionOf(JSON.parse(row.eth))
/** The `eos` section of a stored template, if it has one. */
export const eosOf = (row: TemplateRow): Section | undefined =>
  row.eos === null ? undefined : sectionOf(JSON.parse(row.eos))

/** A template as it is answered. */
export const templateRecord = (row: TemplateRow) => ({
  name: row.name,
  public: row.public === 1,
  meta: recordMeta(row, 'v1::TemplateType'),
  properties: {
    publisher_fqdn: row.publisher_fqdn,
    unpublished: row.unpublished === 1,
    cloneable: row.cloneable === 1,
    template: new JsonText(row.vatom),
    ...(row.eth !== null && { eth: new JsonText(row.eth) }),
    ...(row.eos !== null && { eos: new JsonText(row.eos) }),
  },
})
