import { join } from 'node:path'
import { namesIn } from './file-system.ts'
import { hasEndedHere } from './processes.ts'

/** Files or folders of one kind that ended processes of this machine left. */
export class Leftovers {
  readonly #tagOf: (name: string) => string | undefined
  readonly #remove: (path: string) => void
  /** The folders that this process has swept. */
  readonly #swept = new Set<string>()

  /** `tagOf` returns how a name names its process, as `ownTag` does; undefined for that of anything else. */
  constructor(tagOf: (name: string) => string | undefined, remove: (path: string) => void) {
    this.#tagOf = tagOf
    this.#remove = remove
  }

  /** Whether a folder has any. */
  areIn(folder: string): boolean {
    return this.#namesIn(folder).length > 0
  }

  /** Removes those in a folder, once in the life of this process. One that cannot be removed stays: something else was asked for. */
  sweep(folder: string): void {
    if (this.#swept.has(folder)) return
    this.#swept.add(folder)
    for (const name of this.#namesIn(folder)) this.#tryToRemove(join(folder, name))
  }

  #namesIn(folder: string): string[] {
    return namesIn(folder).filter((name) => {
      const tag = this.#tagOf(name)
      return tag !== undefined && hasEndedHere(tag, join(folder, name))
    })
  }

  #tryToRemove(path: string): void {
    try {
      this.#remove(path)
    } catch {
      // The others are removed all the same.
    }
  }
}
