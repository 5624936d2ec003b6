import { ApiError } from '../../contract/api/errors.ts'
import { limits } from '../../contract/limits.ts'
import { Turns } from '../turns.ts'

/** Milliseconds that what goes on has to come to its end once the service closes. */
const grace = 5000

/** What goes on once its request is answered. */
export class Later {
  readonly #turns = new Turns(limits.laterAtOnce, limits.laterWaiting)
  readonly #running = new Set<Promise<void>>()
  readonly #ending = new AbortController()

  /** Aborted once the service closes and waits no longer. */
  readonly signal: AbortSignal = this.#ending.signal

  /**
   * Begins work after the answers that are ready now, and after what was to be begun before; `failed` is told what it
   * throws. Throws `busy` where too much waits to be begun.
   */
  run(work: () => Promise<unknown>, failed: (error: unknown) => void): void {
    const running = this.#turns
      .take(() => this.#begin(work))
      .then(() => undefined, failed)
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  /** Resolves once nothing goes on; what does not end in a few seconds is given up, as is all that others wait for. */
  async end(): Promise<void> {
    const timer = setTimeout(() => this.#ending.abort(), grace)
    while (this.#running.size > 0) await Promise.all(this.#running)
    clearTimeout(timer)
    this.#ending.abort()
  }

  async #begin(work: () => Promise<unknown>): Promise<unknown> {
    await new Promise<void>((resolve) => setImmediate(resolve))
    if (this.signal.aborted) throw new ApiError('busy', 'the service is closing')
    return await work()
  }
}
