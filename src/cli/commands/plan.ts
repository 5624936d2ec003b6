import { Command } from 'commander'
import type { Consent } from '../catalog/apply/consent.ts'
import { type JUnitFileOptions, junitFile } from '../catalog/junit-file.ts'
import type { Plan } from '../catalog/plan/compare.ts'
import type { Context } from '../context.ts'
import { exit, Failure, Reported, usage } from '../failure/failure.ts'
import { failureJson, failureLines } from '../failure/report.ts'
import { styled } from '../io/text.ts'
import { type Format, formatOf, formatOption } from '../kinds/format.ts'
import { reportRows } from '../kinds/results.ts'

/** `yes` and `publish` are those of an apply that is only shown. */
export interface PlanOptions extends JUnitFileOptions, Pick<Consent, 'yes' | 'publish'> {
  readonly out?: string
  readonly prune: boolean
  readonly exitCode?: boolean
  readonly format: Format
}

export const planCommand = (context: Context, run = plan): Command =>
  new Command('plan')
    .description(
      'Compare a catalog with the service, and show what apply would do: create, change, leave unchanged, or refuse because it is published. Nothing is changed. A plan that is saved is carried out by apply as it was reviewed, publishing and charges included.',
    )
    .argument('<path...>', 'YAML or JSON files, folders, globs, or - for standard input')
    .option('--out <file>', 'save the plan, for apply')
    .option('--prune', "delete what the catalog's templates have beside it: faces, actions, draft variations", false)
    .option('--exit-code', 'end with 10 where something is to be done')
    .option('--junit <file>', 'write what became of each document as JUnit XML, too')
    .addOption(formatOption())
    .addHelpText(
      'after',
      '\nExamples:\n  vatom plan catalog/\n  vatom plan catalog/ --out review.plan\n  vatom plan catalog/ --exit-code --json',
    )
    .action((paths: string[], options: PlanOptions) => run(paths, options, context))

export async function plan(paths: readonly string[], options: PlanOptions, context: Context): Promise<void> {
  const [{ loadForService }, { comparedWith }, { isChanging, withoutPublishing }, { plannedRows }] = await Promise.all([
    import('../catalog/load-valid.ts'),
    import('../catalog/plan/compare.ts'),
    import('../catalog/apply/consent.ts'),
    import('../catalog/plan/plan-rows.ts'),
  ])
  refuseSaved(paths, context, await import('../catalog/plan/saved-plan.ts'))
  const report = await junitFile('plan', options, context)
  const files = await loadForService(paths, { format: options.format, report }, context)
  await context.announce()
  const compared = await comparedWith(files.documents, { ...options, publisher: files.publisher }, context)
  const found = options.yes && !options.publish ? withoutPublishing(compared) : compared
  const failure = refusalOf(found)
  const { out } = options
  if (out !== undefined && !failure) await save(found, files.publisher, { ...options, out }, context)
  await showPlan(found, failure, options.format, context)
  await report(plannedRows(found))
  if (failure) throw new Reported(failure.exitCode)
  if (out !== undefined)
    context.output.note(styled`Saved the plan. To carry it out, publishing and charges included: vatom apply ${out}`)
  if (options.exitCode && isChanging(found)) throw new Reported(exit.different)
}

/** A plan that was saved says what it does when it is applied. */
function refuseSaved(
  paths: readonly string[],
  { host }: Context,
  { readPlan }: typeof import('../catalog/plan/saved-plan.ts'),
): void {
  const saved = paths.find((path) => readPlan(path, host.cwd))
  if (saved !== undefined) throw usage(`${saved} is a saved plan`, `carry it out with: vatom apply ${saved}`)
}

function refusalOf({ steps }: Plan): Failure | undefined {
  const refused = steps.filter(({ deed }) => deed === 'refuse').length
  if (refused === 0) return undefined
  return new Failure('refused', exit.refused, `${refused} of ${steps.length} documents would be refused`, {
    hint: 'apply sends nothing of a catalog while some of it is refused',
  })
}

async function showPlan(found: Plan, failure: Failure | undefined, format: Format, { output }: Context): Promise<void> {
  const [{ planJson, planLines, tellAlike }, { plannedRows }] = await Promise.all([
    import('../catalog/plan/plan-text.ts'),
    import('../catalog/plan/plan-rows.ts'),
  ])
  const wanted = formatOf(format, output)
  if (wanted === 'github' || wanted === 'sarif') {
    await reportRows(plannedRows(found), { done: [], exitCode: failure?.exitCode ?? exit.done }, wanted, output)
    output.complain(planLines(found, { paint: output.notePaint }))
  }
  if (wanted === 'json') output.document({ ...planJson(found), ...(failure && { error: failureJson(failure) }) })
  if (wanted === 'text') await output.listing(null, () => planLines(found, output))
  tellAlike(found, output)
  if (failure) output.complain(failureLines(failure, output))
}

async function save(
  found: Plan,
  publisher: string,
  { out, prune }: PlanOptions & { readonly out: string },
  { host, target }: Context,
): Promise<void> {
  const [{ contentOf, savePlan }, { targetName }] = await Promise.all([
    import('../catalog/plan/saved-plan.ts'),
    import('../catalog/apply/apply.ts'),
  ])
  const head = { when_planned: host.now().toISOString(), target: targetName(await target()), publisher, prune }
  savePlan(contentOf(found, head), out, host.cwd)
}
