import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../../file-system.ts'
import { writeWhole } from '../../whole-file.ts'

/** Lines of one file; the oldest are removed first. */
const maxLines = 2048
const header = 'vatom validated 3'
/** Hexadecimal digits of a key. */
const keyLength = 64

/** Texts by hexadecimal keys, in sixteen small files so that a run reads only a part. */
export interface Shards {
  readonly get: (key: string) => string | undefined
  readonly add: (key: string, text: string) => void
  /** Writes what was added; failures are ignored, because the next run only takes longer. */
  readonly save: () => void
}

/** The shards of a folder; each is read when it is first needed. */
export function createShards(folder: string): Shards {
  const loaded = new Map<string, Map<string, string>>()
  const changed = new Set<string>()
  const shard = (key: string) => {
    const name = key.slice(0, 1)
    const known = loaded.get(name) ?? readShard(join(folder, name))
    loaded.set(name, known)
    return known
  }
  return {
    get: (key) => shard(key).get(key),
    add: (key, text) => {
      shard(key).set(key, text)
      changed.add(key.slice(0, 1))
    },
    save: () => {
      for (const name of changed) writeShard(folder, name, loaded.get(name) ?? new Map())
      changed.clear()
    },
  }
}

function readShard(path: string): Map<string, string> {
  const [first, ...lines] = readOwn(path)?.split('\n') ?? []
  if (first !== header) return new Map()
  return new Map(
    lines
      .filter((line) => line.charAt(keyLength) === ' ')
      .map((line) => [line.slice(0, keyLength), line.slice(keyLength + 1)]),
  )
}

/** A file's text, unless other users may have written it. A pipe of that name is not waited for. */
function readOwn(path: string): string | undefined {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const stat = fstatSync(file)
      const foreign = process.getuid !== undefined && (stat.uid !== process.getuid() || (stat.mode & 0o022) !== 0)
      return foreign || !stat.isFile() ? undefined : readFileSync(file, 'utf8')
    } finally {
      closeSync(file)
    }
  } catch {
    return undefined
  }
}

function writeShard(folder: string, name: string, lines: ReadonlyMap<string, string>): void {
  const newest = [...lines].slice(-maxLines).map(([key, text]) => `${key} ${text}\n`)
  const path = join(folder, name)
  try {
    makeFolder(folder, 0o700)
    writeWhole(path, `${header}\n${newest.join('')}`, { mode: 0o600 })
  } catch {
    // The next run only takes longer.
  }
}
