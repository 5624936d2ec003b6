import { ApiError } from '../../contract/api/errors.ts'
import { limits } from '../../contract/limits.ts'
import { freeClosed, isFull } from '../store/database/sqlite.ts'
import { replacedBy, type Sharer } from '../store/shared-places.ts'
import type { Store } from '../store/store.ts'
import { Turns } from '../store/turns.ts'
import { dryRunFull } from './dry-run-full.ts'
import { RoomLine } from './room-line.ts'

const second = 1000

/** What a copy takes besides its pages, for statements and buffers: less where the service has little memory, so that some fit. */
const besides = (memory: number): number => Math.min(4 * 2 ** 20, memory / 32)

/** Those that were not used for the longest time first. */
const byUse = (a: CopyHolder, b: CopyHolder) => b.unusedFor() - a.unusedFor()

/** That which was not used for the longest time, of those that rest. */
const longestResting = (holders: readonly CopyHolder[]): CopyHolder | undefined =>
  holders.filter((one) => one.unusedFor() >= limits.dryRunResting).sort(byUse)[0]

/** A dry run that has, or is to have, a copy of the database. */
export interface CopyHolder extends Sharer {
  /** Milliseconds since a request last used it; 0 while one does. */
  readonly unusedFor: () => number
  /** Removes its copy. */
  readonly close: () => Promise<void>
}

/** The database of a copy. */
type Pages = Pick<Store, 'size' | 'limitTo'>

const sumOf = (bytes: Iterable<number>): number => [...bytes].reduce((sum, one) => sum + one, 0)

const noRoom = 'other long dry runs take all the room that there is: wait until they have ended'

const sharedByAddresses = { atOnce: limits.dryRunsInCopies, atOnceOfLine: (free: number) => [free] }

/** A copy cannot be made yet; a request that waits may be able to. */
export class NoCopyYet extends ApiError {
  constructor(message: string) {
    super('busy', message)
  }
}

/**
 * Bounds of the copies that dry runs are made in. All of them take a quarter of the memory at most. A user who has none can
 * have one as long as there is room, and a user who has one can have more as long as all take half of that, so that others
 * find room. How many a user has, and how often one is made, is bounded, too. A copy makes room for a publisher of the service,
 * or for somebody at an address that has fewer, as others could keep theirs for good: at once, or when the request that uses it
 * is answered. Its dry run goes on in a new copy. Those who wait for room have it in turn.
 */
export class CopyBounds {
  /** Bytes, by the dry run whose copy takes them. */
  readonly #taken = new Map<CopyHolder, number>()
  /** Those in whose copies a change is being made. */
  readonly #growing = new Map<CopyHolder, Pages>()
  readonly #line = new RoomLine<CopyHolder>()
  /** Bytes of copies that were removed, which they may not have given back yet. */
  #removed = 0
  /** Bytes that the service is to get by with, by the last request. */
  #memory = 0
  /** By user, until when copies count. */
  readonly #counted = new Map<string, number>()
  /** Of those who have a copy made: an address leaves half of the places to others, and so do requests in copies. */
  readonly making = new Turns(sharedByAddresses)
  readonly using = new Turns(sharedByAddresses)

  /**
   * Reserves room for a copy of a database of so many bytes; those that were not used for a while are removed for it. Throws
   * `dryRunFull` if it would not fit alone, and `NoCopyYet`.
   */
  async take(run: CopyHolder, size: number, memory: number): Promise<void> {
    this.#checkCount(run.user)
    const bytes = size + besides(memory)
    if (bytes > memory / 4) throw dryRunFull('memory')
    this.#memory = memory
    this.#noteGrown()
    await this.#makeRoom(run, bytes, memory)
    this.#line.leave(run)
    this.#taken.set(run, bytes)
    this.#count(run.user)
    this.#shareRoom()
    if (this.#all() > memory / 4) await this.free()
  }

  /**
   * Makes a change in the copy of a dry run, which grows by no more than its share of the room that there is. Where that is
   * too little, the copy is of no use any more: throws `NoCopyYet` if there may be more for a new one, else `dryRunFull`.
   */
  async growing<T>(run: CopyHolder, copy: Pages, memory: number, change: () => Promise<T>): Promise<T> {
    this.#memory = memory
    this.#growing.set(run, copy)
    this.#shareRoom()
    try {
      return await change()
    } catch (error) {
      throw isFull(error) ? await this.#fullFor(run) : error
    } finally {
      this.#noteGrown()
      this.#growing.delete(run)
      this.#shareRoom()
    }
  }

  giveBack(run: CopyHolder): void {
    this.#removed += this.#taken.get(run) ?? 0
    this.#taken.delete(run)
  }

  /** Has copies that were removed give back what they took. */
  async free(): Promise<void> {
    if (this.#removed === 0) return
    this.#removed = 0
    await freeClosed()
    this.#shareRoom()
  }

  /** Throws `NoCopyYet` where there is none, or where it is the turn of another one who may have it. */
  async #makeRoom(run: CopyHolder, bytes: number, memory: number): Promise<void> {
    this.#line.join(run)
    const ahead = this.#line.ahead(run, (place) => this.#copiesAt(place))
    if (ahead.some((other) => this.#mayHaveRoom(other, bytes, memory))) throw new NoCopyYet(noRoom)
    while (!this.#hasRoom(run, bytes, memory)) {
      const replaced = this.#makesRoom(run)
      if (!replaced || replaced.unusedFor() === 0) {
        void replaced?.close().catch(() => undefined)
        throw new NoCopyYet(noRoom)
      }
      await replaced.close()
    }
  }

  /** Whether there is room for a copy, or another one would make it now. */
  #mayHaveRoom(run: CopyHolder, bytes: number, memory: number): boolean {
    if (this.#hasTooMany(run.user)) return false
    return this.#hasRoom(run, bytes, memory) || (this.#makesRoom(run)?.unusedFor() ?? 0) > 0
  }

  #copiesAt(place: string): number {
    return [...this.#taken.keys()].filter((one) => one.place === place).length
  }

  #hasRoom(run: CopyHolder, bytes: number, memory: number): boolean {
    const own = this.#ownBeside(run).length
    const share = own === 0 ? memory / 4 : memory / 8
    return own < limits.dryRunCopies && this.#without(run) + bytes <= share
  }

  /** The dry run whose copy makes room for another one: of a user who has as many as one may have, one of theirs. */
  #makesRoom(run: CopyHolder): CopyHolder | undefined {
    const others = this.#othersThan(run)
    const own = this.#ownBeside(run)
    if (own.length >= limits.dryRunCopies) return longestResting(own)
    return longestResting(own) ?? longestResting(others) ?? replacedBy(run, others.sort(byUse))
  }

  #othersThan(run: CopyHolder): CopyHolder[] {
    return [...this.#taken.keys()].filter((other) => other !== run)
  }

  /** Others of the same user. */
  #ownBeside(run: CopyHolder): CopyHolder[] {
    return this.#othersThan(run).filter(({ user }) => user === run.user)
  }

  /** The bytes that the copies of all other dry runs take. */
  #without(run: CopyHolder): number {
    return sumOf(this.#taken.values()) - (this.#taken.get(run) ?? 0)
  }

  /** The bytes that all copies take, with those that were removed. */
  #all(): number {
    return this.#removed + sumOf(this.#taken.values())
  }

  #noteGrown(): void {
    for (const [run, copy] of this.#growing) this.#taken.set(run, copy.size() + besides(this.#memory))
  }

  /** Those that grow share what is left. */
  #shareRoom(): void {
    this.#noteGrown()
    const share = Math.max(0, this.#memory / 4 - this.#all()) / this.#growing.size
    for (const copy of this.#growing.values()) copy.limitTo(copy.size() + share)
  }

  /** The error of one whose copy has no room to grow. */
  async #fullFor(run: CopyHolder): Promise<ApiError> {
    const mayHaveMore = this.#growing.size > 1 || this.#removed > 0
    const replaced = this.#makesRoom(run)
    const isResting = replaced !== undefined && replaced.unusedFor() > 0
    if (isResting) await replaced.close()
    return isResting || mayHaveMore ? new NoCopyYet(noRoom) : dryRunFull('memory')
  }

  /** Throws `NoCopyYet` if too many copies were made for a user just now. */
  #checkCount(user: string): void {
    const now = performance.now()
    for (const [one, until] of this.#counted) if (until <= now) this.#counted.delete(one)
    if (this.#hasTooMany(user)) throw new NoCopyYet('long dry runs begin too often: wait a second')
  }

  #hasTooMany(user: string): boolean {
    const now = performance.now()
    return (this.#counted.get(user) ?? now) + second - now > limits.dryRunCopies * second
  }

  #count(user: string): void {
    this.#counted.set(user, (this.#counted.get(user) ?? performance.now()) + second)
  }
}
