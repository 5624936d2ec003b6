import type { Clock } from '../domain/clock.ts'

const earliest = Date.parse('1970-01-01T00:00:00Z')
/** Leaves room for the expiry of tokens, which must be a time with a four-digit year, too. */
const latest = Date.parse('9999-01-01T00:00:00Z')

/** Whether a clock can be set to a time, in milliseconds since 1970. */
export const isClockTime = (time: number): boolean => time >= earliest && time < latest

/** The times that it can be set to, in words. */
export const clockTimes = 'a time from 1970 to 9998'

/** A clock that runs as fast as another, ahead of it or behind it, or stands still. */
export class MovableClock {
  readonly #real: Clock
  #offset = 0
  #frozen: number | undefined

  constructor(real: Clock) {
    this.#real = real
  }

  /** Its time. */
  readonly now: Clock = () => {
    if (this.#frozen !== undefined) return new Date(this.#frozen)
    return this.#offset === 0 ? this.#real() : new Date(this.#real().getTime() + this.#offset)
  }

  /** Milliseconds that it is ahead. */
  get offset(): number {
    return this.#frozen === undefined ? this.#offset : this.#frozen - this.#real().getTime()
  }

  /** Whether it stands still. */
  get isFrozen(): boolean {
    return this.#frozen !== undefined
  }

  /** Sets the time. */
  set(to: Date): void {
    this.#offset = to.getTime() - this.#real().getTime()
    if (this.isFrozen) this.#frozen = to.getTime()
  }

  /** Moves the time forward, or back where negative. */
  advance(milliseconds: number): void {
    if (this.#frozen === undefined) this.#offset += milliseconds
    else this.#frozen += milliseconds
  }

  /** Stands still. */
  freeze(): void {
    this.#frozen = this.now().getTime()
  }

  /** Runs on from the time at which it stands still. */
  unfreeze(): void {
    this.#offset = this.offset
    this.#frozen = undefined
  }

  /** Returns to the time of the other clock. */
  reset(): void {
    this.#frozen = undefined
    this.#offset = 0
  }
}
