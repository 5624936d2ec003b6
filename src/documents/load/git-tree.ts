import { commitOf, objectsOf } from './git-head.ts'
import { objectReader } from './git-objects.ts'

/** What is in a folder of a commit. */
export interface TreeEntry {
  /** Its path below the repository. */
  readonly name: string
  readonly mode: number
  readonly id: string
}

/** What an index has. */
export interface Indexed {
  readonly names: ReadonlySet<string>
  /** The ids of folders that are in it as in a commit, by their paths below the repository. */
  readonly folders: ReadonlyMap<string, string>
}

/** The mode of a folder. */
export const folderMode = 0o040000

/** Bytes that a path may have, as in other tools. */
export const longestPath = 4096

/**
 * What the commit that a repository is at has, and its index lacks; a folder where nothing is known of what is in it. Undefined
 * where the commit cannot be read; nothing where it is not known. Throws a RangeError for paths that are too long.
 */
export function onlyInCommit(root: string, { names, folders }: Indexed): TreeEntry[] | undefined {
  const commit = commitOf(root)
  if (commit === undefined) return []
  const read = objectReader(objectsOf(root))
  const [, tree] = /^tree ([\da-f]+)\n/.exec(String(read(commit) ?? '')) ?? []
  const lackedOf = (entry: TreeEntry): TreeEntry[] => {
    const { name, mode, id } = entry
    if (name.length > longestPath) throw new RangeError('the name is no path')
    if (mode !== folderMode) return names.has(name) ? [] : [entry]
    // A sparse index has a folder as a single entry.
    if (folders.get(name) === id || names.has(`${name}/`)) return []
    const bytes = read(id)
    return bytes === undefined ? [entry] : entriesOf(bytes, entry).flatMap(lackedOf)
  }
  return tree === undefined ? undefined : lackedOf({ name: '', mode: folderMode, id: tree })
}

/** The entries of a folder: each has its mode, a blank, its name, a zero, and its id. */
function entriesOf(bytes: Buffer, { name: folder, id }: TreeEntry): TreeEntry[] {
  const length = id.length / 2
  const entries: TreeEntry[] = []
  for (let place = 0; place < bytes.length; ) {
    const [blank, zero] = [bytes.indexOf(' ', place), bytes.indexOf(0, place)]
    if (blank < 0 || zero < blank) throw new RangeError('the folder is of another form')
    entries.push({
      mode: Number.parseInt(bytes.toString('latin1', place, blank), 8),
      name: (folder && `${folder}/`) + bytes.toString('utf8', blank + 1, zero),
      id: bytes.toString('hex', zero + 1, zero + 1 + length),
    })
    place = zero + 1 + length
  }
  return entries
}
