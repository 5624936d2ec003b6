import { Command } from 'commander'
import type { Context } from '../context.ts'
import { type DiscoverOptions, discover, discoverSize } from '../discover/discover.ts'
import { addPageOptions } from '../vatoms/paged-list.ts'

export const command = (context: Context): Command =>
  addPageOptions(
    new Command('discover')
      .description('Search the vAtoms you own and the public ones, newest first.')
      .option('--mine', 'only your own: --scope owner=$currentuser')
      .option('--scope <key=value>', 'only where a key has one of up to 5 comma-separated values')
      .option(
        '--filter <comparison...>',
        "compare a field: 'category = Coupons'; = != > >= < <= and ~ (contains, * is any text); upper and lower case count",
      )
      .option('--any', 'find what matches any comparison, instead of all')
      .option('-f, --file <file>', 'take the query from a YAML or JSON file, or - for standard input'),
    discoverSize,
  )
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

Short names stand for the full ones: owner is vAtom::vAtomType.owner; after =
and != also those of a template or variation ('template = Coffee'), and the
beginning of an id, of a user's as far as a vAtom that you can see has it.
Custom fields: private.NAME. With --json, has_more says whether there is
another page, and next which.`,
    )
    .action((options: DiscoverOptions) => discover(options, context))
