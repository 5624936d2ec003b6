import { Command, Option } from 'commander'
import { rootTypes } from '../../contract/values.ts'
import type { Context } from '../context.ts'
import { dryRunOption } from '../dry-run/option.ts'
import { type InitOptions, init } from '../init/init.ts'

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
    .option('--redeemable', 'a merchant can redeem it')
    .option('--no-redeemable', 'nobody can redeem it')
    .option('--cloneable', 'its owner can share copies of it')
    .option('--no-cloneable', 'nobody can copy it')
    .addOption(dryRunOption())
    .addHelpText(
      'after',
      `
Examples:
  vatom init shop
  vatom init shop --name FreeTea --title 'Free tea' --redeemable
  vatom init . --name Sticker --category Collectibles --cloneable --no-input

On a terminal it asks for values that no flag gives; otherwise it uses the
defaults.`,
    )
    .action((dir: string, options: InitOptions) => init(dir, options, context))
