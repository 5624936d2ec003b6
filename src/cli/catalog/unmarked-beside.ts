import { type Dirent, existsSync, lstatSync, readdirSync, type Stats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { limits } from '../../contract/limits.ts'
import { isMarked } from '../../documents/load/catalog-folder.ts'
import { repositoryRoot } from '../../documents/load/git-repository.ts'
import { isFoundName, isIgnored } from '../../documents/load/inputs.ts'
import { ifReadable } from './neighbours.ts'

/** Files, or what is in folders, and whether that is all: most of a disk may be there. */
interface Found<T> {
  readonly found: readonly T[]
  readonly isWhole: boolean
}

/** A folder that nothing marks as a catalog or repository, or a file that by its name can hold documents. */
interface Entry {
  readonly path: string
  readonly isFolder: boolean
}

/**
 * The files that can hold documents in the folders beside a catalog that is in no repository, and in the folders in these, as
 * far as nothing marks those as catalogs or repositories, and they are on its disk and of its owner.
 */
export function unmarkedBeside(folder: string): Found<string> {
  if (repositoryRoot(folder) !== undefined) return { found: [], isWhole: true }
  const { dev, uid } = lstatSync(folder)
  const isLike = (stat: Stats) => stat.dev === dev && stat.uid === uid
  const beside = entriesIn([dirname(folder)], isLike)
  const inThem = entriesIn(
    foldersOf(beside).filter((path) => path !== folder),
    isLike,
  )
  const below = entriesIn(foldersOf(inThem), isLike)
  const files = smallest([...inThem.found, ...below.found])
  return { found: files.found, isWhole: [beside, inThem, below, files].every(({ isWhole }) => isWhole) }
}

const foldersOf = ({ found }: Found<Entry>): string[] =>
  found.filter(({ isFolder }) => isFolder).map(({ path }) => path)

/** What is in folders, as far as this user can see it: the first of very much, in the order of names. */
function entriesIn(folders: readonly string[], isLike: (stat: Stats) => boolean): Found<Entry> {
  const found: Entry[] = []
  for (const folder of folders)
    for (const dirent of namedIn(folder)) {
      if (found.length === limits.beside) return { found, isWhole: false }
      const [entry] = ifReadable(() => entryOf(folder, dirent, isLike))
      if (entry) found.push(entry)
    }
  return { found, isWhole: true }
}

const namedIn = (folder: string): Dirent[] =>
  ifReadable(() => readdirSync(folder, { withFileTypes: true }))
    .filter((one) => !isIgnored(one.name) && (one.isDirectory() || isFoundName(one.name)))
    .sort((one, other) => (one.name < other.name ? -1 : 1))

function entryOf(folder: string, dirent: Dirent, isLike: (stat: Stats) => boolean): Entry[] {
  const path = join(folder, dirent.name)
  const isFolder = dirent.isDirectory()
  const isMarkedFolder = isFolder && (isMarked(path) || existsSync(join(path, '.git')))
  return isMarkedFolder || !isLike(lstatSync(path)) ? [] : [{ path, isFolder }]
}

/** The smallest of the files, or of those to which links lead, as far as they are read; none that is too large for documents. */
function smallest(entries: readonly Entry[]): Found<string> {
  const files = entries
    .flatMap(({ path, isFolder }) => (isFolder ? [] : ifReadable(() => [{ path, stat: statSync(path) }])))
    .filter(({ stat }) => stat.isFile() && stat.size <= limits.file)
    .sort((one, other) => one.stat.size - other.stat.size)
  const found: string[] = []
  let left: number = limits.besideBytes
  for (const { path, stat } of files) {
    left -= stat.size
    if (left < 0) return { found, isWhole: false }
    found.push(path)
  }
  return { found, isWhole: true }
}
