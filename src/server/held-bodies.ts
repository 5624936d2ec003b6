import { ApiError } from '../contract/api/errors.ts'
import { limits } from '../contract/limits.ts'

/** The part of the memory that bodies may have bytes for: what is read of one can take ten times as much. */
const share = 1 / 16
/** The part of that for one sender. */
const shareOfSender = 1 / 4

/** Bodies of requests that are being carried out or wait within their operation, by who sent them. */
export class HeldBodies {
  readonly #most: number
  readonly #of = new Map<string, number>()
  #all = 0

  /** `memory` is what the service may take, in bytes. */
  constructor(memory: number) {
    this.#most = memory * share
  }

  /** Throws `busy` if a body of so many bytes is too much now; short ones are taken from whoever has no others. */
  check(sender: string, length: number): void {
    const own = (this.#of.get(sender) ?? 0) + length
    const isWithin = this.#all + length <= this.#most && own <= this.#most * shareOfSender
    if (!isWithin && own > limits.bodiesAlways)
      throw new ApiError('busy', 'too many requests with long bodies wait: send this one again later')
  }

  /** Counts a body of so many bytes until the function that it returns is called. Throws as `check`. */
  hold(sender: string, length: number): () => void {
    if (length === 0) return () => {}
    this.check(sender, length)
    this.#add(sender, length)
    let isHeld = true
    return () => {
      if (isHeld) this.#add(sender, -length)
      isHeld = false
    }
  }

  #add(sender: string, length: number): void {
    const held = (this.#of.get(sender) ?? 0) + length
    this.#all += length
    if (held === 0) this.#of.delete(sender)
    else this.#of.set(sender, held)
  }
}
