import { existsSync, lstatSync, readdirSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import { limits } from '../../contract/limits.ts'
import { isMarked } from '../../documents/load/catalog-folder.ts'
import { repositoryRoot } from '../../documents/load/git-repository.ts'
import { isFoundName, isIgnored } from '../../documents/load/inputs.ts'
import { ifReadable } from './neighbours.ts'

/** What is in a folder. */
interface Entry {
  readonly path: string
  readonly name: string
  readonly stat: Stats
}

/**
 * The files that can hold documents in the folders beside a catalog that is in no repository, and in the folders in these, as
 * far as nothing marks those as catalogs or repositories, and they are on its disk and of its owner. Most of a disk
 * may be there: of very much, not all is looked at, and the smallest files first.
 */
export function unmarkedBeside(folder: string): string[] {
  if (repositoryRoot(folder) !== undefined) return []
  const { dev, uid } = lstatSync(folder)
  let left: number = limits.beside
  const entriesIn = (parent: string): Entry[] => {
    const names = ifReadable(() => readdirSync(parent))
      .filter((name) => !isIgnored(name))
      .sort()
      .slice(0, left)
    left -= names.length
    return names.flatMap((name) => {
      const path = join(parent, name)
      const stat = lstatSync(path, { throwIfNoEntry: false })
      return stat?.dev === dev && stat.uid === uid ? [{ path, name, stat }] : []
    })
  }
  const beside = entriesIn(dirname(folder)).filter((one) => one.path !== folder && isUnmarked(one))
  const inThem = beside.flatMap(({ path }) => entriesIn(path))
  const below = inThem.filter(isUnmarked).flatMap(({ path }) => entriesIn(path))
  return smallest([...inThem, ...below].filter(({ name, stat }) => stat.isFile() && isFoundName(name)))
}

/** Whether an entry is a folder that nothing marks. */
const isUnmarked = ({ path, stat }: Entry): boolean =>
  stat.isDirectory() && !isMarked(path) && !existsSync(join(path, '.git'))

/** The paths of the smallest files, as far as they are read. */
function smallest(files: readonly Entry[]): string[] {
  const found: string[] = []
  let left: number = limits.besideBytes
  for (const { path, stat } of [...files].sort((one, other) => one.stat.size - other.stat.size)) {
    left -= stat.size
    if (left < 0) break
    found.push(path)
  }
  return found
}
