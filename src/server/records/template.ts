import { type Section, sectionOf } from '../../contract/complete.ts'
import type { TemplateRow } from '../store/templates.ts'
import { recordMeta } from './meta.ts'

/** The `vatom` section a stored template keeps. */
export const vatomOf = (row: TemplateRow): Section => sectionOf(JSON.parse(row.vatom))
/** The `eth` section a stored template keeps, if it has one. */
export const ethOf = (row: TemplateRow): Section | undefined =>
  row.eth === null ? undefined : sectionOf(JSON.parse(row.eth))
/** The `eos` section a stored template keeps, if it has one. */
export const eosOf = (row: TemplateRow): Section | undefined =>
  row.eos === null ? undefined : sectionOf(JSON.parse(row.eos))

/** A template as the text it is answered with: what is stored as JSON text is put in as it is. */
export function templateText(row: TemplateRow): string {
  const head = { name: row.name, public: row.public === 1, meta: recordMeta(row, 'v1::TemplateType') }
  const properties = {
    publisher_fqdn: row.publisher_fqdn,
    unpublished: row.unpublished === 1,
    cloneable: row.cloneable === 1,
  }
  const chains = (['eth', 'eos'] as const).map((name) => (row[name] === null ? '' : `,"${name}":${row[name]}`))
  const sections = `"template":${row.vatom}${chains.join('')}`
  return `${openText(head)},"properties":${openText(properties)},${sections}}}`
}

/** An object's text without its end. */
const openText = (value: object) => JSON.stringify(value).slice(0, -1)
