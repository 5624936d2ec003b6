import { commitOf, objectsOf } from './git-head.ts'
import { objectReader } from './git-objects.ts'
import { costs, type GitReading } from './git-reading.ts'

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
 * where the commit cannot be read; nothing where it has none yet. Throws a RangeError where the commit is not known, for paths
 * that are too long, and where too much was read.
 */
export async function onlyInCommit(
  root: string,
  { names, folders }: Indexed,
  reading: GitReading,
): Promise<TreeEntry[] | undefined> {
  const commit = commitOf(root, reading)
  if (commit === undefined) return []
  const read = objectReader(objectsOf(root), reading)
  const lacked: TreeEntry[] = []
  const [, tree] = /^tree ([\da-f]+)\n/.exec(String(read(commit) ?? '')) ?? []
  const look = async (entry: TreeEntry): Promise<void> => {
    const { name, mode, id } = entry
    reading.count(costs.entry + name.length * costs.character)
    if (name.length > longestPath) throw new RangeError('the name is no path')
    // A sparse index has a folder as a single entry.
    if (mode === folderMode ? folders.get(name) === id || names.has(`${name}/`) : names.has(name)) return
    const bytes = mode === folderMode ? read(id) : undefined
    if (bytes === undefined) return void lacked.push(entry)
    await reading.pause()
    for (const inner of entriesOf(bytes, entry)) await look(inner)
  }
  if (tree === undefined) return undefined
  await look({ name: '', mode: folderMode, id: tree })
  return lacked
}

/** The entries of a folder: each has its mode, a blank, its name, a zero, and its id. */
function* entriesOf(bytes: Buffer, { name: folder, id }: TreeEntry): Generator<TreeEntry> {
  const length = id.length / 2
  for (let place = 0; place < bytes.length; ) {
    const [blank, zero] = [bytes.indexOf(' ', place), bytes.indexOf(0, place)]
    if (blank < 0 || zero < blank) throw new RangeError('the folder is of another form')
    yield {
      mode: Number.parseInt(bytes.toString('latin1', place, blank), 8),
      name: (folder && `${folder}/`) + bytes.toString('utf8', blank + 1, zero),
      id: bytes.toString('hex', zero + 1, zero + 1 + length),
    }
    place = zero + 1 + length
  }
}
