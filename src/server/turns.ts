import { ApiError } from '../contract/api/errors.ts'

/** Lets so much work go on at once, and so much wait until some of that is done. */
export class Turns {
  readonly #atOnce: number
  readonly #waiting: number
  readonly #queue: (() => void)[] = []
  #running = 0

  constructor(atOnce: number, waiting: number) {
    this.#atOnce = atOnce
    this.#waiting = waiting
  }

  /** Begins work once it is its turn. Throws `busy` at once where too much waits already. */
  take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#atOnce) {
      this.#running++
      return this.#carryOut(work)
    }
    if (this.#queue.length >= this.#waiting) throw new ApiError('busy', 'too many actions are under way')
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
