import { statSync } from 'node:fs'
import { namesIn } from '../../file-system.ts'
import type { LeftOut } from './git-index.ts'
import type { EmptySubmodules } from './git-modules.ts'
import { regularIfThere } from './git-repository.ts'
import { interruptible } from './interruptible.ts'
import type { ReadOptions } from './read.ts'
import type { Index } from './read-git-index.ts'

/** What a run reads of repositories at most, in bytes: about twice of what one with half a million files has. */
const most = 2 ** 31

/** Bytes that something counts as beside its own: about as long, or as much memory, it takes. */
export const costs = {
  /** A name of a folder that is listed. */
  name: 64,
  /** An entry of an index, or of a folder of a commit. */
  entry: 256,
  /** A path that is looked at. */
  path: 512,
  /** A character of a path or of an entry. */
  character: 8,
  /** A file or folder that is opened. */
  read: 4096,
  /** A submodule, whose repository is looked for. */
  submodule: 32_768,
} as const

/**
 * What a run has read of repositories, and may still read. Whoever made a repository says how much that is: an archive of few
 * bytes can have any number of submodules, each with an index of millions of files.
 */
export class GitReading {
  /** What was read already. */
  readonly indexes = new Map<string, Promise<Index | undefined>>()
  readonly leftOut = new Map<string, Promise<readonly LeftOut[]>>()
  readonly submodules = new Map<string, ReadonlySet<string>>()
  readonly empty = new Map<string, Promise<EmptySubmodules>>()
  /** Lets signals arrive. Throws if the run is interrupted. */
  readonly pause: () => Promise<void>
  #left = most

  constructor(place: Pick<ReadOptions, 'signal'>) {
    this.pause = interruptible(place)
  }

  /** Counts bytes. Throws a RangeError for more than the run reads, and for all that comes after these. */
  count(bytes: number): void {
    this.#left -= bytes
    // What a crafted file says may be no number.
    if (!(this.#left >= 0)) throw new RangeError('the repositories have more than is read')
  }

  /** The bytes of a regular file, each of which counts as some, if it is there. Throws a RangeError where it cannot be read, and as `count`. */
  file(path: string, weight = 1): Buffer | undefined {
    this.count(costs.read + sizeOf(path) * weight)
    return regularIfThere(path)
  }

  /** The names in a folder. Throws as `count`. */
  names(folder: string): readonly string[] {
    const names = namesIn(folder)
    this.count(costs.read + names.length * costs.name)
    return names
  }
}

/** The value of a key, which is made once. */
export function madeOnce<V extends object>(known: Map<string, V>, key: string, make: () => V): V {
  const value = known.get(key) ?? make()
  known.set(key, value)
  return value
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}
