import { limits } from '../../contract/limits.ts'

/** Milliseconds over which the time is shared. */
const second = 1000
/** Milliseconds that work has where its caller, or all, had theirs in this second. */
const least = 2

/** Who asks for work at once. */
interface Caller {
  readonly id: string
  readonly seeded: number
}

/**
 * The time of each second for work that is carried out in one turn, as within a transaction: others wait for all of it, so that
 * little is left to who asks for it over and over.
 */
export class AtOnceTime {
  readonly #taken = new Map<string, number>()
  #takenByAll = 0
  #since = Number.NEGATIVE_INFINITY

  /** Milliseconds that the next work of a caller may take. */
  most({ id, seeded }: Caller): number {
    this.#begin(performance.now())
    const own = limits.searchesAtOnceOfUser - (this.#taken.get(id) ?? 0)
    const shared = seeded === 1 ? own : limits.searchesAtOnceOfAll - this.#takenByAll
    return Math.max(least, Math.min(own, shared, limits.searchAtOnce))
  }

  /** Counts milliseconds of a caller's work. */
  took({ id, seeded }: Caller, milliseconds: number): void {
    this.#taken.set(id, (this.#taken.get(id) ?? 0) + milliseconds)
    if (seeded !== 1) this.#takenByAll += milliseconds
  }

  #begin(now: number): void {
    if (now - this.#since < second) return
    this.#since = now
    this.#takenByAll = 0
    this.#taken.clear()
  }
}
