import { ApiError } from '../../contract/api/errors.ts'
import { limits } from '../../contract/limits.ts'
import { freeClosed } from '../store/database/sqlite.ts'

const second = 1000

/** Bounds of the copies that dry runs are made in: the memory that all take together, and how many are made for a user in a time. */
export class CopyBounds {
  /** Bytes, by the dry run whose copy takes them. */
  readonly #taken = new Map<object, number>()
  /** Bytes of copies that were removed, which they may not have given back yet. */
  #removed = 0
  /** By user, until when copies count. */
  readonly #counted = new Map<string, number>()

  /** Notes how many bytes the copy of a dry run takes. Throws `busy` where a quarter of the memory is taken. */
  take(run: object, bytes: number, memory: number): void {
    if (this.#without(run) + bytes > memory / 4) throw new ApiError('busy', 'too many long dry runs at once')
    this.#taken.set(run, bytes)
  }

  /** Has copies that were removed give back what they took, where that is more than there is. */
  async free(memory: number): Promise<void> {
    if (this.#without() + this.#removed <= memory / 4) return
    this.#removed = 0
    await freeClosed()
  }

  giveBack(run: object): void {
    this.#removed += this.#taken.get(run) ?? 0
    this.#taken.delete(run)
  }

  /** The bytes that the copies of all other dry runs take. */
  #without(run?: object): number {
    let all = 0
    for (const [other, bytes] of this.#taken) if (other !== run) all += bytes
    return all
  }

  /** Counts a copy. Throws `busy` if too many were made for the user just now. */
  count(user: string): void {
    const now = performance.now()
    for (const [one, until] of this.#counted) if (until <= now) this.#counted.delete(one)
    const until = (this.#counted.get(user) ?? now) + second
    if (until - now > limits.dryRunCopies * second)
      throw new ApiError('busy', 'the dry run begins again at earlier changes too often: wait a second')
    this.#counted.set(user, until)
  }
}
