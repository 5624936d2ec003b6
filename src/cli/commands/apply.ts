import { Command, Option } from 'commander'
import type { Problem } from '../../documents/load/loaded.ts'
import type { Finish, Showing } from '../catalog/apply/apply.ts'
import type { Consent } from '../catalog/apply/consent.ts'
import { catalogPaths } from '../catalog/catalog-paths.ts'
import { type Report, reportRefused, withJUnit } from '../catalog/junit-file.ts'
import type { CatalogFiles } from '../catalog/load-valid.ts'
import {
  applyCommand,
  junitOption,
  pruneOption,
  pruneUnownedOption,
  type RunOptions,
  takeOverOption,
} from '../catalog/options.ts'
import { checkOutputs } from '../catalog/output-files.ts'
import type { Context } from '../context.ts'
import { type Failure, interrupted, usage } from '../failure/failure.ts'
import { operandWord } from '../io/text.ts'
import { acceptAddressesOption } from '../kinds/confirmations.ts'
import { formatOption, maxWarningsOption } from '../kinds/problems.ts'
import { finishRows, type Row } from '../kinds/results.ts'
import { compareAndReport } from './plan.ts'

interface ApplyOptions extends Consent, RunOptions {
  readonly dryRun?: boolean
  readonly show?: boolean
}

export const command = (context: Context): Command =>
  new Command('apply')
    .description(
      'Make the service match a catalog: create and change templates, variations, actions and faces in the right order. Running it again continues an interrupted run, and sends nothing if nothing differs. With a saved plan: carry out exactly that plan, including publishing and charges, unless the service has changed since.',
    )
    .argument(
      '[path...]',
      'files, folders, globs, or - for standard input; or one saved plan; by default the catalog in this folder',
    )
    .option('--yes', 'do not ask; without --publish, drafts stay drafts')
    .option('--publish', 'publish documents that say unpublished: false, which is final; without it, a terminal asks')
    .option('--accept-charges', 'accept the charges for chain writes of eth sections on mainnet')
    .addOption(acceptAddressesOption())
    .addOption(takeOverOption())
    .addOption(pruneOption())
    .addOption(pruneUnownedOption())
    .option('--dry-run', 'only show the plan, and what the service would refuse')
    .addOption(new Option('--show').hideHelp())
    .addOption(junitOption())
    .addOption(formatOption())
    .addOption(maxWarningsOption())
    .addHelpText(
      'after',
      '\nExamples:\n  vatom apply catalog/\n  vatom apply catalog/ --yes --publish\n  vatom apply review.plan',
    )
    .action((paths: string[], options: ApplyOptions) => apply(paths, options, context))

/** Replaces the report of an earlier run where the line of one that was to do so is refused. */
export const refused = reportRefused

async function apply(given: readonly string[], options: ApplyOptions, context: Context): Promise<void> {
  if (options.show)
    throw usage('apply does not show saved plans', `to read it: vatom plan show ${operandWord(given[0] ?? 'FILE')}`)
  checkOutputs(options, context.host.cwd)
  return withJUnit('apply', options, context, async (report) => {
    const paths = await catalogPaths(given, 'vatom apply', context)
    // Nobody is asked: without --publish, drafts stay drafts, as with --yes.
    if (options.dryRun && !(await hasSaved(paths, context)))
      return void (await compareAndReport(paths, { ...options, yes: true, report }, context))
    return applyAndReport(paths, { ...options, report }, context).catch((error: unknown) => worded(error, context))
  })
}

/** Throws an error of a run; an interruption that is not a failure yet came before anything was sent. */
async function worded(error: unknown, { host }: Context): Promise<never> {
  const { unlessInterrupted } = await import('../failure/translate.ts')
  throw unlessInterrupted(error, host, () => interrupted('interrupted: nothing was sent'))
}

const hasSaved = async (paths: readonly string[], { host }: Context): Promise<boolean> => {
  const { readPlan } = await import('../catalog/plan/saved-plan.ts')
  return paths.some((path) => readPlan(path, host.cwd) !== undefined)
}

async function applyAndReport(
  paths: readonly string[],
  options: ApplyOptions & { readonly report: Report },
  context: Context,
): Promise<void> {
  const [
    { applyCatalog, applySaved },
    { readPlan, reviewedWarnings },
    { countsIn },
    { sessionWarnings },
    { showAtOnce },
  ] = await Promise.all([
    import('../catalog/apply/apply.ts'),
    import('../catalog/plan/saved-plan.ts'),
    import('../catalog/apply/outcome-rows.ts'),
    import('../service/session-end.ts'),
    import('../kinds/show-at-once.ts'),
  ])
  const saved = paths.flatMap((path) => readPlan(path, context.host.cwd) ?? [])
  const [first] = saved
  const { format, report } = options
  const resume = `${applyCommand(paths, options)}${first ? ', which still holds on this machine unless somebody else changes the service; elsewhere, plan again' : ''}`
  const finish: Finish = async (rows, more) =>
    finishRows(
      rows,
      {
        ...more,
        format,
        target: await context.target(),
        counts: countsIn(rows),
        ...(!isOutdated(rows) && { resume }),
      },
      context.output,
    ).finally(async () =>
      report(rows, {
        failure: context.host.signal.aborted ? await interruption(rows, resume) : unsaid(rows, more.refusal),
        warnings: more.warnings,
      }),
    )
  const showingWith = async (ofNone: readonly Problem[]): Promise<Showing> => {
    const warnings = [...ofNone, ...(await sessionWarnings(context))]
    return {
      show: showAtOnce(format, context.output),
      finish: (rows, more) => finish(rows, { ...more, warnings }),
    }
  }
  if (first === undefined) {
    const files = await filesOf(paths, options, context)
    return applyCatalog(files, options, await showingWith(files.warnings), context)
  }
  if (paths.length > 1) throw usage('A saved plan cannot be combined with other paths', 'name only the plan')
  refuseOptions(options)
  await context.announce()
  return applySaved(first, options, await showingWith(reviewedWarnings(first.content)), context)
}

/** Whether the service was changed after it was compared, so that only a new plan can continue. */
const isOutdated = (rows: readonly Row[]) => rows.some(({ failure }) => failure?.code === 'changed_meanwhile')

/** Why nothing was sent, unless a row says it. */
const unsaid = (rows: readonly Row[], refusal: Failure | undefined) =>
  rows.some(({ status }) => status === 'refused') ? undefined : refusal

/** What a report says of an interrupted run, whose documents may be all done or skipped. */
async function interruption(rows: readonly Row[], resume: string) {
  const { summaryOf } = await import('../catalog/apply/outcome-rows.ts')
  return { message: `interrupted: ${summaryOf(rows)}`, hint: `to go on: ${resume}` }
}

async function filesOf(paths: readonly string[], options: ApplyOptions, context: Context): Promise<CatalogFiles> {
  const { loadForService } = await import('../catalog/load-valid.ts')
  return loadForService(paths, { ...options, commandFor: (inputs) => applyCommand(inputs, options) }, context)
}

/** Options whose answer is in the saved plan are usage errors. */
function refuseOptions(options: ApplyOptions): void {
  const { prune, pruneUnowned, dryRun, publish, acceptCharges, acceptAddresses, takeOver } = options
  if (publish || acceptCharges || acceptAddresses || takeOver)
    throw usage(
      'A saved plan already decides what is published, charged and taken over',
      'leave out --publish, --accept-charges, --accept-addresses and --take-over',
    )
  if (prune || pruneUnowned)
    throw usage('--prune cannot be added to a saved plan', 'plan again: vatom plan PATH --prune --out FILE')
  if (dryRun) throw usage('--dry-run cannot be used with a saved plan', 'to compare again: vatom plan PATH')
}
