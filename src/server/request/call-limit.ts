import { ApiError } from '../../contract/api/errors.ts'
import type { Operation } from '../../contract/api/table.ts'
import type { Clock } from '../domain/clock.ts'
import { placeOf } from '../store/places.ts'

const minute = 60_000

/** A call beyond the limit; `seconds` until calls are accepted again. */
export class TooManyCalls extends ApiError {
  constructor(
    message: string,
    readonly seconds: number,
  ) {
    super('rateLimited', message)
  }
}

/**
 * Counts calls of each operation from each address, or IPv6 network, or by each user, within a minute of the clock, or one that
 * has passed while the clock stood still.
 */
export class CallLimit {
  readonly #max: number
  readonly #clock: Clock
  readonly #calls = new Map<string, number>()
  #minute = 0
  /** When it began, in milliseconds that pass whatever the clock says. */
  #began = performance.now()

  /** `max` calls a minute; 0 for any number. */
  constructor(max: number, clock: Clock) {
    this.#max = max
    this.#clock = clock
  }

  /** Counts a call. Throws `rateLimited`, with the seconds until the next one is accepted. */
  count(operation: Operation, from: string, which = 'from one address'): void {
    if (this.#max === 0) return
    const now = this.#clock().getTime()
    this.#begin(Math.floor(now / minute))
    const caller = `${operation} ${placeOf(from)}`
    const calls = (this.#calls.get(caller) ?? 0) + 1
    this.#calls.set(caller, calls)
    if (calls > this.#max) throw this.#refusal(`${operation} ${which}`, now)
  }

  /** Forgets all calls. */
  clear(): void {
    this.#calls.clear()
  }

  /** Forgets the calls of another minute, also of a later one: the clock can be set back. */
  #begin(current: number): void {
    if (current === this.#minute && this.#passed() < minute) return
    this.#minute = current
    this.#began = performance.now()
    this.#calls.clear()
  }

  readonly #passed = (): number => performance.now() - this.#began

  #refusal(calls: string, now: number): TooManyCalls {
    const left = Math.min((this.#minute + 1) * minute - now, minute - this.#passed())
    const seconds = Math.max(1, Math.ceil(left / 1000))
    const message = `calls of ${calls} are limited to ${this.#max} a minute; try again in ${seconds} s, or start the service with a higher --calls-per-minute`
    return new TooManyCalls(message, seconds)
  }
}
