import type { Client } from '../../client/client.ts'
import { limits } from '../../contract/limits.ts'
import { at } from '../../contract/schema/path.ts'
import { plural } from '../../contract/schema/wording.ts'
import { folderTypes, vatomTypeKey } from '../../contract/values.ts'
import type { Place } from '../service/every-page.ts'
import { inParallel } from '../service/in-parallel.ts'
import { ListSize } from '../service/list-size.ts'
import { newOnEachPage } from '../service/new-on-each-page.ts'
import { idLists } from './vatom-id.ts'
import { builtIn, type Vatom } from './vatom-table.ts'

/** What is in each of the caller's vAtoms that is a folder, and in the folders in it; by the folder's id. */
export async function contentsById(client: Client, ids: readonly string[]): Promise<ReadonlyMap<string, Vatom[]>> {
  const pages = await inParallel(idLists(ids), (some) => client.getVatoms({ body: { ids: some } }))
  const folders = pages.flatMap(({ vatoms }) => vatoms.filter(canHold).map(({ id }) => String(id)))
  return new Map(await inParallel(folders, async (id) => [id, await contentsOf(client, [id], new Set([id]))] as const))
}

/** What is in folders, level after level; a folder that was read is not read again. */
async function contentsOf(client: Client, folders: readonly string[], known: Set<string>): Promise<Vatom[]> {
  const found = (await inParallel(folders, (id) => directlyIn(client, id))).flat()
  const inner = found.filter(canHold).map(({ id }) => String(id))
  const unread = inner.filter((id) => !known.has(id))
  for (const id of unread) known.add(id)
  return unread.length === 0 ? found : [...found, ...(await contentsOf(client, unread, known))]
}

async function directlyIn(client: Client, parent_id: string): Promise<Vatom[]> {
  const ask = async (place: Place) => (await client.getInventory({ body: { parent_id, ...place } })).vatoms
  const found: Vatom[] = []
  const size = new ListSize()
  for await (const vatoms of newOnEachPage({ ask, limit: limits.inventory, keyOf: ({ id }) => id })) {
    size.add(vatoms)
    found.push(...vatoms)
  }
  return found.filter((vatom) => at(vatom, vatomTypeKey, 'parent_id') === parent_id)
}

const canHold = (vatom: Vatom): boolean => folderTypes.has(at(vatom, vatomTypeKey, 'root_type'))

/** Titles that a text names at most. */
const named = 3

/** `6 vAtoms in it (3 Latte, 2 Sticker, 1 Ticket)` */
export function contentsText(vatoms: readonly Vatom[]): string {
  const counts = new Map<string, number>()
  for (const vatom of vatoms) {
    const title = builtIn('title')(vatom) || builtIn('template_variation')(vatom)
    counts.set(title, (counts.get(title) ?? 0) + 1)
  }
  const largest = [...counts].sort(([, a], [, b]) => b - a).slice(0, named)
  const others = vatoms.length - largest.reduce((sum, [, count]) => sum + count, 0)
  const parts = [...largest.map(([title, count]) => `${count} ${title}`), ...(others > 0 ? [`${others} more`] : [])]
  return `${plural(vatoms.length, 'vAtom')} in it (${parts.join(', ')})`
}
