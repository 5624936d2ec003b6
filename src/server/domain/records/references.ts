import { errorAt } from '../../../contract/api/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { TemplateRow } from '../../store/templates.ts'
import { checkOwn, checkReadable } from '../access.ts'
import type { ByPublisher } from '../caller.ts'

/** The publisher's own template that a field of a request names, or the declared refusal. */
export function ownReference(scope: ByPublisher, template: string, field: string): TemplateRow {
  const row = reference(scope, template, field)
  checkOwn(scope, row)
  return row
}

/** The template that a field of a request names, if the publisher may read it. */
export function readableReference(scope: ByPublisher, template: string, field: string): TemplateRow {
  const row = reference(scope, template, field)
  checkReadable(scope, row)
  return row
}

/** Refuses one more face or action of a template that has as many as it can have; `field` is what names the template. */
export function checkRoom({ store }: ByPublisher, noun: 'faces' | 'actions', template: string, field: string): void {
  if (store[noun].countOf(template) < limits[noun]) return
  const most = `${template} has ${limits[noun]} ${noun}, the most a template can have`
  throw errorAt(field, 'invalid', `${most}; delete one first`)
}

function reference({ store }: ByPublisher, template: string, field: string): TemplateRow {
  const row = store.templates.byName(template)
  if (!row) throw errorAt(field, 'missingReference', `no template is named ${template}`)
  return row
}
