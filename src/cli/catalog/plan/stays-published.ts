import type { LoadedDocument, Problem } from '../../../documents/load/loaded.ts'
import { nextVersion } from '../../kinds/final-records.ts'
import type { Plan, Step } from './plan.ts'

/** Warns of documents that call a draft what is published, which is final. Spec 3. */
export const staysPublishedWarnings = ({ steps }: Pick<Plan, 'steps'>, cwd: string): Map<Step, Problem> =>
  new Map(steps.filter(isCalledDraft).map((step) => [step, warningOf(step.document, cwd)]))

/** What is refused says what else differs, and what to do. */
const isCalledDraft = ({ decision, document, record }: Step): boolean =>
  decision !== 'refuse' && document.value.unpublished === true && record?.changes.final === true

const warningOf = (document: LoadedDocument, cwd: string): Problem => ({
  file: document.file,
  ...document.locate(['unpublished']),
  rule: 'stays-published',
  severity: 'warning',
  path: 'unpublished',
  message: `${document.kind} ${document.name} stays published, which is final, although its file says unpublished: true`,
  hint: `write unpublished: false, as it is; to replace it, ${nextVersion(document, cwd)}`,
  spec: '3',
})
