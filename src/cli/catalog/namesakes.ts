import { sameNameHint, sameNameText } from '../../documents/load/inputs.ts'
import type { LoadedDocument } from '../../documents/load/loaded.ts'
import { projectAt } from '../../documents/load/project.ts'
import { folderFrom } from '../../file-system.ts'
import type { Context } from '../context.ts'
import { styled } from '../io/text.ts'
import { pipelineVariable } from '../pipeline.ts'
import type { Beside } from './beside.ts'
import type { FoundCatalogs } from './catalog-names.ts'
import { folderKey, type Owners, ownKey } from './owners.ts'
import { readCatalog } from './pull/existing-catalog.ts'

interface Run extends Pick<FoundCatalogs, 'named'> {
  readonly documents: readonly LoadedDocument[]
  readonly publisher: string
  readonly beside: Beside
}

/** Another folder of the same name as a catalog of a run, from which that was applied on this machine. */
export interface Namesake {
  readonly folder: string
  readonly catalog: string
  /** What it describes, by `ownKey`. */
  readonly keys: ReadonlySet<string>
}

/**
 * Finds other folders from which a catalog of the same name was applied on this machine. Warns of those that describe
 * what the files of the run do not: pruning would delete it. A clone with the same documents is left out, and so are the
 * checkouts of other jobs in a pipeline.
 */
export async function warnOfNamesakes(
  { named, documents, publisher, beside }: Run,
  owners: Owners,
  context: Context,
): Promise<Namesake[]> {
  const { cwd, env } = context.host
  if (pipelineVariable(env)) return []
  const names = new Set(named.values())
  const prefix = folderKey('')
  const found: Namesake[] = []
  for (const [key, catalog] of Object.entries(owners)) {
    const path = key.slice(prefix.length)
    if (!key.startsWith(prefix) || !names.has(catalog) || named.has(path)) continue
    if ((await projectAt(path, cwd))?.catalog !== catalog) continue
    const other = await readCatalog({ dir: path, cwd, publisher }, context)
    found.push({ folder: folderFrom(cwd, path), catalog, keys: new Set(other.documents.map((one) => one.key)) })
  }
  if (found.length === 0) return found
  const own = new Set([...documents.map(({ kind, value }) => ownKey(kind, value)), ...(await beside()).keys()])
  for (const { catalog, folder, keys } of found)
    if ([...keys].some((key) => !own.has(key)))
      context.output.warn(styled`${sameNameText(catalog, folder)}; ${sameNameHint}`)
  return found
}
