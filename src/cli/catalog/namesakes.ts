import { sameName } from '../../documents/load/inputs.ts'
import type { LoadedDocument, Problem } from '../../documents/load/loaded.ts'
import { projectAt } from '../../documents/load/project.ts'
import { folderFrom } from '../../file-system.ts'
import { type Context, once } from '../context.ts'
import type { Host } from '../host.ts'
import { pipelineVariable } from '../pipeline.ts'
import type { Beside } from './beside.ts'
import type { FoundCatalogs } from './catalog-names.ts'
import { besideOrNear, isBesideJobs } from './neighbours.ts'
import { folderKey, type Owners, ownKey, pathsOf } from './owners.ts'
import { keysIn } from './pull/existing-catalog.ts'

/** Another folder of the same name as a catalog of a run, from which that was applied on this machine. */
export interface Namesake {
  readonly folder: string
  readonly catalog: string
  /** What it describes, by `ownKey`. */
  readonly keys: ReadonlySet<string>
}

/** The files of a run, and of its catalogs those beside them. */
interface Run extends Pick<FoundCatalogs, 'named'> {
  readonly documents: readonly LoadedDocument[]
  readonly beside: Beside
}

interface Look extends Run {
  readonly publisher: string
  readonly owners: Owners
}

/**
 * The other folders with a catalog of the same name: those beside it in its repository or where there is none, and those
 * from which one was applied on this machine, but not what other jobs of a pipeline have of it, which describes some of the
 * same.
 */
export async function namesakesOf(look: Look, context: Context): Promise<Namesake[]> {
  const { named, publisher } = look
  const { host } = context
  const { cwd } = host
  const names = new Set(named.values())
  const ownKeys = once(() => keysOf(look))
  const found: Namesake[] = []
  for (const [path, isOfJob] of candidates(look, host)) {
    const catalog = named.has(path) ? undefined : (await projectAt(path, host))?.catalog
    if (catalog === undefined || !names.has(catalog)) continue
    const keys = await keysUnless(isOfJob ? await ownKeys() : none, keysIn({ dir: path, cwd, publisher }, context))
    if (keys) found.push({ folder: folderFrom(cwd, path), catalog, keys })
  }
  return found
}

/** Folders that may have a catalog of the same name, and whether it may be what another job has of this one. */
function candidates({ named, owners }: Look, host: Host): Map<string, boolean> {
  const applied = pipelineVariable(host.env) ? [] : appliedFrom(owners, new Set(named.values()))
  const beside = [...named.keys()].flatMap((folder) =>
    besideOrNear(folder).map((path): [string, boolean] => [path, isBesideJobs(folder, host)]),
  )
  return new Map([...applied.map((path): [string, boolean] => [path, false]), ...beside])
}

const none: ReadonlySet<string> = new Set()

/** All keys; undefined once one of some others is among them: earlier jobs may have left hundreds of folders. */
async function keysUnless(others: ReadonlySet<string>, keys: AsyncIterable<string>): Promise<Set<string> | undefined> {
  const all = new Set<string>()
  for await (const key of keys) {
    if (others.has(key)) return undefined
    all.add(key)
  }
  return all
}

/** What the catalogs of a run describe, by `ownKey`. */
const keysOf = async ({ documents, beside }: Run): Promise<ReadonlySet<string>> =>
  new Set([...documents.map(({ kind, value }) => ownKey(kind, value)), ...(await beside()).keys()])

interface Warned extends Run {
  readonly namesakes: readonly Namesake[]
}

/**
 * Warns of those namesakes that describe what the files of a run do not: pruning would delete it. A clone with the same
 * documents is left out.
 */
export async function sameNames({ namesakes, ...run }: Warned, cwd: string): Promise<Problem[]> {
  if (namesakes.length === 0) return []
  const { named } = run
  const own = await keysOf(run)
  const folders = new Map([...named].map(([folder, name]) => [name, folderFrom(cwd, folder)]))
  return namesakes
    .filter(({ keys }) => [...keys].some((key) => !own.has(key)))
    .map(({ catalog, folder }) => sameName(catalog, folders.get(catalog) ?? '.', folder))
}

/** The folders from which catalogs of these names were applied on this machine. */
const appliedFrom = (owners: Owners, names: ReadonlySet<string>): string[] =>
  pathsOf('folder', owners).filter((folder) => names.has(owners[folderKey(folder)] ?? ''))
