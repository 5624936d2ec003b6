import { overlayIssues } from '../../../contract/rules/overlay-rules.ts'
import type { Issue } from '../../../contract/schema/issues.ts'
import type { LoadedDocument } from '../../../documents/load/loaded.ts'
import { exit, Failure } from '../../failure/failure.ts'
import { templateDocument, variationDocument } from '../../kinds/record.ts'
import type { State } from './service-records.ts'

/** Whether a variation must change before its template, or why neither of them can be first. Spec 2.5. */
export interface TemplateOrder {
  readonly leads: boolean
  readonly refusal?: Failure
}

const usual: TemplateOrder = { leads: false }

/**
 * The order in which the service takes a changed variation and its changed template: it refuses a template whose
 * variations overwrite what it no longer has, and a variation that overwrites what its template does not have yet.
 */
export async function templateOrder(
  variation: LoadedDocument,
  template: LoadedDocument | undefined,
  state: State,
): Promise<TemplateOrder> {
  const before = template && (await state.template(template.name))
  const stored = before && (await state.variation(variation.name))
  if (!template || !before || stored?.properties.overrides === undefined) return usual
  const [held] = errors(overlayIssues(variationDocument(stored), template.value))
  if (!held) return usual
  const [early] = errors(overlayIssues(variation.value, templateDocument(before)))
  return early ? { leads: false, refusal: between(variation, template, held, early) } : { leads: true }
}

const errors = (issues: readonly Issue[]) => issues.filter(({ severity }) => severity === 'error')

const between = ({ name }: LoadedDocument, template: LoadedDocument, held: Issue, early: Issue) =>
  new Failure(
    'needs_steps',
    exit.refused,
    `${name} and its template ${template.name} cannot change in one go: as it is, ${held.message}; as it is to be, ${early.message}`,
    {
      hint: 'apply it in two steps: first with the new names beside the old ones in the template, then without the old ones',
    },
  )
