import { kindOf } from '../../../contract/kinds/kinds.ts'
import { overlayIssues } from '../../../contract/rules/overlay-rules.ts'
import type { Issue } from '../../../contract/schema/issues.ts'
import { at } from '../../../contract/schema/path.ts'
import type { Section } from '../../../contract/vatom/complete.ts'
import type { LoadedDocument } from '../../../documents/load/loaded.ts'
import { exit, Failure } from '../../failure/failure.ts'
import type { ServiceRecords } from './service-records.ts'

/** Whether a record changes before its template's, or why neither can be first. Spec 2.5. */
export interface ChangeOrder {
  readonly beforeTemplate: boolean
  readonly refusal?: Failure
}

const afterTemplate: ChangeOrder = { beforeTemplate: false }

/**
 * The order in which the service accepts a changed variation and its changed template: it refuses a template whose
 * variations overwrite what it no longer has, and a variation that overwrites what its template does not have yet.
 * `stored` is the record of the document; only that of a variation has values that overwrite others.
 */
export async function changeOrder(
  document: LoadedDocument,
  stored: Section | undefined,
  template: LoadedDocument | undefined,
  records: ServiceRecords,
): Promise<ChangeOrder> {
  if (!template || !stored || at(stored, 'properties', 'overrides') === undefined) return afterTemplate
  const before = await records.named(template.kind, template.name)
  const current = errorIn(overlayIssues(kindOf(document.kind).documentOf(stored), template.value))
  if (!before || !current) return afterTemplate
  const next = errorIn(overlayIssues(document.value, kindOf(template.kind).documentOf(before)))
  return next
    ? { beforeTemplate: false, refusal: needsSteps(document, template, current, next) }
    : { beforeTemplate: true }
}

const errorIn = (issues: readonly Issue[]) => issues.find(({ severity }) => severity === 'error')

const needsSteps = ({ name }: LoadedDocument, template: LoadedDocument, current: Issue, next: Issue) =>
  new Failure(
    'needs_steps',
    exit.refused,
    `${name} and its template ${template.name} cannot change in one step: the current variation does not fit the new template (${current.message}), and the new variation does not fit the current template (${next.message})`,
    {
      hint: 'apply it in two steps: first with the new names beside the old ones in the template, then without the old ones',
    },
  )
