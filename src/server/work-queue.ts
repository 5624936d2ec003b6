import { ApiError } from '../contract/api/errors.ts'

/**
 * A queue: runs up to `atOnce` pieces of work at a time, in order, while up to `waiting` more wait. It can have several
 * lanes: each holds that many, and a later one has its turn when the earlier ones are empty.
 */
export class Turns {
  readonly #lanes: (() => void)[][] = []
  #running = 0

  /** `refusal` is the message of the error when too much waits; without a bound, any amount does. */
  constructor(
    private readonly atOnce: number,
    private readonly waiting = Number.POSITIVE_INFINITY,
    private readonly refusal = '',
  ) {}

  /** Whether no work runs or waits. */
  get isIdle(): boolean {
    return this.#running === 0
  }

  /** Runs work when it is its turn. Throws `busy` if too much waits already. */
  take<T>(work: () => Promise<T>, lane = 0): Promise<T> {
    if (this.#running < this.atOnce) {
      this.#running++
      return this.#carryOut(work)
    }
    const queue = this.#lanes[lane] ?? []
    this.#lanes[lane] = queue
    if (queue.length >= this.waiting) throw new ApiError('busy', this.refusal)
    return new Promise<void>((resolve) => queue.push(resolve)).then(() => this.#carryOut(work))
  }

  async #carryOut<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } finally {
      this.#pass()
    }
  }

  #pass(): void {
    const next = this.#lanes.find((queue) => queue?.length)?.shift()
    if (next) next()
    else this.#running--
  }
}
