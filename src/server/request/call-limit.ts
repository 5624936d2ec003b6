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
 * Counts calls of each operation from each address, or IPv6 network, or by each user, within a minute, which also ends where
 * the clock is moved out of it.
 */
export class CallLimit {
  readonly #max: number
  readonly #clock: Clock
  readonly #calls = new Map<string, number>()
  /** When the minute began: by the clock, and in milliseconds that pass whatever that says. */
  #began = { clock: 0, real: 0 }

  /** `max` calls a minute; 0 for any number. */
  constructor(max: number, clock: Clock) {
    this.#max = max
    this.#clock = clock
  }

  /** Counts a call. Throws `rateLimited`, with the seconds until the next one is accepted. */
  count(operation: Operation, from: string, which = 'from one address'): void {
    if (this.#max === 0) return
    this.#begin(this.#clock().getTime())
    const caller = `${operation} ${placeOf(from)}`
    const calls = (this.#calls.get(caller) ?? 0) + 1
    this.#calls.set(caller, calls)
    if (calls > this.#max) throw this.#refusal(`${operation} ${which}`)
  }

  /** Forgets all calls. */
  clear(): void {
    this.#calls.clear()
  }

  /** Forgets the calls of another minute; the clock can be set back. */
  #begin(now: number): void {
    const { clock, real } = this.#began
    if (clock <= now && now < clock + minute && performance.now() < real + minute) return
    this.#began = { clock: now, real: performance.now() }
    this.#calls.clear()
  }

  #refusal(calls: string): TooManyCalls {
    const left = this.#began.real + minute - performance.now()
    const seconds = Math.max(1, Math.ceil(left / 1000))
    const message = `calls of ${calls} are limited to ${this.#max} a minute; try again in ${seconds} s, or start the service with a higher --calls-per-minute`
    return new TooManyCalls(message, seconds)
  }
}
