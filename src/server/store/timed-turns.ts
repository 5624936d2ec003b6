import type { Sender } from './senders.ts'

/** Milliseconds after which half of the time that was taken counts no more, where nothing else is asked for. */
const soonForgotten = 1000
/** Names that are remembered before those that took next to nothing of late are forgotten. */
const remembered = 1000

/** Milliseconds that the work of each took of late, by names. */
class TakenLately {
  readonly #taken = new Map<string, { readonly milliseconds: number; readonly at: number }>()
  readonly #halfForgotten: number

  constructor(halfForgotten: number) {
    this.#halfForgotten = halfForgotten
  }

  of(name: string, now: number): number {
    const { milliseconds, at } = this.#taken.get(name) ?? { milliseconds: 0, at: now }
    return milliseconds * 2 ** ((at - now) / this.#halfForgotten)
  }

  add(name: string, milliseconds: number, now: number): void {
    this.#taken.set(name, { milliseconds: this.of(name, now) + milliseconds, at: now })
    if (this.#taken.size <= remembered) return
    for (const other of this.#taken.keys()) if (this.of(other, now) < 1) this.#taken.delete(other)
  }
}

interface Work {
  /** Of its line, and of the line within it. */
  readonly names: readonly string[]
  readonly isFirst: boolean
}
interface Running extends Work {
  readonly began: number
}
interface Waiting extends Work {
  readonly begin: (running: Running) => void
}

/**
 * Runs up to `atOnce` pieces of work at a time. Of those that wait, next is that of the line for which the least time was
 * taken of late, and in it that of the line within it: whoever begins is not kept waiting by those who have gone on for
 * long, however many they are. Whoever is first has every second turn.
 */
export class TimedTurns {
  readonly #atOnce: number
  readonly #waiting: Waiting[] = []
  readonly #running = new Set<Running>()
  readonly #lately: TakenLately
  readonly #idle: (() => void)[] = []
  /** Whether the last work that had waited was of somebody who is first. */
  #wasFirst = false

  constructor(atOnce: number, halfForgotten = soonForgotten) {
    this.#atOnce = atOnce
    this.#lately = new TakenLately(halfForgotten)
  }

  /** How many pieces of work wait. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Whether work that is taken now begins at once. */
  get hasPlace(): boolean {
    return this.#running.size < this.#atOnce
  }

  /** Resolves once no work runs or waits. */
  drained(): Promise<void> {
    return this.#running.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve))
  }

  /** Runs work when it is its turn. */
  async take<T>(work: () => Promise<T>, { line, isFirst }: Sender): Promise<T> {
    const asked = { names: line.map((_, index) => line.slice(0, index + 1).join('\n')), isFirst }
    const running = this.hasPlace ? this.#begin(asked) : await this.#turn(asked)
    try {
      return await work()
    } finally {
      this.#end(running)
    }
  }

  #turn(work: Work): Promise<Running> {
    return new Promise((begin) => this.#waiting.push({ ...work, begin }))
  }

  #begin({ names, isFirst }: Work): Running {
    const running = { names, isFirst, began: performance.now() }
    this.#running.add(running)
    return running
  }

  #end(running: Running): void {
    const now = performance.now()
    this.#running.delete(running)
    for (const name of running.names) this.#lately.add(name, now - running.began, now)
    const next = this.#next(now)
    next?.begin(this.#begin(next))
    if (this.#running.size === 0) for (const resolve of this.#idle.splice(0)) resolve()
  }

  #next(now: number): Waiting | undefined {
    const [first, ...others] = this.#waiting
    if (first === undefined) return undefined
    let next = first
    for (const work of others) if (this.#isBefore(work, next, now)) next = work
    this.#waiting.splice(this.#waiting.indexOf(next), 1)
    this.#wasFirst = next.isFirst
    return next
  }

  #isBefore({ names, isFirst }: Work, other: Work, now: number): boolean {
    if (isFirst !== other.isFirst) return isFirst !== this.#wasFirst
    for (const [index, name] of names.entries()) {
      const difference = this.#taken(name, now) - this.#taken(other.names[index] ?? '', now)
      if (difference !== 0) return difference < 0
    }
    return false
  }

  /** Of what runs, too. */
  #taken(name: string, now: number): number {
    let taken = this.#lately.of(name, now)
    for (const { names, began } of this.#running) if (names.includes(name)) taken += now - began
    return taken
  }
}
