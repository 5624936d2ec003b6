import { errorAt } from '../../../contract/api/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { type Section, sectionOf } from '../../../contract/vatom/complete.ts'
import type { TemplateRow } from '../../store/templates.ts'
import { found, known } from '../access.ts'
import type { ByAnybody, Moment } from '../caller.ts'
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

/** The template of a name. Throws `notFound`, also for what the caller may not know of. */
export const knownTemplate = (scope: ByAnybody, name: string): TemplateRow =>
  found(known(scope, scope.store.templates.byName(name)), `template is named ${name}`)

/** The template that a field of a request names. Throws `missingReference`, also for what the caller may not know of. */
export function referenced(scope: ByAnybody, template: string, field: string): TemplateRow {
  const row = known(scope, scope.store.templates.byName(template))
  if (!row) throw errorAt(field, 'missingReference', `no template is named ${template}`)
  return row
}

type Noun = 'faces' | 'actions'

/** Refuses another face or action of a template that has the most it can have; `field` names the template. */
export function checkRoom(scope: Moment, noun: Noun, template: string, field: string): void {
  if (scope.store[noun].countOf(template) < limits[noun]) return
  const most = `${template} has ${limits[noun]} ${noun}, the most a template can have`
  throw errorAt(field, 'invalid', `${most}; delete one first`)
}

/** What is to be stored of a face or an action, as JSON text, and what is stored of it. */
interface Growth {
  readonly json: string
  readonly before?: string
}

/** Refuses a face or an action that would be longer than before, where those of its template have too many bytes then. */
export function checkSize(scope: Moment, noun: Noun, template: string, { json, before = '' }: Growth): void {
  const grown = Buffer.byteLength(json) - Buffer.byteLength(before)
  const bytes = scope.store[noun].bytesOf(template) + grown
  if (grown <= 0 || bytes <= limits.design) return
  const message = `the ${noun} of ${template} would have ${bytes} bytes of JSON together, and can have ${limits.design}`
  throw errorAt('', 'invalid', `${message}; shorten or delete some`)
}
