import { plural } from '../../../contract/schema/wording.ts'
import type { Format } from '../../../contract/values.ts'
import type { Problem } from '../../../documents/load/loaded.ts'
import { problemRow } from '../../../documents/report/json.ts'
import { exit, type Failure } from '../../failure/failure.ts'
import { failureJson } from '../../failure/report.ts'
import type { Output } from '../../io/output.ts'
import { screenLines, styled } from '../../io/text.ts'
import { cautionText } from '../../kinds/cautions.ts'
import { formatOf, printReport } from '../../kinds/problems.ts'
import { reportRows, resultsJson } from '../../kinds/results.ts'
import { contextOf, type Target } from '../../service/target.ts'
import { contractText, makesContractFinal, planWritesOf } from './chain-charges.ts'
import { noteNotOffered, notOfferedJson } from './not-offered.ts'
import { type Deletion, isPublishing, isTemplate, isWriting, type Plan, type Step, type Unlisted } from './plan.ts'
import { countsOf, planLines } from './plan-lines.ts'
import { isCutShort, planMarkdown } from './plan-markdown.ts'
import { plannedRows } from './planned-rows.ts'
import type { PlanContent } from './saved-plan-schema.ts'

interface ShowOptions {
  readonly format: Format
  /** What the command exits with if nothing fails. */
  readonly exitCode?: number
  /** Warnings of no document. */
  readonly warnings?: readonly Problem[]
  /** The service that it was made for, where the run talks to it. */
  readonly target?: Target
  /** When it was made, and for which service, where it was saved. */
  readonly made?: Pick<PlanContent, 'when_planned' | 'target'>
}

/** Shows a plan in a format; what other programs read says why it cannot be carried out. */
export async function showPlan(
  plan: Plan,
  failure: Failure | undefined,
  { format, exitCode: intended = exit.done, warnings = [], target, made }: ShowOptions,
  output: Output,
): Promise<void> {
  const wanted = formatOf(format, output)
  const complain = () => output.complain(planLines(plan, { ...output, paint: output.notePaint }))
  const exitCode = failure?.exitCode ?? intended
  warnOfDuplicates(plan, output)
  noteNotOffered(plan, output)
  if (wanted === 'github' || wanted === 'gitlab' || wanted === 'sarif') {
    await reportRows(plannedRows(plan), { done: [], others: warnings, exitCode, failure }, wanted, output)
    complain()
  }
  if (wanted === 'markdown') {
    output.result(null, () => [...planMarkdown(plan, failure, output), ''])
    const problems = [...plannedRows(plan).flatMap((row) => row.problems), ...warnings]
    await printReport({ problems, sources: new Map(), exitCode }, wanted, output)
    if (failure || isCutShort(plan, output)) complain()
  }
  if (wanted === 'json') {
    output.document({
      ...planJson(plan, output),
      ...(target && { context: contextOf(target) }),
      ...(made && { when_planned: made.when_planned, target: made.target }),
      ...(warnings.length > 0 && { warnings: warnings.map(problemRow) }),
      ...(failure && { error: failureJson(failure, output) }),
    })
    if (failure) complain()
  }
  if (wanted === 'text') await output.listing(null, () => screenLines(planLines(plan, output), output))
}

function planJson(plan: Plan, output: Output) {
  const { charged, free } = planWritesOf(plan)
  const { results, summary } = resultsJson(plannedRows(plan), output)
  const planned = [
    ...plan.steps.map((step) => stepJson(step, isPublishing(plan, step), output)),
    ...plan.deletions.map((one) => deletionJson(one, output)),
  ]
  return {
    results: results.map((row, index) => ({ ...row, ...planned[index] })),
    unlisted: plan.unlisted.map(unlistedJson),
    dry_run: true,
    ...notOfferedJson(plan),
    summary: { ...summary, ...countsOf(plan) },
    chain_writes: { charged: charged.length, free: free.length },
  }
}

const stepJson = (step: Step, publishes: boolean, output: Output) => {
  const {
    decision,
    publishes: isOffered,
    privateAddresses,
    cautions,
    record,
    refusal,
    takenFrom,
    isUnlabelled,
    followers = 0,
  } = step
  return {
    action: decision,
    publishes,
    ...(privateAddresses > 0 && { private_addresses: privateAddresses }),
    ...(isOffered &&
      cautions.length > 0 && { cautions: cautions.map((one) => ({ code: one.code, message: cautionText(one) })) }),
    ...(makesContractFinal(step) && { contract_final: true }),
    changes: record?.changes.differences ?? [],
    alike: (record?.duplicates ?? []).map(({ key, display_url }) => ({ id: key, display_url })),
    ...(takenFrom !== undefined && { taken_from: takenFrom }),
    ...(isUnlabelled && { unlabelled: true }),
    ...(isWriting(step) && followers > 0 && { following_vatoms: followers }),
    ...(refusal && { error: failureJson(refusal, output) }),
  }
}

const deletionJson = ({ contents, refusal }: Deletion, output: Output) => ({
  action: 'delete',
  publishes: false,
  changes: [],
  alike: [],
  ...(contents.length > 0 && { contents }),
  ...(refusal && { error: failureJson(refusal, output) }),
})

const unlistedJson = (one: Unlisted) => ({
  kind: one.kind,
  key: one.key,
  name: one.name,
  template: one.template,
  catalog: one.catalog ?? null,
  published: one.isPublished,
  ...(one.contents.length > 0 && { contents: one.contents }),
  ...(one.others !== undefined && { others: one.others }),
  ...(one.staysWithTemplate && { stays_with_template: true }),
  ...(one.alsoIn !== undefined && { also_in: one.alsoIn }),
  ...(one.isSameName && { same_name: true }),
  ...(one.ignoredIn !== undefined && { ignored_in: one.ignoredIn }),
  ...(one.submodule !== undefined && { submodule: one.submodule }),
})

/** Warns of further faces on the service for the same viewers as one of the catalog. */
export function warnOfDuplicates({ steps, deletions, unlisted, isPartial }: Plan, output: Output): void {
  const deleted = new Set(deletions.map(({ key }) => key))
  const inSubmodules = new Set(unlisted.filter(({ submodule }) => submodule !== undefined).map(({ key }) => key))
  const templates = new Set(steps.filter(({ document }) => isTemplate(document)).map(({ document }) => document.name))
  for (const { document, record } of steps) {
    const others = (record?.duplicates ?? []).filter(({ key }) => !deleted.has(key))
    if (record === undefined || others.length === 0) continue
    const remedy =
      templates.has(String(document.value.template)) && !isPartial && !others.some(({ key }) => inSubmodules.has(key))
        ? '--prune deletes'
        : `${output.hint(`vatom face delete ${others.map(({ key }) => key).join(' ')}`)} deletes`
    output.warn(
      styled`face ${document.name}: ${record.key} has ${plural(others.length, 'duplicate')} for the same viewers on the service, ${others.map(({ key, display_url }) => `${key} (${display_url})`).join(', ')}; ${remedy} ${others.length === 1 ? 'it' : 'them'}`,
    )
  }
}

/** Warns of what becomes final, where the plan itself is not shown. */
export function warnBeforeFinal({ steps }: Plan, output: Output): void {
  for (const { document } of steps.filter(makesContractFinal))
    output.warn(styled`${document.kind} ${document.name}: ${contractText}`)
  for (const { document, publishes, cautions } of steps)
    for (const one of publishes ? cautions : [])
      output.warn(styled`${document.kind} ${document.name}: ${cautionText(one)}`)
}
