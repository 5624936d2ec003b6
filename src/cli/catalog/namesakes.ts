import { sameName } from '../../documents/load/inputs.ts'
import type { LoadedDocument, Problem } from '../../documents/load/loaded.ts'
import { projectAt } from '../../documents/load/project.ts'
import { folderFrom } from '../../file-system.ts'
import type { Context } from '../context.ts'
import { pipelineVariable } from '../pipeline.ts'
import type { Beside } from './beside.ts'
import type { FoundCatalogs } from './catalog-names.ts'
import { besideOrNear } from './neighbours.ts'
import { folderKey, type Owners, ownKey, pathsOf } from './owners.ts'
import { readCatalog } from './pull/existing-catalog.ts'

/** Another folder of the same name as a catalog of a run, from which that was applied on this machine. */
export interface Namesake {
  readonly folder: string
  readonly catalog: string
  /** What it describes, by `ownKey`. */
  readonly keys: ReadonlySet<string>
}

interface Look extends Pick<FoundCatalogs, 'named'> {
  readonly publisher: string
  readonly owners: Owners
}

/**
 * The other folders with a catalog of the same name: those beside it in its repository or where there is none, and those
 * from which one was applied on this machine, but not what other jobs of a pipeline have.
 */
export async function namesakesOf({ named, publisher, owners }: Look, context: Context): Promise<Namesake[]> {
  const { host } = context
  const { cwd, env } = host
  const names = new Set(named.values())
  const applied = pipelineVariable(env) ? [] : appliedFrom(owners, names)
  const found: Namesake[] = []
  for (const path of new Set([...applied, ...[...named.keys()].flatMap((folder) => besideOrNear(folder, host))])) {
    const catalog = named.has(path) ? undefined : (await projectAt(path, host))?.catalog
    if (catalog === undefined || !names.has(catalog)) continue
    const other = await readCatalog({ dir: path, cwd, publisher }, context)
    found.push({ folder: folderFrom(cwd, path), catalog, keys: new Set(other.documents.map((one) => one.key)) })
  }
  return found
}

interface Run extends Pick<FoundCatalogs, 'named'> {
  readonly documents: readonly LoadedDocument[]
  readonly namesakes: readonly Namesake[]
  readonly beside: Beside
}

/**
 * Warns of those namesakes that describe what the files of a run do not: pruning would delete it. A clone with the same
 * documents is left out.
 */
export async function sameNames({ named, documents, namesakes, beside }: Run, cwd: string): Promise<Problem[]> {
  if (namesakes.length === 0) return []
  const own = new Set([...documents.map(({ kind, value }) => ownKey(kind, value)), ...(await beside()).keys()])
  const folders = new Map([...named].map(([folder, name]) => [name, folderFrom(cwd, folder)]))
  return namesakes
    .filter(({ keys }) => [...keys].some((key) => !own.has(key)))
    .map(({ catalog, folder }) => sameName(catalog, folders.get(catalog) ?? '.', folder))
}

/** The folders from which catalogs of these names were applied on this machine. */
const appliedFrom = (owners: Owners, names: ReadonlySet<string>): string[] =>
  pathsOf('folder', owners).filter((folder) => names.has(owners[folderKey(folder)] ?? ''))
