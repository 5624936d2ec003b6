import { setTimer } from '../next-turn.ts'

/** Rests between pieces of work that keep others waiting: what took more than `most` milliseconds is followed by one of so many `times` as long. */
export class Rests {
  readonly #times: number
  readonly #most: number
  #until = 0

  constructor(times: number, most: number) {
    this.#times = times
    this.#most = most
  }

  /** Resolves when the rest after the last piece is over. */
  async rest(): Promise<void> {
    const left = this.#until - performance.now()
    if (left > 0) await new Promise<void>((resolve) => setTimer(resolve, left))
  }

  /** The outcome of a piece of work. */
  async after<T>(work: () => Promise<T>): Promise<T> {
    const began = performance.now()
    try {
      return await work()
    } finally {
      const ended = performance.now()
      const took = ended - began
      if (took > this.#most) this.#until = ended + this.#times * took
    }
  }
}
