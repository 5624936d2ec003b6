import { sameNameHint, sameNameText } from '../../documents/load/inputs.ts'
import type { LoadedDocument } from '../../documents/load/loaded.ts'
import { projectAt } from '../../documents/load/project.ts'
import { folderFrom } from '../../file-system.ts'
import type { Context } from '../context.ts'
import { styled } from '../io/text.ts'
import type { FoundCatalogs } from './catalog-names.ts'
import { folderKey, type Owners, ownKey } from './owners.ts'
import { readCatalog } from './pull/existing-catalog.ts'

interface Run extends Pick<FoundCatalogs, 'named'> {
  readonly documents: readonly LoadedDocument[]
  readonly publisher: string
}

/**
 * Warns of other folders from which a catalog of the same name was applied on this machine, and which are no clone: they
 * have other documents, which the two would delete of each other.
 */
export async function warnOfNamesakes(
  { named, documents, publisher }: Run,
  owners: Owners,
  context: Context,
): Promise<void> {
  const { cwd } = context.host
  const names = new Set(named.values())
  const own = new Set(documents.map(({ kind, value }) => ownKey(kind, value)))
  const prefix = folderKey('')
  for (const [key, catalog] of Object.entries(owners)) {
    const folder = key.slice(prefix.length)
    if (!key.startsWith(prefix) || !names.has(catalog) || named.has(folder)) continue
    if ((await projectAt(folder, cwd))?.catalog !== catalog) continue
    const other = await readCatalog({ dir: folder, cwd, publisher }, context)
    if (other.documents.length === 0 || other.documents.some((one) => own.has(one.key))) continue
    context.output.warn(styled`${sameNameText(catalog, folderFrom(cwd, folder))}; ${sameNameHint}`)
  }
}
