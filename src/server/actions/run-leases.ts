import { randomUUID } from 'node:crypto'
import { ApiError } from '../../contract/api/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { ReservedKey } from '../store/reserved-runs.ts'
import type { Store } from '../store/store.ts'

type Reserving = Pick<Store, 'reservedRuns' | 'write'>

/**
 * The runs of limited actions that a service has under way. They are stored for a short time, which is renewed as long as
 * any are under way: those of a service that was killed soon count no longer.
 */
export class RunLeases {
  readonly #store: Reserving
  readonly #service = randomUUID()
  #latest = 0
  #underWay = 0
  /** Those that have ended, and could not be removed. */
  readonly #left = new Set<number>()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(store: Reserving) {
    this.#store = store
  }

  /** Has a run under way that is stored next, until it is given to `end`, which is to be done once. */
  begin(): ReservedKey {
    this.#underWay++
    return { service: this.#service, number: ++this.#latest }
  }

  /** Removes runs that are over, of whichever service. To be called in the write that stores one, before that. Throws `closing`. */
  prepare({ reservedRuns }: Pick<Reserving, 'reservedRuns'>): void {
    if (this.#isClosed) throw new ApiError('closing')
    this.#timer ??= setInterval(() => void this.#renew(), limits.runLeaseRenewal).unref()
    this.#remove(this.#left, reservedRuns)
    reservedRuns.forget(this.#service)
  }

  /** Removes a run, unless it was counted, by the store of who began it. Where that fails, the next renewal does it. */
  async end(run: ReservedKey, { reservedRuns, write }: Reserving): Promise<void> {
    try {
      if (reservedRuns.has(run)) await write(() => reservedRuns.remove(run))
    } catch {
      this.#left.add(run.number)
    }
    this.#underWay--
    this.#rest()
  }

  /** Removes all of them, and refuses others. Where that fails, they count until their time is over. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    const { reservedRuns, write } = this.#store
    if (this.#hasAny()) await write(() => reservedRuns.removeAll(this.#service)).catch(() => undefined)
  }

  async #renew(): Promise<void> {
    const { reservedRuns, write } = this.#store
    const left = [...this.#left]
    const renew = () => {
      this.#remove(left, reservedRuns)
      reservedRuns.renew(this.#service)
    }
    try {
      await write(renew)
    } catch {
      return
    }
    for (const number of left) this.#left.delete(number)
    this.#rest()
  }

  #remove(numbers: Iterable<number>, reservedRuns: Reserving['reservedRuns']): void {
    for (const number of numbers) reservedRuns.remove({ service: this.#service, number })
  }

  #hasAny(): boolean {
    return this.#underWay > 0 || this.#left.size > 0
  }

  /** Ends the renewal where nothing is to be renewed. */
  #rest(): void {
    if (this.#hasAny()) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
