import type { LoadedDocument, Problem } from '../../../documents/load/loaded.ts'
import { type Existing, nextVersion } from '../../kinds/final-records.ts'
import type { Plan, Step } from './plan.ts'

/** Warns of documents that call a draft what is published, which is final. Spec 3. */
export async function staysPublishedWarnings(
  { steps }: Pick<Plan, 'steps'>,
  existing: Existing,
): Promise<Map<Step, Problem>> {
  const called = steps.filter(isCalledDraft)
  const warnings = called.map(async (step) => [step, await warningOf(step.document, existing)] as const)
  return new Map(await Promise.all(warnings))
}

/** What is refused says what else differs, and what to do. */
const isCalledDraft = ({ decision, document, record }: Step): boolean =>
  decision !== 'refuse' && document.value.unpublished === true && record?.changes.final === true

const warningOf = async (document: LoadedDocument, existing: Existing): Promise<Problem> => ({
  file: document.file,
  ...document.locate(['unpublished']),
  rule: 'stays-published',
  severity: 'warning',
  path: 'unpublished',
  message: `${document.kind} ${document.name} stays published, which is final, although its file says unpublished: true`,
  hint: `write unpublished: false, as it is; to replace it, ${await nextVersion(document, existing)}`,
  spec: '3',
})
