import type { Client } from '../../client/client.ts'
import { unlessRefused } from '../../client/errors.ts'
import type { Context } from '../context.ts'
import { seeList } from '../failure/hinted.ts'
import { styled } from '../io/text.ts'
import { type Doomed, deleteCommandFor } from '../kinds/verbs/delete.ts'
import { inParallel } from '../service/in-parallel.ts'
import { givenIds } from '../vatoms/given-ids.ts'
import { idHelp, idLists, vatomIds } from '../vatoms/vatom-id.ts'
import { builtIn } from '../vatoms/vatom-table.ts'

export const command = deleteCommandFor({
  kind: 'vatom',
  words: 'vAtom',
  verb: 'trash',
  summary: 'trash vAtoms',
  description: 'Trash your vAtoms; a folder is trashed with everything in it. This cannot be undone.',
  key: 'id',
  keyHelp: `${idHelp}; - stands for the ids on standard input`,
  recordsOf,
  titlesOf,
  isFinal: true,
  read: (client, id) => client.getVatom({ id }),
  remove: (client, id) => client.trashVatom({ body: { 'this.id': id } }),
  hints: () => ({
    unknownVatom: seeList('inventory'),
    foreignVatom: `it was trashed before, or is somebody else's; ${seeList('inventory')}`,
  }),
})

/** The vAtoms that are meant, each with its contents; what is in another of them goes with that one. */
async function recordsOf(given: readonly string[], context: Context): Promise<readonly Doomed[]> {
  const { client } = await context.connect()
  const ids = await vatomIds(await givenIds(given, context), client)
  const { contentsById, contentsText } = await import('../vatoms/contents.ts')
  // A service that does not say what is in a folder may trash it all the same.
  const found = await contentsById(client, ids).catch(unlessRefused)
  if (found === undefined) return ids.map((name) => ({ name, contents: ['what is in it'] }))
  const within = new Set([...found.values()].flat().map(({ id }) => id))
  const outermost = [...found].filter(([folder]) => !within.has(folder))
  const folderOf = new Map(outermost.flatMap(([folder, contents]) => contents.map(({ id }) => [id, folder] as const)))
  return ids.flatMap((name) => {
    const folder = folderOf.get(name)
    if (folder !== undefined) context.output.note(styled`${name} is in ${folder}, and is trashed with it`)
    const contents = found.get(name) ?? []
    return folder === undefined ? [{ name, contents: contents.length === 0 ? [] : [contentsText(contents)] }] : []
  })
}

async function titlesOf(client: Client, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const pages = await inParallel(idLists(ids), (some) => client.getVatoms({ body: { ids: some } }))
  return new Map(pages.flatMap(({ vatoms }) => vatoms.map((one) => [String(one.id), builtIn('title')(one)] as const)))
}
