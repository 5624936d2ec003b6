import { Command } from 'commander'
import { limits } from '../../contract/limits.ts'
import type { Context } from '../context.ts'
import type { Place } from '../service/every-page.ts'
import { addPageOptions, checkPageOptions, type PageOptions, printList } from '../vatoms/paged-list.ts'
import { vatomId } from '../vatoms/vatom-id.ts'
import { stateOf, usualColumns, type Vatom } from '../vatoms/vatom-table.ts'

interface InventoryOptions extends PageOptions {
  readonly folder?: string
}

const size = { usual: limits.inventory, most: limits.inventory }

export const command = (context: Context): Command =>
  addPageOptions(
    new Command('inventory')
      .description('List the vAtoms you own in all folders, newest first.')
      .option('--folder <id>', 'only those in this folder; . is the root'),
    size,
  )
    .addHelpText(
      'after',
      `
Examples:
  vatom inventory
  vatom inventory --folder ID --all --json
  vatom inventory --all --ndjson | jq -r .id

On a terminal that whole ids do not fit, their beginnings are shown: commands
that take an id accept them. With --json, has_more says whether there is
another page, and next which.`,
    )
    .action((options: InventoryOptions) => inventory(options, context))

async function inventory(options: InventoryOptions, context: Context): Promise<void> {
  checkPageOptions(options, context.output)
  const { client } = await context.connect()
  const parent_id = await vatomId(options.folder ?? '*', client)
  const list = {
    size,
    ask: (place: Place) => client.getInventory({ body: { parent_id, ...place } }),
    vatomsOf: ({ vatoms }: { vatoms: readonly Vatom[] }) => vatoms,
    fieldsOf: (vatoms: readonly Vatom[]) => ({ vatoms }),
    columns: [...usualColumns, ['STATE', stateOf(context.output)] as const],
  }
  await printList(list, options, context)
}
