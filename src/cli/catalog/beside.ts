import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { loadInOrder } from '../../documents/load/load.ts'
import type { LoadedDocument } from '../../documents/load/loaded.ts'
import type { RunPlace } from '../../documents/load/project.ts'
import { folderFrom, isWithin } from '../../file-system.ts'
import { type Context, once } from '../context.ts'
import { usage } from '../failure/failure.ts'
import { sourceOf } from '../kinds/load-checked.ts'
import type { FoundCatalogs } from './catalog-names.ts'
import type { PruneOptions } from './options.ts'
import { ownKey } from './owners.ts'
import { flagOf } from './unread.ts'
import { checkCheckedOut } from './whole-checkout.ts'

/** Where a record is described that is in no file of a run. */
export interface Described extends Pick<LoadedDocument, 'name' | 'file' | 'value'> {
  /** The folder of its catalog. */
  readonly folder: string
}

/** What the catalogs of a run describe in files that it was not given, by `ownKey`; it is read once, when it is asked for. */
export type Beside = () => Promise<ReadonlyMap<string, Described>>

/** Reads the folders of catalogs of which only a part was given. */
export function besideOf(partial: readonly string[], publisher: string, context: Context): Beside {
  const { cwd } = context.host
  const others = partial.map((folder) => folderFrom(cwd, folder))
  const folderOf = (file: string) => others.find((folder) => file.startsWith(`${folder}/`)) ?? '.'
  return once(async () => {
    if (others.length === 0) return new Map()
    const { documents } = await loadInOrder(others, { ...sourceOf(context), publisher })
    return new Map(
      documents.map(({ kind, name, value, file }) => [
        ownKey(kind, value),
        { name, file, value, folder: folderOf(file) },
      ]),
    )
  })
}

/** What a run that deletes was given. */
interface Pruned extends Pick<FoundCatalogs, 'partial' | 'whole'> {
  readonly inputs: readonly string[]
  /** The command of the run, for other inputs. */
  readonly commandFor: (inputs: readonly string[]) => string
}

/** Throws a usage error for a run that is to delete what is in no file, and was not given all files. */
export async function checkWhole(
  { inputs, partial, whole, commandFor }: Pruned,
  { prune }: PruneOptions,
  place: RunPlace,
): Promise<void> {
  const { cwd } = place
  const flag = flagOf({ prune })
  if (prune && inputs.every((input) => input === '-'))
    throw usage(
      '--prune deletes what a catalog owns, and standard input is in no catalog',
      'name the folder of the catalog in place of -, or leave out --prune',
    )
  if (partial.length === 0) return await checkCheckedOut({ whole }, flag, place)
  // The files that a pattern matches are in these folders, or in others that were given.
  const isPattern = (path: string) => !existsSync(path)
  const isRest = (input: string) => {
    const path = resolve(cwd, input)
    return input === '-' || !(isPattern(path) || partial.some((folder) => isWithin(folder, path)))
  }
  const folders = partial.map((folder) => folderFrom(cwd, folder))
  throw usage(
    `${flag} deletes what is in no file, so it needs the whole catalog, not a part of it`,
    commandFor([...folders, ...inputs.filter(isRest)]),
  )
}
