import { submoduleAround } from '../../documents/load/git-index.ts'
import type { RunPlace } from '../../documents/load/project.ts'
import { folderFrom, isWithin } from '../../file-system.ts'
import type { FoundCatalogs } from './catalog-names.ts'

/** The folders of the submodules that catalogs with a name are in, by these names. */
export type Submodules = ReadonlyMap<string, string>

/**
 * The catalogs with a name that are in submodules of folders that were given whole: the repository of one may be newer, and
 * describe more. None of a submodule that was given itself.
 */
export async function catalogsInSubmodules(
  { named, whole }: Pick<FoundCatalogs, 'named' | 'whole'>,
  { cwd, git }: RunPlace,
): Promise<Submodules> {
  const found = new Map<string, string>()
  for (const [folder, catalog] of named) {
    const outer = whole.filter((given) => isWithin(given, folder))
    const submodule = outer.length > 0 ? await submoduleAround(folder, git) : undefined
    const isInner = submodule !== undefined && !outer.some((given) => isWithin(submodule, given))
    if (isInner) found.set(catalog, folderFrom(cwd, submodule))
  }
  return found
}
