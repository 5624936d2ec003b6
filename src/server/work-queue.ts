import { ApiError } from '../contract/api/errors.ts'

/** Runs so much work at once, in order, and lets so much more wait. */
export class Turns {
  readonly #atOnce: number
  readonly #waiting: number
  readonly #refusal: string
  readonly #queue: (() => void)[] = []
  #running = 0

  /** `refusal` is the message of the error for work that there is no room for. */
  constructor(atOnce: number, waiting: number, refusal: string) {
    this.#refusal = refusal
    this.#atOnce = atOnce
    this.#waiting = waiting
  }

  /** Begins work when it is its turn. Throws `busy` at once where too much waits already. */
  take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#atOnce) {
      this.#running++
      return this.#carryOut(work)
    }
    if (this.#queue.length >= this.#waiting) throw new ApiError('busy', this.#refusal)
    return new Promise<void>((resolve) => this.#queue.push(resolve)).then(() => this.#carryOut(work))
  }

  async #carryOut<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } finally {
      this.#pass()
    }
  }

  #pass(): void {
    const next = this.#queue.shift()
    if (next) next()
    else this.#running--
  }
}
