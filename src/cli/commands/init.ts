import { Command, Option } from 'commander'
import { rootTypes } from '../../contract/values.ts'
import type { Context } from '../context.ts'
import { dryRunOption } from '../dry-run/option.ts'
import { usage } from '../failure/failure.ts'
import { type InitOptions, init } from '../init/init.ts'
import type { WorkflowName } from '../init/workflow.ts'
import { fieldsOf, flagOf } from '../io/option-values.ts'

interface Options extends InitOptions {
  readonly workflow?: WorkflowName
  readonly dryRun?: boolean
}

export const command = (context: Context): Command =>
  new Command('init')
    .description(
      'Write a starter catalog: a template, a variation, faces and actions that can be published as they are, with schemas for your editor. Existing files are not overwritten.',
    )
    .argument('[dir]', 'the folder to write to; created if it does not exist', '.')
    .option('--name <name>', 'name of the template, without publisher and version (default: after the folder)')
    .option('--title <title>', 'title that people see (default: the name)')
    .option('--category <category>', 'category that viewers group by (default: Coupons)')
    .addOption(new Option('--root-type <type>', 'kind of vAtom (default: a regular one)').choices(rootTypes))
    .option('--redeemable', 'its owner, or any merchant, can redeem it')
    .option('--no-redeemable', 'nobody can redeem it')
    .option('--cloneable', 'its owner can share copies of it')
    .option('--no-cloneable', 'nobody can copy it')
    .addOption(
      new Option(
        '--workflow <kind>',
        'write no catalog, but a pipeline for the one in the folder: checks, plans, applies',
      ).choices(['github', 'gitlab', 'pre-commit'] satisfies WorkflowName[]),
    )
    .addOption(dryRunOption())
    .addHelpText(
      'after',
      `
Examples:
  vatom init shop
  vatom init shop --name FreeTea --title 'Free tea' --redeemable
  vatom init . --name Sticker --category Collectibles --cloneable --no-input
  vatom init shop --workflow github

On a terminal it asks for values that no flag gives; otherwise it uses the
defaults.`,
    )
    .action((dir: string, options: Options) => write(dir, options, context))

async function write(dir: string, { workflow, dryRun: _, ...answers }: Options, context: Context): Promise<void> {
  for (const flag of ['--redeemable', '--cloneable'])
    if (both(flag, context)) throw usage(`${flag} and ${negative(flag)} exclude each other`, 'give one of them')
  if (workflow === undefined) return init(dir, answers, context)
  const [given] = Object.keys(fieldsOf(answers))
  if (given !== undefined)
    throw usage(
      `--workflow writes no catalog, and excludes ${flagOf(given)}`,
      'first write the catalog, without --workflow',
    )
  return (await import('../init/workflow.ts')).writeWorkflow(dir, workflow, context)
}

const negative = (flag: string) => flag.replace('--', '--no-')

/** Whether a flag was given and its opposite, too: the parser leaves the last one. */
const both = (flag: string, { typed }: Context) => typed.includes(flag) && typed.includes(negative(flag))
