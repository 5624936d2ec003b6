import { join } from 'node:path'
import { makeOwnFolder, ownFolder, readOwn } from '../../../bin/own-files.js'
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

/** The shards of a folder; each is read when it is first needed. A folder that other users could change is not used. */
export function createShards(folder: string): Shards {
  const own = ownFolder(folder)
  const loaded = new Map<string, Map<string, string>>()
  const changed = new Set<string>()
  const shard = (key: string) => {
    const name = key.slice(0, 1)
    const known = loaded.get(name) ?? readShard(own, name)
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

function readShard(folder: string | undefined, name: string): Map<string, string> {
  const content = folder === undefined ? undefined : readOwn(join(folder, name))
  const [first, ...lines] = content?.toString().split('\n') ?? []
  if (first !== header) return new Map()
  return new Map(
    lines
      .filter((line) => line.charAt(keyLength) === ' ')
      .map((line) => [line.slice(0, keyLength), line.slice(keyLength + 1)]),
  )
}

function writeShard(folder: string, name: string, lines: ReadonlyMap<string, string>): void {
  const newest = [...lines].slice(-maxLines).map(([key, text]) => `${key} ${text}\n`)
  try {
    const own = makeOwnFolder(folder)
    if (own !== undefined) writeWhole(join(own, name), `${header}\n${newest.join('')}`, { mode: 0o600 })
  } catch {
    // The next run only takes longer.
  }
}
