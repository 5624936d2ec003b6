import type { Clock } from '../domain/clock.ts'

/** A clock that runs as fast as another, as far ahead of it or behind it as it was set. */
export class MovableClock {
  readonly #real: Clock
  #offset = 0

  constructor(real: Clock) {
    this.#real = real
  }

  /** The time that it shows. */
  readonly now: Clock = () => (this.#offset === 0 ? this.#real() : new Date(this.#real().getTime() + this.#offset))

  /** Milliseconds that it is ahead. */
  get offset(): number {
    return this.#offset
  }

  /** Makes it show a time from now on. */
  set(to: Date): void {
    this.#offset = to.getTime() - this.#real().getTime()
  }

  /** Makes it show a time that is so many milliseconds later from now on. */
  advance(milliseconds: number): void {
    this.#offset += milliseconds
  }

  /** Makes it show the time of the clock that it runs beside. */
  reset(): void {
    this.#offset = 0
  }
}
