import type { Format } from '../../../contract/values.ts'
import { problemRow } from '../../../documents/report/json.ts'
import { exit, Failure } from '../../failure/failure.ts'
import { failureJson, failureLines } from '../../failure/report.ts'
import type { Output } from '../../io/output.ts'
import { plural, screenLines, styled } from '../../io/text.ts'
import { formatOf } from '../../kinds/problems.ts'
import { type Row, reportRows } from '../../kinds/results.ts'
import { planWritesOf } from './chain-charges.ts'
import { isTemplate, type Plan } from './plan.ts'
import { countsOf, planLines } from './plan-lines.ts'
import { deletionRow, plannedRows, stepRow } from './planned-rows.ts'

/** Why a plan cannot be carried out; undefined where it can. */
export function refusalOf({ steps }: Plan): Failure | undefined {
  const refused = steps.filter(({ decision }) => decision === 'refuse').length
  if (refused === 0) return undefined
  return new Failure('refused', exit.refused, `${refused} of ${steps.length} documents would be refused`, {
    hint: 'correct the refused documents: apply sends nothing while one is refused',
  })
}

/** Shows a plan in a format, and why it cannot be carried out. */
export async function showPlan(
  plan: Plan,
  failure: Failure | undefined,
  format: Format,
  output: Output,
): Promise<void> {
  const wanted = formatOf(format, output)
  if (wanted === 'github' || wanted === 'sarif') {
    await reportRows(plannedRows(plan), { done: [], exitCode: failure?.exitCode ?? exit.done }, wanted, output)
    output.complain(planLines(plan, { paint: output.notePaint }))
  }
  if (wanted === 'json') output.document({ ...planJson(plan), ...(failure && { error: failureJson(failure) }) })
  if (wanted === 'text') await output.listing(null, () => screenLines(planLines(plan, output), output))
  warnOfDuplicates(plan, output)
  if (failure) output.complain(failureLines(failure, output))
}

function planJson(plan: Plan) {
  const { charged, free } = planWritesOf(plan)
  return {
    results: [
      ...plan.steps.map((step) => ({
        ...rowJson(stepRow(step)),
        action: step.decision,
        publishes: step.publishes,
        changes: step.record?.changes.differences ?? [],
        alike: step.record?.duplicates ?? [],
        ...(step.refusal && { error: failureJson(step.refusal) }),
      })),
      ...plan.deletions.map((deletion) => ({
        ...rowJson(deletionRow(deletion)),
        action: 'delete',
        publishes: false,
        changes: [],
        alike: [],
      })),
    ],
    dry_run: true,
    summary: countsOf(plan),
    chain_writes: { charged: charged.length, free: free.length },
  }
}

const rowJson = ({ file, kind, name, status, would, message, problems }: Row) => ({
  file,
  kind,
  name,
  status,
  would,
  message,
  problems: problems.map(problemRow),
})

/** Warns of further faces on the service for the same viewers as one of the catalog. */
export function warnOfDuplicates({ steps, deletions }: Plan, output: Output): void {
  const deleted = new Set(deletions.map(({ key }) => key))
  const templates = new Set(steps.filter(({ document }) => isTemplate(document)).map(({ document }) => document.name))
  for (const { document, record } of steps) {
    const ids = (record?.duplicates ?? []).filter((id) => !deleted.has(id))
    if (record === undefined || ids.length === 0) continue
    const remedy = templates.has(String(document.value.template))
      ? '--prune deletes'
      : `vatom face delete ${ids.join(' ')} deletes`
    output.warn(
      styled`face ${document.name}: ${record.key} has ${plural(ids.length, 'duplicate')} for the same viewers on the service, ${ids.join(', ')}; ${remedy} ${ids.length === 1 ? 'it' : 'them'}`,
    )
  }
}
