import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Command } from 'commander'
import { limits } from '../../contract/limits.ts'
import { enumerated, plural, thousands } from '../../contract/schema/wording.ts'
import { folderFrom } from '../../file-system.ts'
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
import { areSameFile, checkOutputs, isSameFile } from '../catalog/output-files.ts'
import type { Plan } from '../catalog/plan/plan.ts'
import { planCommand } from '../catalog/plan/plan-command.ts'
import type { ReadPlan } from '../catalog/plan/saved-plan.ts'
import { type CommandLine, givenValue } from '../command-line.ts'
import type { Context } from '../context.ts'
import { exit, Failure, interrupted, Reported, usage } from '../failure/failure.ts'
import { operandWord, shellWord, styled } from '../io/text.ts'
import { acceptAddressesOption, privateAddressesText } from '../kinds/confirmations.ts'
import { type FormatOption, formatOf, formatOption, maxWarningsOption, problemLines } from '../kinds/problems.ts'
import { pipelineVariable } from '../pipeline.ts'
import type { Surroundings } from '../words.ts'

/** `yes` comes from `apply --dry-run`. */
export interface PlanOptions extends RunOptions, Pick<Consent, 'yes' | 'publish' | 'acceptAddresses' | 'takeOver'> {
  readonly out?: string
  readonly exitCode?: boolean
}

export const command = (context: Context): Command =>
  new Command('plan')
    .description(
      'Compare a catalog with the service, and show what apply would do with each document: create it, change it, leave it unchanged, or refuse it because it is published. Nothing is changed. With a plan saved by --out, apply does exactly what you reviewed, including publishing and charges.',
    )
    .argument(
      '[path...]',
      'YAML or JSON files, folders, globs, or - for standard input; by default the catalog in this folder',
    )
    .option('--out <file>', 'save the plan to a file, for vatom apply')
    .addOption(pruneOption())
    .addOption(pruneUnownedOption())
    .addOption(acceptAddressesOption())
    .addOption(takeOverOption())
    .option('--publish', 'plan as for apply --publish; a plan that is saved by --out publishes without it')
    .option('--exit-code', 'exit with 10 if apply would have something to do')
    .addOption(junitOption())
    .addOption(formatOption())
    .addOption(maxWarningsOption())
    .addHelpText(
      'after',
      '\nExamples:\n  vatom plan catalog/\n  vatom plan catalog/ --out review.plan\n  vatom plan show review.plan\n  vatom plan catalog/ --exit-code --json\n  vatom plan catalog/ --format markdown >> "$GITHUB_STEP_SUMMARY"',
    )
    .action((paths: string[], options: PlanOptions) => plan(paths, options, context))
    .addCommand(showCommand(context))

const showCommand = (context: Context): Command =>
  new Command('show')
    .summary('show a saved plan again')
    .description('Show a plan that was saved by --out, as it was reviewed. The service is not contacted.')
    .argument('<file>', 'the saved plan')
    .addOption(formatOption())
    .addOption(maxWarningsOption())
    .addHelpText('after', '\nExamples:\n  vatom plan show review.plan\n  vatom plan show review.plan --format markdown')
    .action((file: string, _, own: Command) => {
      refusePlanning(own)
      // plan reads the options that both have.
      return showSaved(file, own.optsWithGlobals<FormatOption>(), context)
    })

/** Refuses what plan alone takes: it reads its options also where a verb stands behind it. */
function refusePlanning({ parent, options }: Command): void {
  const own = options.map(({ long }) => long)
  const given = parent?.options.filter(
    (one) => parent.getOptionValueSource(one.attributeName()) === 'cli' && !own.includes(one.long),
  )
  if (given?.length)
    throw usage(
      `plan show does not take ${given.map(({ long }) => long).join(', ')}`,
      'a saved plan is shown as it was reviewed; to make another one: vatom plan PATH --out FILE',
    )
}

/** Shows a saved plan as it was reviewed. */
async function showSaved(file: string, { format, maxWarnings }: FormatOption, context: Context) {
  const { host, output } = context
  const [{ readPlan, reviewedPlan, reviewedWarnings }, { showPlan }, { tooManyWarnings, warningsOf }] =
    await Promise.all([
      import('../catalog/plan/saved-plan.ts'),
      import('../catalog/plan/show-plan.ts'),
      import('../catalog/apply/service-warnings.ts'),
    ])
  const saved = readPlan(file, host.cwd)
  if (saved === undefined) throw noPlan(file, existsSync(resolve(host.cwd, file)))
  const { when_planned, target } = saved.content
  output.note(styled`planned at ${when_planned} for ${target}`)
  await output.pause()
  const reviewed = reviewedPlan(saved.content)
  const warnings = reviewedWarnings(saved.content)
  output.complain(await problemLines({ problems: [...warnings, ...warningsOf(reviewed)], sources: new Map() }, output))
  await output.pause()
  const failure = await tooManyWarnings(reviewed, maxWarnings, saved.content.warnings)
  await showPlan(reviewed, failure, { format, warnings, made: saved.content }, output)
  if (failure) throw (await import('../failure/report.ts')).shownFailure(failure, context.output)
  output.note(styled`${await whatNext(reviewed, await savedCommand(saved, context), output)}`)
}

/** The failure for a file that is no saved plan; a plan replaces no other file. */
const noPlan = (file: string, exists: boolean) =>
  usage(
    `${file} ${exists ? 'is not a saved plan' : 'does not exist'}`,
    `save one: vatom plan PATH --out ${exists ? 'FILE' : shellWord(file)}`,
  )

/** The command that carries out a saved plan, on the service that it was made for. */
async function savedCommand({ file, content }: ReadPlan, context: Context): Promise<string> {
  const { onTarget } = await import('../catalog/plan/saved-plan.ts')
  const apply = `vatom apply ${operandWord(file)}`
  return (await onTarget(apply, content, context)) ?? apply
}

/** What to do with a saved plan. */
async function whatNext(found: Plan, command: string, { hint }: Context['output']): Promise<string> {
  const { hasWork } = await import('../catalog/plan/takeovers.ts')
  if (!hasWork(found)) return 'There is nothing to carry out: it changes nothing'
  const too = await askedFor(found)
  return `To carry it out${too.length === 0 ? '' : `, including ${enumerated(too)}`}: ${hint(command)}`
}

/** What carrying a plan out does of what `apply` asks for elsewhere. */
async function askedFor(found: Plan): Promise<string[]> {
  const [{ takeoverText, takesOver }, { finalAddresses, isPublishing }, { planWritesOf }] = await Promise.all([
    import('../catalog/plan/takeovers.ts'),
    import('../catalog/plan/plan.ts'),
    import('../catalog/plan/chain-charges.ts'),
  ])
  const addresses = finalAddresses(found)
  return [
    ...(found.deletions.length > 0 ? [`deleting ${plural(found.deletions.length, 'record')}`] : []),
    ...(found.steps.some((step) => isPublishing(found, step)) ? ['publishing'] : []),
    ...(planWritesOf(found).charged.length > 0 ? ['charges'] : []),
    ...(addresses > 0 ? [privateAddressesText(addresses)] : []),
    ...(takesOver(found) ? [`taking over ${takeoverText(found.steps)}`] : []),
  ]
}

async function plan(given: readonly string[], options: PlanOptions, context: Context): Promise<void> {
  const { out } = options
  const removed = out !== undefined && (await removeEarlier(out, given, context)) ? out : undefined
  try {
    checkOutputs(options, context.host.cwd)
    await withJUnit('plan', options, context, (report) =>
      planAndReport(given, { ...options, report }, context).catch(async (error: unknown) => {
        const { unlessInterrupted } = await import('../failure/translate.ts')
        throw unlessInterrupted(error, context.host, () => interruptedPlan(given, options, context))
      }),
    )
  } catch (error) {
    if (removed !== undefined && !existsSync(resolve(context.host.cwd, removed))) noteRemoved(removed, context)
    throw error
  }
}

/** The failure of a run that was interrupted: whether its plan was saved, if it was to save one, and how to go on. */
function interruptedPlan(given: readonly string[], options: PlanOptions, { host }: Context): Failure {
  const { out } = options
  if (out === undefined) return interrupted()
  // An earlier one was removed before.
  const [message, hint] = existsSync(resolve(host.cwd, out))
    ? ['interrupted: the plan was saved before', `to see all of it: vatom plan show ${operandWord(out)}`]
    : ['interrupted: no plan was saved', `to plan again: ${planCommand(given, options)}${outFlag(options)}`]
  return new Failure('interrupted', exit.interrupted, message, { hint })
}

/** Removes the plan of an earlier run, unless that is what a plan is to be made of. Returns whether there was one. */
async function removeEarlier(out: string, given: readonly string[], { host: { cwd } }: Context): Promise<boolean> {
  if (given.some((path) => isSameFile(path, out, cwd))) return false
  return (await import('../catalog/plan/saved-plan.ts')).removePlan(out, cwd)
}

/** What a plan is made with, and where its results are reported. */
type Planning = PlanOptions & { readonly report: Report }

async function planAndReport(given: readonly string[], options: Planning, context: Context): Promise<void> {
  const { out } = options
  if (out === '-') throw usage('--out writes no plan to standard output', 'name a file: --out catalog.plan')
  if (out !== undefined) (await import('../catalog/plan/saved-plan.ts')).checkReplaced(out, context.host.cwd)
  const paths = await catalogPaths(given, 'vatom plan', context)
  await refuseSaved(paths, context)
  const found = await compareAndReport(paths, options, context)
  if (options.out === undefined) await noteNext(found, given, options, context)
}

/** Names the command that carries a plan out, as `init` names the one that makes it. */
async function noteNext(found: Plan, given: readonly string[], options: PlanOptions, { output }: Context) {
  const { hasOwnWork, takeoverText, takesOver } = await import('../catalog/plan/takeovers.ts')
  const isRead = output.isTTY && formatOf(options.format, output) === 'text'
  if (!isRead || given.includes('-')) return
  if (hasOwnWork(found)) output.note(styled`Next: ${output.hint(applyCommand(given, options))}`)
  else if (takesOver(found))
    output.note(
      styled`To take over ${takeoverText(found.steps)}: ${output.hint(applyCommand(given, { ...options, takeOver: true }))}`,
    )
}

const noteRemoved = (out: string, { output }: Surroundings) =>
  output.note(styled`the earlier plan in ${out} was removed, so that nobody applies it in place of this one`)

/** Removes the plan of an earlier run, and replaces its report, where the line of one that was to do so is refused. */
export async function refused(line: CommandLine, { host, output }: Surroundings, why: unknown): Promise<void> {
  if (line.operands[1] === 'show') return
  const out = givenValue('--out', line.own)
  const { removePlan } = await import('../catalog/plan/saved-plan.ts')
  if (out !== undefined && removePlan(out, host.cwd)) noteRemoved(out, { host, output })
  if (areSameFile({ out, junit: givenValue('--junit', line.own) }, host.cwd)) return
  await reportRefused(line, { host, output }, why)
}

/** Shows a plan, and returns it. Throws where it cannot be carried out. */
export async function compareAndReport(paths: readonly string[], options: Planning, context: Context): Promise<Plan> {
  const [
    { loadForService },
    { compareCatalog },
    { pruning },
    { finalAddresses, limitedTo },
    rows,
    show,
    dry,
    { tooManyWarnings, warningsOf },
    { withLastingDifferences },
    { ledgerWarnings },
  ] = await Promise.all([
    import('../catalog/load-valid.ts'),
    import('../catalog/plan/compare.ts'),
    import('../catalog/plan/unlisted.ts'),
    import('../catalog/plan/plan.ts'),
    import('../catalog/plan/planned-rows.ts'),
    import('../catalog/plan/show-plan.ts'),
    import('../catalog/apply/predict-plan.ts'),
    import('../catalog/apply/service-warnings.ts'),
    import('../catalog/apply/lasting-differences.ts'),
    import('../catalog/apply/apply-ledger.ts'),
  ])
  const { report } = options
  const { documents, problems, warnings, uncounted, publisher, ownership } = await loadForService(
    paths,
    { ...options, commandFor: (inputs) => `${planCommand(inputs, options)}${outFlag(options)}` },
    context,
  )
  const unwritable = ledgerWarnings(context)
  const compared = await compareCatalog(documents, { publisher, ownership, prunes: pruning(options) }, context)
  const reviewed = await withLastingDifferences(compared, context)
  const needsPublish = options.out === undefined && !options.publish
  const found = await dry.predictedPlan(limitedTo(options, { ...reviewed, needsPublish }), context)
  const { out } = options
  const failure =
    rows.refusalOf(found) ??
    (await tooManyWarnings(found, options.maxWarnings, problems)) ??
    (out === undefined
      ? undefined
      : (unreachableFailure(finalAddresses(found), options) ??
        (await takeoverFailure(found, { ...options, paths }, context)) ??
        overfullFailure(warningsOf(found).length + new Set([...warnings, ...uncounted]).size)))
  const saved =
    out === undefined || failure
      ? undefined
      : await save(found, { ...options, out, paths, publisher, warnings, uncounted }, context)
  const { sessionWarnings } = await import('../service/session-end.ts')
  const ending = await sessionWarnings(context)
  const { hasWork } = await import('../catalog/plan/takeovers.ts')
  const isDifferent = options.exitCode === true && hasWork(found)
  const shown = {
    format: options.format,
    exitCode: isDifferent ? exit.different : exit.done,
    warnings: [...warnings, ...unwritable, ...ending],
    target: await context.target(),
  }
  await show.showPlan(found, failure, shown, context.output)
  if (options.junit !== undefined)
    await report(rows.reportedRows(found, context.output), { failure, warnings: shown.warnings })
  if (failure) throw (await import('../failure/report.ts')).shownFailure(failure, context.output)
  if (saved)
    context.output.note(
      styled`Saved the plan. ${await whatNext(found, `vatom apply ${operandWord(saved)}`, context.output)}`,
    )
  if (!isDifferent) return found
  const { headlineOf } = await import('../catalog/plan/plan-lines.ts')
  if (formatOf(options.format, context.output) === 'github') {
    const { notice } = await import('../../documents/report/github.ts')
    context.output.raw(`${notice('different', `The service differs from the catalog: ${headlineOf(found)}`)}\n`)
  }
  throw new Reported(exit.different)
}

/** Why a plan is not saved: applying it asks nothing, and would publish addresses that apps elsewhere cannot read. */
function unreachableFailure(count: number, { acceptAddresses }: PlanOptions): Failure | undefined {
  if (count === 0 || acceptAddresses) return undefined
  return new Failure(
    'private_addresses',
    exit.usage,
    `The plan was not saved: applying it would publish ${privateAddressesText(count)}`,
    { hint: 'correct them, or publish them all the same: add --accept-addresses' },
  )
}

/** Why a plan is not saved: applying it asks nothing, and would take records from other catalogs. */
async function takeoverFailure(
  found: Plan,
  { takeOver, paths }: Pick<SaveOptions, 'takeOver' | 'paths'>,
  { host }: Context,
): Promise<Failure | undefined> {
  const { takeoverText, takesOver } = await import('../catalog/plan/takeovers.ts')
  if (takeOver || !takesOver(found)) return undefined
  return new Failure(
    'take_over',
    exit.usage,
    `The plan was not saved: applying it would take over ${takeoverText(found.steps)}`,
    {
      hint: `to leave them to that catalog, remove them from the files here; or agree${pipelineVariable(host.env) === undefined ? ': add --take-over' : onceOnly(paths)}`,
    },
  )
}

/** How to agree in a pipeline, whose commands stay as they are for all that comes later. */
const onceOnly = (paths: readonly string[]): string =>
  ` once, with this commit on your machine: ${applyCommand(paths, { takeOver: true })}; then run all jobs again`

/** Why a plan is not saved: it could not be read again. */
function overfullFailure(warnings: number): Failure | undefined {
  const most = limits.savedWarnings
  if (warnings <= most) return undefined
  return new Failure(
    'too_many_warnings',
    exit.usage,
    `The plan was not saved: it has ${thousands(warnings)} warnings; a plan has ${thousands(most)} at most`,
    {
      hint: 'correct what they are about, or switch their rules off: vatom help rules; or plan a part of the catalog',
    },
  )
}

/** Fails for a saved plan, which can be shown or applied. */
async function refuseSaved(paths: readonly string[], context: Context): Promise<void> {
  const { readPlan } = await import('../catalog/plan/saved-plan.ts')
  const [saved] = paths.flatMap((path) => readPlan(path, context.host.cwd) ?? [])
  if (saved === undefined) return
  const { file } = saved
  throw usage(
    `${file} is a saved plan`,
    `to read it: vatom plan show ${operandWord(file)}; to carry it out: ${await savedCommand(saved, context)}`,
  )
}

const outFlag = ({ out }: Pick<PlanOptions, 'out'>) => (out === undefined ? '' : ` --out ${shellWord(out)}`)

interface SaveOptions extends PlanOptions, Pick<CatalogFiles, 'publisher' | 'warnings' | 'uncounted'> {
  readonly out: string
  readonly paths: readonly string[]
}

/** Saves a plan, and returns the file. */
async function save(
  found: Plan,
  { out, paths, publisher, warnings, uncounted, ...options }: SaveOptions,
  { host, target }: Context,
) {
  const [{ contentOf, savePlan }, { targetName }] = await Promise.all([
    import('../catalog/plan/saved-plan.ts'),
    import('../service/target-name.ts'),
  ])
  const head = {
    when_planned: host.now().toISOString(),
    target: targetName(await target()),
    publisher,
    command: planCommand(paths, options),
    folder: folderFrom(dirname(resolve(host.cwd, out)), host.cwd),
    take_over: options.takeOver === true,
  }
  savePlan(contentOf(found, head, { warnings, uncounted }), out, host.cwd)
  return out
}
