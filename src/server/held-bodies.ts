import { ApiError } from '../contract/api/errors.ts'
import { limits } from '../contract/limits.ts'
import type { Sender } from './store/senders.ts'
import { pathsOf } from './store/turns.ts'

/** The part of the memory that bodies may have bytes for: what is read of one can take ten times as much. */
const share = 1 / 16
/** The part of that for one sender, and the part that is kept for publishers of the service. */
const shareOfSender = 1 / 4
const shareOfFirst = 1 / 4

/**
 * Bodies of requests that are being carried out or wait within their operation, by who sent them. Each address leaves as much
 * to others as it has itself, and so does each user of an address: however many users somebody makes, those at other
 * addresses find room.
 */
export class HeldBodies {
  readonly #most: number
  /** Bytes of each line, and of the line within it. */
  readonly #of = new Map<string, number>()
  #all = 0
  /** Those of publishers of the service. */
  #ofFirst = 0

  /** `memory` is what the service may take, in bytes. */
  constructor(memory: number) {
    this.#most = memory * share
  }

  /** Throws `busy` if a body of so many bytes is too much now; short ones are taken from whoever has no others. */
  check(sender: Sender, length: number): void {
    const own = this.#heldBy(pathsOf(sender.line).at(-1)) + length
    if (own <= limits.bodiesAlways) return
    if (own > this.#most * shareOfSender || !this.#hasRoom(sender, length))
      throw new ApiError('busy', 'too many requests with long bodies wait: send this one again later')
  }

  /** Counts a body of so many bytes until the function that it returns is called. Throws as `check`. */
  hold(sender: Sender, length: number): () => void {
    this.check(sender, length)
    this.#add(sender, length)
    let isHeld = true
    return () => {
      if (isHeld) this.#add(sender, -length)
      isHeld = false
    }
  }

  #hasRoom({ line, isFirst }: Sender, length: number): boolean {
    const free = this.#most - this.#all
    if (isFirst) return length <= Math.max(free, this.#most * shareOfFirst - this.#ofFirst)
    let room = free - this.#most * shareOfFirst
    for (const path of pathsOf(line)) {
      const held = this.#heldBy(path)
      if (held + length > room) return false
      room = (room - held) / 2
    }
    return true
  }

  #heldBy(path = ''): number {
    return this.#of.get(path) ?? 0
  }

  #add({ line, isFirst }: Sender, length: number): void {
    this.#all += length
    if (isFirst) this.#ofFirst += length
    for (const path of pathsOf(line)) {
      const held = this.#heldBy(path) + length
      if (held === 0) this.#of.delete(path)
      else this.#of.set(path, held)
    }
  }
}
