import { ApiError } from '../../contract/api/errors.ts'
import { limits } from '../../contract/limits.ts'
import { awaitedEnd } from '../store/awaited-end.ts'
import { clearTimer, nextTurn, setTimer } from '../store/next-turn.ts'
import type { Sender } from '../store/senders.ts'
import { Turns } from '../store/turns.ts'

/** The message of the error when too many actions run or wait. */
export const tooManyActions = 'too many actions are under way'

/** Work that continues after its request is answered. */
export class Later {
  readonly #turns = new Turns({
    atOnce: limits.laterAtOnce,
    atOnceOfLine: (free) => [free, limits.laterAtOnceOfUser],
    waiting: limits.laterWaiting,
    waitingOfLine: limits.laterWaitingOfUser,
    refusal: tooManyActions,
  })
  readonly #running = new Set<Promise<void>>()
  readonly #ending = awaitedEnd()

  /** Aborted when the service closes and no longer waits. */
  readonly signal: AbortSignal = this.#ending.signal

  /**
   * Begins work of somebody after the answers that are ready now; addresses take turns, and so do the users of each. `failed`
   * receives what it throws. Throws `busy` if too much waits, else resolves once the work has ended.
   */
  run(sender: Sender, work: () => Promise<unknown>, failed: (error: unknown) => void): Promise<void> {
    const running = this.#turns
      .take(() => this.#begin(work), sender)
      .then(() => undefined, failed)
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
    return running
  }

  /** Resolves once all work has ended, also that which begins meanwhile. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  /** Resolves once all work has ended; what does not end within a few seconds is aborted. */
  async end(): Promise<void> {
    const timer = setTimer(() => this.#ending.abort(), limits.laterGrace)
    await this.idle()
    clearTimer(timer)
    this.#ending.abort()
  }

  async #begin(work: () => Promise<unknown>): Promise<unknown> {
    await nextTurn()
    if (this.signal.aborted) throw new ApiError('closing')
    return await work()
  }
}
