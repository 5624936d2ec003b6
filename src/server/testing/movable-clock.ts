import type { Clock } from '../domain/clock.ts'

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
