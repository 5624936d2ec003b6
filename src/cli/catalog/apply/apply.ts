import { join } from 'node:path'
import type { Context } from '../../context.ts'
import { usage } from '../../failure/failure.ts'
import { countProgress } from '../../io/count.ts'
import { styled } from '../../io/text.ts'
import { tellWarnings } from '../../io/warnings.ts'
import type { Row } from '../../kinds/results.ts'
import { untold } from '../../kinds/send.ts'
import type { Target } from '../../service/target.ts'
import type { CatalogFiles } from '../load-valid.ts'
import { comparedWith, isRefused, type Plan } from '../plan/compare.ts'
import { refusedRows, rowsOf, summaryOf } from '../plan/plan-rows.ts'
import { boundary, headlineOf, planLines, tellAlike } from '../plan/plan-text.ts'
import { documentsOf, type ReadPlan } from '../plan/saved-plan.ts'
import { carryOut, type Run, settling } from './carry-out.ts'
import { type Consent, consented, isChanging } from './consent.ts'
import { type CutOff, type Ledger, openLedger } from './ledger.ts'
import { type Stage, stagesOf } from './stages.ts'
import { checkStillHolds, isCarriedOut } from './unchanged-since.ts'

/** Says what became of the documents; throws Reported where not all went well. */
export type Finish = (rows: readonly Row[]) => Promise<void>

/** Compares a catalog with the service, asks for what changes, and carries it out. */
export async function applyCatalog(
  { documents, publisher }: CatalogFiles,
  { prune, ...consent }: Consent & { readonly prune: boolean },
  finish: Finish,
  context: Context,
): Promise<void> {
  await underLedger(null, context, async (ledger) => {
    const plan = await comparedWith(documents, { publisher, prune }, context)
    tellAlike(plan, context.output)
    if (isRefused(plan)) return finish(refusedRows(plan))
    if (isChanging(plan)) tellPlan(plan, consent, context)
    const allowed = await consented(plan, consent, context)
    return finish(await carriedOut(allowed, ledger, context))
  })
}

/** What is asked about is shown whole; else the rows tell it as it comes to be. */
function tellPlan(plan: Plan, { yes }: Consent, { output }: Context): void {
  if (yes) output.note(headlineOf(plan))
  else output.complain(planLines(plan, { paint: output.notePaint }))
}

/**
 * Carries out a saved plan, publishing and charges included, unless the service has moved on to anything else. One that
 * was carried out already leaves nothing to do.
 */
export async function applySaved({ digest, content }: ReadPlan, finish: Finish, context: Context): Promise<void> {
  const target = targetName(await context.target())
  if (content.target !== target)
    throw usage(`The plan was made for ${content.target}, and this is ${target}`, 'choose its context, or plan again')
  await underLedger(digest, context, async (ledger) => {
    const plan = await comparedWith(documentsOf(content), content, context)
    tellAlike(plan, context.output)
    if (!(await isCarriedOut(plan, content, context))) checkStillHolds(plan, content, ledger.begun)
    if (isRefused(plan)) return finish(refusedRows(plan))
    return finish(await carriedOut(plan, ledger, context))
  })
}

/** What a plan is made for, and a ledger is kept of: a service as one application sees it. */
export const targetName = (target: Target): string =>
  target.kind === 'local' ? target.name : `${target.baseUrl} (application ${target.appId})`

/** Works with the ledger of the service; one whose work went well is complete. */
async function underLedger(
  plan: string | null,
  context: Context,
  work: (ledger: Ledger) => Promise<void>,
): Promise<void> {
  const target = await context.target()
  const ledger = await openLedger(join(context.dirs.data, 'applied'), {
    target: targetName(target),
    plan,
    now: context.host.now,
  })
  let isComplete = false
  try {
    await tellCutOff(ledger.cutOff, target, context)
    await work(ledger)
    isComplete = true
  } finally {
    endLedger(ledger, isComplete, context)
  }
}

/** What was done is done, and told, also where the ledger cannot be put aside. */
function endLedger(ledger: Ledger, isComplete: boolean, { output }: Context): void {
  try {
    ledger.end(isComplete)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    output.warn(styled`the ledger could not be put aside: ${why}`)
  }
}

/** What an earlier run began may still be on its way: it is waited for, lest it be done twice. */
async function tellCutOff(cutOff: CutOff | undefined, target: Target, { host, output }: Context): Promise<void> {
  if (cutOff === undefined) return
  output.note(
    styled`an earlier apply was cut off, and nobody knows what came of ${cutOff.unsettled} of the ${cutOff.begun} writes it began: going on from there`,
  )
  if (target.kind === 'local') return
  const age = host.now().getTime() - cutOff.unsettledSince.getTime()
  if (age < settling) await host.sleep(Math.min(settling, settling - age))
}

async function carriedOut(plan: Plan, ledger: Ledger, context: Context): Promise<Row[]> {
  const { host, output } = context
  const connection = await context.connect()
  const stages = stagesOf(plan, connection)
  const total = stages.flatMap(({ groups }) => groups).reduce((sum, group) => sum + group.length, 0)
  const progress = await countProgress(output, host, 'apply', total)
  const run: Run = { connection, context, ledger, progress, outcomes: new Map(), isPastBoundary: false }
  try {
    for (const stage of stages) await carryStage(stage, run)
  } finally {
    progress.stop()
  }
  tellWarnings(unexpected(context.warnings.take(), plan), output)
  const rows = rowsOf(plan, run.outcomes)
  output.note(summaryOf(rows))
  return rows
}

/** What the service said that is not told already, and holds now that all of the catalog is there. */
function unexpected(parts: readonly string[], { steps }: Plan): string[] {
  const names = new Set(steps.map(({ document }) => document.name))
  const problems = steps.flatMap(({ document }) => document.problems)
  const isThere = (part: string) =>
    part.startsWith('the child_policy names') &&
    (part.split(': ')[1] ?? '').split(', ').every((name) => names.has(name))
  return untold(parts, { problems }).filter((part) => !isThere(part))
}

/** What cannot be undone comes last; nothing is begun that comes after something that failed. */
async function carryStage({ groups, isFinal }: Stage, run: Run): Promise<void> {
  const failed = [...run.outcomes.values()].find(({ failure }) => failure)
  run.stopped ??= failed?.failure
  if (isFinal && !run.stopped && !run.isPastBoundary) run.context.output.note(boundary)
  run.isPastBoundary ||= isFinal
  await carryOut(groups, run)
}
