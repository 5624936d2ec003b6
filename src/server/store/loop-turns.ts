import { afterArrivals, inNextTurn } from './next-turn.ts'
import { TimedLines } from './timed-lines.ts'

/** Milliseconds of a turn of the event loop in which work begins. */
const length = 5
/** Most pieces of work that begin one after the other between two looks at all connections. */
const atOnce = 8

/** The turn of the event loop. */
class LoopTurn {
  #began: number | undefined
  readonly #ended: () => void

  constructor(ended: () => void) {
    this.#ended = ended
  }

  /** Whether work may begin; the first always may. */
  hasTime(): boolean {
    if (this.#began !== undefined) return performance.now() - this.#began <= length
    this.#began = performance.now()
    inNextTurn(this.#end)
    return true
  }

  readonly #end = (): void => {
    this.#began = undefined
    this.#ended()
  }
}

/** Work that waits. What is gone takes no turn. */
interface Waiting {
  readonly begin: () => void
  readonly isGone: () => boolean
}

/** Lets work that arrives begin as long as the turn of the event loop has time; other work waits in lines for a later one. */
export class LoopTurns {
  // Where nothing else waits, the time of what began last is over with its turn.
  readonly #turn = new LoopTurn(() => this.#end())
  readonly #waiting = new TimedLines<Waiting>()
  /** How many callbacks look at those that wait. */
  #called = 0
  /** Counts how long what began last took. */
  #end = (): void => {}

  /** Whether work may begin at once: what waits goes first. */
  hasTime(): boolean {
    return this.#waiting.size === 0 && this.#turn.hasTime()
  }

  /** Begins with work when it is its turn, unless it is gone then; a line is `[address, user]`. */
  wait(line: readonly string[], begin: () => void, isGone = () => false): void {
    this.#waiting.push(line, { begin, isGone })
    this.#call()
  }

  /** Each has a callback of its own: what it begins is carried out before the next one looks at the time. */
  #call(): void {
    for (; this.#called < Math.min(this.#waiting.size, atOnce); this.#called++) afterArrivals(this.#next)
  }

  readonly #next = (): void => {
    this.#called--
    this.#end()
    const next = this.#turn.hasTime() ? this.#nextThere() : undefined
    this.#call()
    if (!next) return
    const began = performance.now()
    this.#end = () => {
      next.took(performance.now() - began)
      this.#end = () => {}
    }
    next.item.begin()
  }

  #nextThere() {
    let next = this.#waiting.shift()
    while (next?.item.isGone()) next = this.#waiting.shift()
    return next
  }
}
