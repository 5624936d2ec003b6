import type { Client } from '../../client/client.ts'
import { limits } from '../../contract/limits.ts'
import { at } from '../../contract/schema/path.ts'
import { plural } from '../../contract/schema/wording.ts'
import { folderTypes, vatomTypeKey } from '../../contract/values.ts'
import { Failure } from '../failure/failure.ts'
import type { Place } from '../service/every-page.ts'
import { inParallel } from '../service/in-parallel.ts'
import { endless, endlessCode, ListSize } from '../service/list-size.ts'
import { newOnEachPage } from '../service/new-on-each-page.ts'
import { idLists } from './vatom-id.ts'
import { titleOf, type Vatom } from './vatom-table.ts'

/** What reads vAtoms and folders. */
type Reader = Pick<Client, 'getVatoms' | 'getInventory'>

/** What is in each of the caller's vAtoms that is a folder, and in the folders in it; by the folder's id. */
export async function contentsById(client: Reader, ids: readonly string[]): Promise<ReadonlyMap<string, Vatom[]>> {
  const pages = await inParallel(idLists(ids), (some) => client.getVatoms({ body: { ids: some } }))
  const folders = pages.flatMap(({ vatoms }) => vatoms.filter(canHold).map(({ id }) => String(id)))
  return new Map(await inParallel(folders, async (id) => [id, await contentsOf(client, id).catch(within(id))] as const))
}

/** What is in a folder, level after level; a folder that was read is not read again. */
async function contentsOf(client: Reader, folder: string): Promise<Vatom[]> {
  const levels: Vatom[][] = []
  const known = new Set([folder])
  const extent = new Extent()
  for (let level = [folder]; level.length > 0; ) {
    if (known.size > limits.pages) throw endless(`${limits.pages} folders`)
    const found = (await inParallel(level, (id) => directlyIn(client, id, extent))).flat()
    levels.push(found)
    level = found.filter(canHold).flatMap(({ id }) => (known.has(String(id)) ? [] : [String(id)]))
    for (const id of level) known.add(id)
  }
  return levels.flat()
}

async function directlyIn(client: Reader, parent_id: string, extent: Extent): Promise<Vatom[]> {
  const ask = async (place: Place) => (await client.getInventory({ body: { parent_id, ...place } })).vatoms
  const pages: Vatom[][] = []
  for await (const vatoms of newOnEachPage({ ask, limit: limits.inventory, keyOf: ({ id }) => id })) {
    extent.add(vatoms)
    pages.push(vatoms.filter((vatom) => at(vatom, vatomTypeKey, 'parent_id') === parent_id))
  }
  return pages.flat()
}

/** How many vAtoms were read in a folder, on all levels, and how large they are. */
class Extent {
  readonly #size = new ListSize()
  #count = 0

  /** Adds vAtoms. Throws `endless_list` for more than any other list may have. */
  add(vatoms: readonly Vatom[]): void {
    this.#size.add(vatoms)
    this.#count += vatoms.length
    if (this.#count > limits.listed) throw endless(`${limits.listed} records`)
  }
}

/** For failures to read what is in a folder: says in which, where that has no end. It is read before anything is changed. */
const within = (folder: string) => (error: unknown) => {
  if (!(error instanceof Failure && error.code === endlessCode)) throw error
  throw new Failure(error.code, error.exitCode, `${error.message} in ${folder}`, {
    hint: `nothing was changed; to see what is in it: vatom inventory --folder ${folder}`,
  })
}

const canHold = (vatom: Vatom): boolean => folderTypes.has(at(vatom, vatomTypeKey, 'root_type'))

/** Titles that a text names at most. */
const named = 3

/** `6 vAtoms in it (3 Latte, 2 Sticker, 1 Ticket)` */
export function contentsText(vatoms: readonly Vatom[]): string {
  const counts = new Map<string, number>()
  for (const vatom of vatoms) {
    const title = titleOf(vatom)
    counts.set(title, (counts.get(title) ?? 0) + 1)
  }
  const largest = [...counts].sort(([, a], [, b]) => b - a).slice(0, named)
  const others = vatoms.length - largest.reduce((sum, [, count]) => sum + count, 0)
  const parts = [...largest.map(([title, count]) => `${count} ${title}`), ...(others > 0 ? [`${others} more`] : [])]
  return `${plural(vatoms.length, 'vAtom')} in it (${parts.join(', ')})`
}
