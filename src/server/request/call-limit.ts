import { ApiError } from '../../contract/api/errors.ts'
import type { Operation } from '../../contract/api/table.ts'
import { type Clock, timestamp } from '../domain/clock.ts'
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

/** Counts calls of each operation from each address, or IPv6 network, or by each user, within a minute of the clock. */
export class CallLimit {
  readonly #max: number
  readonly #clock: Clock
  readonly #calls = new Map<string, number>()
  #minute = 0

  /** `max` calls a minute; 0 for any number. */
  constructor(max: number, clock: Clock) {
    this.#max = max
    this.#clock = clock
  }

  /** Counts a call. Throws `rateLimited`, with the time at which the next one is accepted. */
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
    if (current === this.#minute) return
    this.#minute = current
    this.#calls.clear()
  }

  #refusal(calls: string, now: number): TooManyCalls {
    const end = (this.#minute + 1) * minute
    const message = `calls of ${calls} are limited to ${this.#max} a minute; try again at ${timestamp(new Date(end))}, or start the service with a higher --calls-per-minute`
    return new TooManyCalls(message, Math.ceil((end - now) / 1000))
  }
}
