import { Command, Option } from 'commander'
import type { Context } from '../context.ts'
import { type DiscoverOptions, discover } from '../discover/discover.ts'
import { wholeNumber } from '../io/option-values.ts'

export const command = (context: Context): Command =>
  new Command('discover')
    .description('Search the vAtoms you own and the public ones, newest first.')
    .option('--mine', 'only your own: --scope owner=$currentuser')
    .option('--scope <key=value>', 'only where a key has one of up to 5 comma-separated values')
    .option(
      '--filter <comparison...>',
      "compare a field: 'category = Coupons'; = != > >= < <= and ~ (contains, * is any text)",
    )
    .option('--any', 'find what matches any comparison, instead of all')
    .option('-f, --file <file>', 'take the query from a YAML or JSON file, or - for standard input')
    .addOption(new Option('--limit <n>', 'vAtoms per page (default: 100; at most 1000)').argParser(wholeNumber))
    .addOption(new Option('--page <n>', 'page to show, from 1').argParser(wholeNumber))
    .option('--all', 'show every page')
    .option('--count', 'print only how many there are')
    .option(
      '--explain',
      'show how the query is evaluated; on the local context also how many vAtoms each element finds',
    )
    .addHelpText(
      'after',
      `
Examples:
  vatom discover --mine
  vatom discover --filter 'category = Coupons' --filter 'template ~ Coffee'
  vatom discover --scope owner='$currentuser' --count
  vatom discover --filter 'category = Coupons' 'private.size = small' --explain

Short names stand for the full ones: owner is vAtom::vAtomType.owner. Custom
fields: private.NAME.`,
    )
    .action((options: DiscoverOptions) => discover(options, context))
