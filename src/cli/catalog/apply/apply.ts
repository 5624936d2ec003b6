import { messageOf } from '../../../contract/unknown-values.ts'
import type { Problem } from '../../../documents/load/loaded.ts'
import type { Context } from '../../context.ts'
import { ledgerFolder } from '../../dirs.ts'
import { allSent, exit, Failure, interrupted, Reported, usage } from '../../failure/failure.ts'
import { toFailure } from '../../failure/translate.ts'
import { operandWord, shellWord, styled } from '../../io/text.ts'
import { notePublishing } from '../../kinds/confirmations.ts'
import { type FormatOption, problemLines } from '../../kinds/problems.ts'
import type { FinishOptions, Row } from '../../kinds/results.ts'
import type { Show } from '../../kinds/show-at-once.ts'
import { signedInPublisher } from '../../service/publisher.ts'
import type { Target } from '../../service/target.ts'
import { targetName } from '../../service/target-name.ts'
import type { CatalogFiles } from '../load-valid.ts'
import type { PruneOptions } from '../options.ts'
import { labelKey, ownersOf } from '../owners.ts'
import { compareCatalog } from '../plan/compare.ts'
import { noteFollowers, warnOfFollowers } from '../plan/followers.ts'
import { noteNotOffered, ownedHere } from '../plan/not-offered.ts'
import { draftsText, isRefused, limitedTo, type Plan, type Unlisted } from '../plan/plan.ts'
import { headlineOf, planLines } from '../plan/plan-lines.ts'
import { refusedRows, refusedText } from '../plan/planned-rows.ts'
import { documentsOf, onTarget, type ReadPlan, reviewedWarnings } from '../plan/saved-plan.ts'
import { warnBeforeFinal, warnOfDuplicates } from '../plan/show-plan.ts'
import { checkTakeovers, hasWork, planAgain, takeoverLines, withOwners } from '../plan/takeovers.ts'
import { pruning } from '../plan/unlisted.ts'
import { keptLines } from '../plan/unlisted-lines.ts'
import { type InterruptedRun, type Ledger, openLedger } from './apply-ledger.ts'
import { carriedOutPlans, recordCarriedOut } from './carried-out.ts'
import { outcomesOf } from './carry-out.ts'
import { warnOfChangedFiles } from './changed-files.ts'
import { type Consent, consented, unlessAgreed } from './consent.ts'
import { withLastingDifferences } from './lasting-differences.ts'
import { outcomeRows, summaryOf } from './outcome-rows.ts'
import { predictedPlan } from './predict-plan.ts'
import { recordOwners } from './record-owners.ts'
import { settling } from './send-once.ts'
import { printNew, tooManyWarnings, warningsFailure, warningsOf } from './service-warnings.ts'
import {
  checkLabels,
  checkNotRepeated,
  checkOwners,
  checkUnchanged,
  goneSince,
  isCarriedOut,
} from './unchanged-since.ts'

/** Prints the rows of documents; throws Reported if not all succeeded. */
export type Finish = (
  rows: readonly Row[],
  options: Omit<FinishOptions, 'format' | 'target' | 'resume'>,
) => Promise<void>

/** How a run shows what it does, and what it did. */
export interface Showing {
  readonly show: Show
  readonly finish: Finish
}

/** How many warnings a run may have. */
type WarningLimit = Pick<FormatOption, 'maxWarnings'>

/** Compares a catalog with the service, asks before it changes anything, and carries it out. */
export async function applyCatalog(
  { documents, problems, publisher, ownership }: CatalogFiles,
  { prune, pruneUnowned, maxWarnings, ...consent }: Consent & PruneOptions & WarningLimit,
  showing: Showing,
  context: Context,
): Promise<void> {
  await withLedger(null, context, async (ledger) => {
    const compared = await compareCatalog(
      documents,
      { publisher, ownership, prunes: pruning({ prune, pruneUnowned }) },
      context,
    )
    warnOfDuplicates(compared, context.output)
    const reviewed = await withLastingDifferences(compared, context)
    const plan = await predictedPlan(limitedTo(consent, reviewed), context)
    noteNotOffered(plan, context.output)
    const refusal = await whyNot(plan, { maxWarnings, problems }, context)
    if (refusal) return finishRefused(plan, refusal, showing)
    if (consent.publish) notePublishing('--publish', documents, context)
    // A plan that is shown whole has these lines itself.
    if ((prune || pruneUnowned) && (consent.yes || !hasWork(plan))) context.output.complain(keptLines(plan))
    if (hasWork(plan)) showBefore({ ...plan, needsPublish: !consent.publish }, consent, context)
    const { publish } = consent
    const allowed = await consented(plan, consent, context).catch(unlessAgreed)
    if (allowed instanceof Failure) return finishRefused(plan, allowed, showing)
    // A question can stand for long; and that there are labels may be known only by now, if a gateway hid it.
    const isUncertain = context.prompt.canAsk() || ownership.labels === undefined
    if (hasWork(plan) && isUncertain) checkOwners(allowed, await ownersOf(context))
    return carryOutAll(allowed, { ledger, maxWarnings, problems, publish }, showing, context)
  })
}

/** A plan that needs an answer is shown whole; with --yes, the rows say what was done. */
function showBefore(plan: Plan, { yes }: Consent, { output }: Context): void {
  if (!yes) {
    output.complain(planLines(plan, { ...output, paint: output.notePaint }))
    return
  }
  output.note(headlineOf(plan))
  noteFollowers(plan, output)
  warnBeforeFinal(plan, output)
  output.complain(takeoverLines(plan))
}

/**
 * Carries out a saved plan, publishing and charges included, unless the service was changed after it was made. A plan
 * that was already carried out has nothing left to do.
 */
export async function applySaved(
  saved: ReadPlan,
  { maxWarnings }: WarningLimit,
  showing: Showing,
  context: Context,
): Promise<void> {
  const { digest, content } = saved
  const target = targetName(await context.target())
  if (content.target !== target) {
    const command = await onTarget(`vatom apply ${operandWord(saved.file)}`, content, context)
    throw usage(
      `The plan was made for ${content.target}, and this is ${target}`,
      `choose its service: ${command ?? 'set VATOM_BASE_URL and VATOM_APP_ID to those of it'}; or plan again: ${planAgain(saved)}`,
    )
  }
  const publisher = await signedInPublisher(context)
  if (content.publisher !== publisher)
    throw usage(
      `The plan is of the publisher ${content.publisher}, and you are signed in for ${publisher}`,
      `use a session of its publisher, or plan again: ${planAgain(saved)}`,
    )
  await warnOfChangedFiles(saved, context)
  await withLedger(digest, context, async (ledger) => {
    const [catalog = ''] = Object.values(content.catalogs)
    const owners = Object.fromEntries(content.deletions.map((one) => [labelKey(one), catalog]))
    const faceTemplates = Object.fromEntries(content.deletions.map((one) => [labelKey(one), one.template ?? '']))
    const prunes = (one: Unlisted) => Object.hasOwn(owners, labelKey(one))
    const now = await ownersOf(context)
    const ownership = { ...now, catalogs: content.catalogs, owners, faceTemplates }
    const compared = await compareCatalog(
      documentsOf(content),
      { publisher: content.publisher, ownership, prunes },
      context,
    )
    const { catalogs } = compared
    const plan = { ...withOwners(compared, now), isOwnedHere: ownedHere({ catalogs, labels: now.labels }) }
    warnOfDuplicates(plan, context.output)
    const plans = await carriedOutPlans(context)
    const carriedOut = (await plans.read())[digest]
    if (carriedOut !== undefined) checkNotRepeated(plan, saved, carriedOut)
    const gone = await goneSince(plan, content, context)
    const { begun, done } = ledger
    if (!(await isCarriedOut(plan, gone, context))) checkUnchanged(plan, saved, { ...now, gone, begun, done })
    checkLabels(plan, saved, begun)
    warnOfFollowers(plan, content, context.output)
    context.output.complain(takeoverLines(plan))
    checkTakeovers(plan, saved)
    const problems = [...reviewedWarnings(content), ...warningsOf(plan)]
    context.output.complain(await problemLines({ problems, sources: new Map() }, context.output))
    const checked = await predictedPlan(plan, context)
    noteNotOffered(checked, context.output)
    const refusal = await whyNot(checked, { maxWarnings, problems: content.warnings }, context)
    if (refusal) return finishRefused(checked, refusal, showing)
    warnBeforeFinal(checked, context.output)
    await carryOutAll(checked, { ledger, maxWarnings, problems: content.warnings }, showing, context)
    await recordCarriedOut(saved, plans, context)
  })
}

/** Carries out a plan; the details come first, and the total behind them, also if something failed. */
async function carryOutAll(
  plan: Plan,
  { ledger, maxWarnings, problems, publish }: CarryOutOptions,
  { show, finish }: Showing,
  context: Context,
): Promise<void> {
  const connection = await context.connect()
  const done = outcomeRows(plan, await outcomesOf(plan, { connection, ledger, what: 'apply', show }, context))
  const rows = (await recordOwners(plan, done, context)).map((row) => shownAgain(row, show))
  const found = rows.flatMap((row) => row.problems)
  await printNew(found, plan, context)
  const isDone = rows.every(({ failure }) => failure === undefined)
  const unpublished = publish || !hasWork(plan) ? notPublished(plan) : undefined
  const refusal = isDone
    ? ((await failureAfterAll([...problems, ...found], maxWarnings, context)) ?? unpublished)
    : undefined
  await finish(rows, { total: `${summaryOf(rows)}${draftsText(plan)}`, refusal })
  noteNext(rows, context.output)
}

/** Shows of a row that was shown when it was written that it was taken over since. */
const shownAgain = (row: Row, show: Show): Row =>
  row.shown && row.taken_from !== undefined
    ? show(row, `Took over ${row.kind} ${row.name} from the catalog ${row.taken_from}`)
    : row

/** Names what to do with the first variation that was created, as `init` names what to do with its catalog. */
function noteNext(rows: readonly Row[], { isTTY, note, hint }: Context['output']): void {
  const made = rows.find(({ kind, status, written = status }) => kind === 'variation' && written === 'created')
  if (isTTY && made) note(styled`Next: ${hint(`vatom emit ${shellWord(made.name)}`)}`)
}

/** A run that was to publish, or had nothing else to do, has failed if a person did not type what to publish. */
const notPublished = ({ steps }: Plan): Failure | undefined =>
  steps.some(({ staysDraft }) => staysDraft === 'declined')
    ? new Failure('declined', exit.refused, 'Nothing was published: that was not confirmed')
    : undefined

/** Why a run has failed although all was carried out. */
const failureAfterAll = (warnings: readonly Problem[], most: number | undefined, { host }: Context) =>
  host.signal.aborted ? interrupted(allSent) : warningsFailure(warnings, most)

interface CarryOutOptions extends WarningLimit, Pick<CatalogFiles, 'problems'> {
  readonly ledger: Ledger
  /** Whether the run was told to publish. */
  readonly publish?: boolean | undefined
}

/** Why a checked plan is not carried out; `problems` has the warnings of no document. Throws if the run was interrupted. */
async function whyNot(
  plan: Plan,
  { maxWarnings, problems }: WarningLimit & Pick<CatalogFiles, 'problems'>,
  { host }: Context,
): Promise<Failure | undefined> {
  host.signal.throwIfAborted()
  if (isRefused(plan)) return new Failure('refused', exit.refused, `${refusedText(plan)} refused, so none was sent`)
  return tooManyWarnings(plan, maxWarnings, problems)
}

/** What is not refused is not sent either. The row of a single refusal says all. */
function finishRefused(plan: Plan, refusal: Failure, { finish }: Showing): Promise<void> {
  const rows = refusedRows(plan, refusal)
  return finish(rows, rows.length === 1 && isRefused(plan) ? {} : { refusal })
}

/**
 * Works with the ledger of the service, which is complete once the work succeeded. `plan` is the digest of the saved
 * plan that is carried out; null without one. Throws `ledger_unwritable` or `apply_running`.
 */
async function withLedger(
  plan: string | null,
  context: Context,
  work: (ledger: Ledger) => Promise<void>,
): Promise<void> {
  const target = await context.target()
  const ledger = await openLedger(ledgerFolder(context.dirs), {
    target: targetName(target),
    plan,
    host: context.host,
  })
  let isComplete = false
  let hasBegun = false
  const begin = (task: string) => {
    hasBegun = true
    return ledger.begin(task)
  }
  try {
    await waitFor(ledger.interrupted, target, context)
    await work({ ...ledger, begin })
    isComplete = true
  } catch (error) {
    throw hasBegun && !(error instanceof Reported) ? await toFailure(error, context.host) : error
  } finally {
    close(ledger, isComplete, context)
  }
}

/** If the ledger cannot be closed, what was done is still reported. */
function close(ledger: Ledger, isComplete: boolean, { output }: Context): void {
  try {
    ledger.close(isComplete)
  } catch (error) {
    output.warn(styled`the apply ledger could not be closed: ${messageOf(error)}`)
  }
}

/** Waits until the service has carried out or dropped what an interrupted run sent, so that nothing is done twice. */
async function waitFor(run: InterruptedRun | undefined, target: Target, { host, output }: Context): Promise<void> {
  if (run === undefined) return
  output.note(
    styled`an earlier apply on this service, of this catalog or another one, was interrupted, or had no answer: the outcome of ${run.unsettled} of its ${run.begun} writes is unknown; comparing again to continue from there`,
  )
  if (target.kind === 'local') return
  const age = host.now().getTime() - run.unsettledSince.getTime()
  if (age < settling) await host.sleep(Math.min(settling, settling - age))
}
