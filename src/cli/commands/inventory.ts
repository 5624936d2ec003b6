import { Command, Option } from 'commander'
import type { Client } from '../../client/client.ts'
import type { VatomsPage } from '../../contract/api/vatom.ts'
import { limits } from '../../contract/limits.ts'
import { at, listAt } from '../../contract/schema/path.ts'
import { vatomTypeKey } from '../../contract/values.ts'
import type { Context } from '../context.ts'
import { usage } from '../failure/failure.ts'
import { wholeNumber } from '../io/option-values.ts'
import { tableLines } from '../io/table.ts'
import { styled } from '../io/text.ts'
import { merged } from '../service/every-page.ts'

interface InventoryOptions {
  readonly folder?: string
  readonly all?: boolean
  readonly limit?: number
  readonly page?: number
}

export const command = (context: Context): Command =>
  new Command('inventory')
    .description('List the vAtoms you own in all folders, newest first.')
    .option('--folder <id>', 'only those in this folder; . is the root')
    .option('--all', 'show every page')
    .addOption(
      new Option(
        '--limit <n>',
        `vAtoms per page (default: ${limits.inventory}; at most ${limits.inventory})`,
      ).argParser(wholeNumber),
    )
    .addOption(new Option('--page <n>', 'page to show, from 1').argParser(wholeNumber))
    .addHelpText('after', '\nExamples:\n  vatom inventory\n  vatom inventory --folder ID --all --json')
    .action((options: InventoryOptions) => inventory(options, context))

async function inventory(options: InventoryOptions, context: Context): Promise<void> {
  const { folder = '*', all, limit = limits.inventory, page = 1 } = options
  if (all && options.page !== undefined) throw usage('--all excludes --page')
  const { client } = await context.connect()
  const ask = { parent_id: folder, limit, page }
  const found = all ? await everyPage(client, ask) : await client.getInventory({ body: ask })
  context.output.result(found, () => lines(found, context))
  if (found.vatoms.length === 0) context.output.note('No vAtoms found.')
  else if (!all && found.vatoms.length >= Math.min(limit || limits.inventory, limits.inventory))
    context.output.note(styled`There may be more: --page ${Math.max(1, page) + 1}, or --all`)
}

/** All pages as one, until a page has no new vAtom: a service may ignore the page number. */
async function everyPage(client: Client, ask: { parent_id: string; limit: number }): Promise<VatomsPage> {
  const known = new Set<unknown>()
  const pages: VatomsPage[] = []
  for (let page = 1; ; page++) {
    const next = await client.getInventory({ body: { ...ask, page } })
    const before = known.size
    for (const { id } of next.vatoms) known.add(id)
    if (known.size === before) return merged(pages)
    pages.push(next)
  }
}

function lines({ vatoms }: VatomsPage, { output }: Context) {
  const rows = vatoms.map((vatom) => [
    String(vatom.id),
    String(at(vatom, vatomTypeKey, 'title') ?? ''),
    String(at(vatom, vatomTypeKey, 'template_variation') ?? ''),
    stateOf(vatom),
  ])
  return tableLines(['ID', 'TITLE', 'VARIATION', 'STATE'], rows, output)
}

/** `activated, dropped` */
function stateOf(vatom: Readonly<Record<string, unknown>>): string {
  const activated = listAt(vatom, vatomTypeKey, 'states').some(
    (state) => at(state, 'name') === 'Activated' && String(at(state, 'value', 'value')) === 'true',
  )
  const folder = at(vatom, vatomTypeKey, 'parent_id')
  return [
    activated ? 'activated' : 'inactive',
    ...(vatom.unpublished === true ? ['draft'] : []),
    ...(at(vatom, vatomTypeKey, 'dropped') === true ? ['dropped'] : []),
    ...(folder === undefined || folder === '.' ? [] : ['in a folder']),
  ].join(', ')
}
