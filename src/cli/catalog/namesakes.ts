import { sameNameHint, sameNameText } from '../../documents/load/inputs.ts'
import type { LoadedDocument } from '../../documents/load/loaded.ts'
import { projectAt } from '../../documents/load/project.ts'
import { folderFrom } from '../../file-system.ts'
import type { Context } from '../context.ts'
import { styled } from '../io/text.ts'
import { pipelineVariable } from '../pipeline.ts'
import type { Beside } from './beside.ts'
import type { FoundCatalogs } from './catalog-names.ts'
import { besideIt } from './elsewhere.ts'
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
 * Finds other folders with a catalog of the same name: those beside it in its repository, and those from which one was
 * applied on this machine. Warns of those that describe what the files of the run do not: pruning would delete it. A clone
 * with the same documents is left out, and so are the checkouts of other jobs in a pipeline.
 */
export async function warnOfNamesakes(
  { named, documents, publisher, beside }: Run,
  owners: Owners,
  context: Context,
): Promise<Namesake[]> {
  const { cwd, env } = context.host
  const names = new Set(named.values())
  const applied = pipelineVariable(env) ? [] : appliedFrom(owners, names)
  const found: Namesake[] = []
  for (const path of new Set([...applied, ...[...named.keys()].flatMap(besideIt)])) {
    const catalog = named.has(path) ? undefined : (await projectAt(path, cwd))?.catalog
    if (catalog === undefined || !names.has(catalog)) continue
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

/** The folders from which catalogs of these names were applied on this machine. */
function appliedFrom(owners: Owners, names: ReadonlySet<string>): string[] {
  const prefix = folderKey('')
  return Object.entries(owners).flatMap(([key, catalog]) =>
    key.startsWith(prefix) && names.has(catalog) ? [key.slice(prefix.length)] : [],
  )
}
