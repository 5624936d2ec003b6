/** Where a service takes the time from. */
export type Clock = () => Date

/** An instant as every answer writes it: UTC, `…Z`, no fractions. */
export const timestamp = (at: Date): string => `${at.toISOString().slice(0, 19)}Z`

/** Whole seconds since 1970. */
export const seconds = (at: Date): number => Math.floor(at.getTime() / 1000)

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
