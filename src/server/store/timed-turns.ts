import { ApiError } from '../../contract/api/errors.ts'
import type { Sender } from './senders.ts'
import { gone, pathsOf } from './turns.ts'

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

/** Who asks for work. */
export interface Asking extends Sender {
  /**
   * Whether nobody waits for the result any more. Work without it is never refused but at the end: it goes on with
   * something.
   */
  readonly isGone?: (() => boolean) | undefined
}

/** How much may wait of what can be refused; of those who are first as much again. */
interface WaitingBounds {
  /** In all: above that, each line has one. */
  readonly waiting: number
  /** Of a line, and of the line within it. */
  readonly waitingOfLines: readonly number[]
  /** The message of the error when too much waits. */
  readonly refusal: string
}

interface Bounds {
  readonly atOnce: number
  /** Milliseconds after which half of the time that was taken counts no more. */
  readonly halfForgotten?: number
  /** Any number may wait by default. */
  readonly ofWaiting?: WaitingBounds
}

interface Work extends Pick<Asking, 'isFirst' | 'isGone'> {
  /** Of its line, and of the line within it. */
  readonly names: readonly string[]
}
interface Running extends Work {
  readonly began: number
}
interface Waiting extends Work {
  readonly begin: (running: Running) => void
  readonly drop: (reason: ApiError) => void
}

const canBeRefused = ({ isGone }: Pick<Work, 'isGone'>): boolean => isGone !== undefined

/**
 * Runs up to `atOnce` pieces of work at a time. Of those that wait, next is that of the line for which the least time was
 * taken of late, and in it that of the line within it: whoever begins is not kept waiting by those who have gone on for
 * long, however many they are. Whoever is first has every second turn.
 */
export class TimedTurns {
  readonly #atOnce: number
  readonly #bounds: WaitingBounds | undefined
  #waiting: readonly Waiting[] = []
  readonly #running = new Set<Running>()
  readonly #lately: TakenLately
  readonly #idle: (() => void)[] = []
  /** Whether the last work that had waited was of somebody who is first. */
  #wasFirst = false
  /** What is refused, as the service closes. */
  #isRefused = (_: Pick<Work, 'isGone'>): boolean => false

  constructor({ atOnce, halfForgotten = soonForgotten, ofWaiting }: Bounds) {
    this.#atOnce = atOnce
    this.#bounds = ofWaiting
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

  /** Refuses what waits and can be refused, and what is asked for from now on. */
  close(): void {
    this.#refuse(canBeRefused)
  }

  /** Refuses all that waits, and is asked for from now on. */
  end(): void {
    this.#refuse(() => true)
  }

  #refuse(isRefused: (work: Pick<Work, 'isGone'>) => boolean): void {
    this.#isRefused = isRefused
    this.#drop(isRefused, () => new ApiError('closing'))
  }

  /**
   * Runs work when it is its turn. Throws `busy` if too much waits already, or the asker is gone before that, and `closing`
   * once the service closes.
   */
  async take<T>(work: () => Promise<T>, { line, isFirst, isGone }: Asking): Promise<T> {
    const asked = { names: pathsOf(line), isFirst, isGone }
    if (this.#isRefused(asked)) throw new ApiError('closing')
    const running = this.hasPlace ? this.#begin(asked) : await this.#turn(asked)
    try {
      return await work()
    } finally {
      this.#end(running)
    }
  }

  #turn(work: Work): Promise<Running> {
    this.#dropGone()
    if (canBeRefused(work) && this.#bounds) this.#checkWaiting(work, this.#bounds)
    return new Promise((begin, drop) => {
      this.#waiting = [...this.#waiting, { ...work, begin, drop }]
    })
  }

  #checkWaiting({ names, isFirst }: Work, { waiting, waitingOfLines, refusal }: WaitingBounds): void {
    const others = this.#waiting.filter((other) => canBeRefused(other) && other.isFirst === isFirst)
    const most = others.length < waiting ? waitingOfLines : waitingOfLines.map(() => 1)
    const isFull = most.some(
      (count, depth) => others.filter((other) => other.names[depth] === names[depth]).length >= count,
    )
    if (isFull) throw new ApiError('busy', refusal)
  }

  #dropGone(): void {
    this.#drop(({ isGone }) => isGone?.() === true, gone)
  }

  #drop(isDropped: (work: Waiting) => boolean, reason: () => ApiError): void {
    const dropped = this.#waiting.filter(isDropped)
    if (dropped.length === 0) return
    this.#waiting = this.#waiting.filter((work) => !dropped.includes(work))
    for (const { drop } of dropped) drop(reason())
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
    this.#dropGone()
    const next = this.#next(now)
    next?.begin(this.#begin(next))
    if (this.#running.size === 0) for (const resolve of this.#idle.splice(0)) resolve()
  }

  #next(now: number): Waiting | undefined {
    const [first, ...others] = this.#waiting
    if (first === undefined) return undefined
    let next = first
    for (const work of others) if (this.#isBefore(work, next, now)) next = work
    this.#waiting = this.#waiting.filter((work) => work !== next)
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
