import { Command } from 'commander'
import type { Client } from '../../client/client.ts'
import { limits } from '../../contract/limits.ts'
import { at } from '../../contract/schema/path.ts'
import { type rootTypes, vatomTypeKey } from '../../contract/values.ts'
import type { Context } from '../context.ts'
import { exit, Failure } from '../failure/failure.ts'
import { hinted, seeList } from '../failure/hinted.ts'
import type { Place } from '../service/every-page.ts'
import { addPageOptions, checkPageOptions, type PageOptions, printList } from '../vatoms/paged-list.ts'
import { vatomId } from '../vatoms/vatom-id.ts'
import { stateOf, usualColumns, type Vatom } from '../vatoms/vatom-table.ts'

interface InventoryOptions extends PageOptions {
  readonly folder?: string
}

const size = { usual: limits.inventory, most: limits.inventory, ofAll: limits.inventory }

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
  if (options.folder !== undefined && parent_id !== '.') await checkFolder(parent_id, client)
  const list = {
    size,
    ask: (place: Place) => client.getInventory({ body: { parent_id, ...place } }),
    vatomsOf: ({ vatoms }: { vatoms: readonly Vatom[] }) => vatoms,
    fieldsOf: (vatoms: readonly Vatom[]) => ({ vatoms }),
    columns: [...usualColumns, ['STATE', stateOf(context.output)] as const],
  }
  await printList(list, options, context)
}

/** The type of a vAtom that holds no others. */
const plainType = 'vAtom::vAtomType' satisfies (typeof rootTypes)[number]

/** Throws a failure for what cannot hold vAtoms: an empty list would say that it is an empty folder. */
async function checkFolder(id: string, client: Client): Promise<void> {
  const vatom = await hinted(client.getVatom({ id }), { unknownVatom: seeList('inventory') })
  if (at(vatom, vatomTypeKey, 'root_type') !== plainType) return
  throw new Failure('no_folder', exit.refused, `The vAtom ${id} is not a folder`, { hint: seeList('inventory') })
}
