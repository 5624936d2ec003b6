import { submoduleAround } from '../../documents/load/git-index.ts'
import { folderFrom, isWithin } from '../../file-system.ts'
import type { FoundCatalogs } from './catalog-names.ts'

/** The folders of the submodules that catalogs with a name are in, by these names. */
export type Submodules = ReadonlyMap<string, string>

/**
 * The catalogs with a name that are in submodules of folders that were given whole: the repository of one may be newer, and
 * describe more. None of a submodule that was given itself.
 */
export function catalogsInSubmodules(
  { named, whole }: Pick<FoundCatalogs, 'named' | 'whole'>,
  cwd: string,
): Submodules {
  const found = [...named].flatMap(([folder, catalog]) => {
    const outer = whole.filter((given) => isWithin(given, folder))
    const submodule = outer.length > 0 ? submoduleAround(folder) : undefined
    const isInner = submodule !== undefined && !outer.some((given) => isWithin(submodule, given))
    return isInner ? [[catalog, folderFrom(cwd, submodule)] as const] : []
  })
  return new Map(found)
}
