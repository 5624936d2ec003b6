import type { Clock } from '../domain/clock.ts'

/** A clock that runs as fast as another, ahead of it or behind it. */
export class MovableClock {
  readonly #real: Clock
  #offset = 0

  constructor(real: Clock) {
    this.#real = real
  }

  /** Its time. */
  readonly now: Clock = () => (this.#offset === 0 ? this.#real() : new Date(this.#real().getTime() + this.#offset))

  /** Milliseconds that it is ahead. */
  get offset(): number {
    return this.#offset
  }

  /** Sets the time. */
  set(to: Date): void {
    this.#offset = to.getTime() - this.#real().getTime()
  }

  /** Moves the time forward, or back where negative. */
  advance(milliseconds: number): void {
    this.#offset += milliseconds
  }

  /** Returns to the time of the other clock. */
  reset(): void {
    this.#offset = 0
  }
}
