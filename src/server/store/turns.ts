import { ApiError } from '../../contract/api/errors.ts'

/** Things that wait in lines, and in lines within those: each line has its turn before another has its second. */
export class Lines<T> {
  readonly #own: T[] = []
  readonly #lines = new Map<string, Lines<T>>()
  #size = 0

  /** How many things wait in all. */
  get size(): number {
    return this.#size
  }

  /** How many wait in a line. */
  sizeOf([name, ...rest]: readonly string[]): number {
    return name === undefined ? this.#size : (this.#lines.get(name)?.sizeOf(rest) ?? 0)
  }

  /** Puts something at the end of a line. */
  push([name, ...rest]: readonly string[], item: T): void {
    this.#size++
    if (name === undefined) {
      this.#own.push(item)
      return
    }
    const line = this.#lines.get(name) ?? new Lines<T>()
    this.#lines.set(name, line)
    line.push(rest, item)
  }

  /** Takes what is next, if there is something; lines that are not ready are passed over. */
  shift(isReady: (line: readonly string[]) => boolean = () => true, names: readonly string[] = []): T | undefined {
    for (const [name, line] of this.#lines) {
      const within = [...names, name]
      const item = isReady(within) ? line.shift(isReady, within) : undefined
      if (item === undefined) continue
      this.#size--
      this.#lines.delete(name)
      if (line.size > 0) this.#lines.set(name, line)
      return item
    }
    if (this.#own.length > 0) this.#size--
    return this.#own.shift()
  }
}

/** How much may wait; any amount by default. */
interface WaitingBounds {
  /** In all: above that, each line has one. */
  readonly waiting?: number
  readonly waitingOfLine?: number
}

/** Whether one more may wait in a line: when much waits in all, whoever asks for little is not refused. */
function mayWait<T>(lines: Lines<T>, line: readonly string[], bounds: WaitingBounds): boolean {
  const { waiting = Number.POSITIVE_INFINITY, waitingOfLine = waiting } = bounds
  return lines.sizeOf(line) < (lines.size >= waiting ? Math.min(1, waitingOfLine) : waitingOfLine)
}

/** Who waits for a turn. */
export interface Waiter {
  /** The names of a line, and of the line within it: `[address, account]`. */
  readonly line?: readonly string[]
  /** Has the next turn, then others have one; and has bounds of its own. */
  readonly isFirst?: boolean
  /** Whether nobody waits for the result any more. */
  readonly isGone?: () => boolean
}

interface Bounds extends WaitingBounds {
  readonly atOnce: number
  /**
   * As many at once of a line, and of the line within it, where so many places are free; any number by default. An address
   * that may have as many as are free leaves half of all places to others, and the next one half of those.
   */
  readonly atOnceOfLine?: (free: number) => readonly number[]
  /** The message of the error when too much waits. */
  readonly refusal?: string
}

interface Waiting {
  readonly line: readonly string[]
  readonly isGone: () => boolean
  readonly begin: () => void
  readonly drop: (reason: ApiError) => void
}

/** The failure of work whose asker is gone before it begins. */
export const gone = (): ApiError => new ApiError('busy', 'the connection was closed while the request waited')

/** The names of a line, and of those that it is within: `['a', 'a\nb']`. */
export const pathsOf = (line: readonly string[]): readonly string[] =>
  line.map((_, index) => line.slice(0, index + 1).join('\n'))

/** Runs up to `atOnce` pieces of work at a time, and `atOnceOfLine` of one line; others wait in lines. */
export class Turns {
  readonly #bounds: Bounds
  readonly #first = new Lines<Waiting>()
  readonly #others = new Lines<Waiting>()
  /** Whether the turn before was of those that are first. */
  #wasFirst = false
  #running = 0
  /** How many run of each line. */
  readonly #runningOf = new Map<string, number>()
  readonly #idle: (() => void)[] = []

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  /** How many pieces of work wait. */
  get waiting(): number {
    return this.#first.size + this.#others.size
  }

  /** Whether no work runs or waits. */
  get isIdle(): boolean {
    return this.#running === 0
  }

  /** Resolves once no work runs or waits. */
  drained(): Promise<void> {
    return this.isIdle ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve))
  }

  /** Runs work when it is its turn. Throws `busy` if too much waits already, or the asker is gone before that. */
  take<T>(work: () => Promise<T>, { line = [], isFirst, isGone = () => false }: Waiter = {}): Promise<T> {
    if (this.#running < this.#bounds.atOnce && this.#isReady(line)) {
      this.#begin(line)
      return this.#carryOut(line, work)
    }
    const lines = isFirst ? this.#first : this.#others
    if (!mayWait(lines, line, this.#bounds)) throw new ApiError('busy', this.#bounds.refusal)
    const turn = new Promise<void>((begin, drop) => lines.push(line, { line, isGone, begin, drop }))
    return turn.then(() => this.#carryOut(line, work))
  }

  async #carryOut<T>(line: readonly string[], work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } finally {
      this.#end(line)
      this.#pass()
    }
  }

  /** Whether one more of a line may run, as far as that line, and those that it is within, are concerned. */
  readonly #isReady = (line: readonly string[]): boolean => {
    const most = this.#bounds.atOnceOfLine?.(this.#bounds.atOnce - this.#running)
    return (
      most === undefined ||
      pathsOf(line).every((path, depth) => this.#countOf(path) < (most[depth] ?? Number.POSITIVE_INFINITY))
    )
  }

  #countOf(path: string): number {
    return this.#runningOf.get(path) ?? 0
  }

  #begin(line: readonly string[]): void {
    this.#running++
    for (const path of pathsOf(line)) this.#runningOf.set(path, this.#countOf(path) + 1)
  }

  #end(line: readonly string[]): void {
    this.#running--
    for (const path of pathsOf(line)) {
      const others = this.#countOf(path) - 1
      if (others > 0) this.#runningOf.set(path, others)
      else this.#runningOf.delete(path)
    }
  }

  /** Begins what waits, as long as there are places. */
  #pass(): void {
    let next = this.#next()
    while (next) {
      if (next.isGone()) next.drop(gone())
      else {
        this.#begin(next.line)
        next.begin()
      }
      next = this.#next()
    }
    if (this.isIdle) for (const resolve of this.#idle.splice(0)) resolve()
  }

  /** What is next, if there is a place for it. */
  #next(): Waiting | undefined {
    if (this.#running >= this.#bounds.atOnce) return undefined
    for (const lines of this.#wasFirst ? [this.#others, this.#first] : [this.#first, this.#others]) {
      const found = lines.shift(this.#isReady)
      if (found === undefined) continue
      this.#wasFirst = lines === this.#first
      return found
    }
    return undefined
  }
}

/** Turns of each of several, by their names, as long as work of theirs runs or waits. */
export class TurnsByName {
  readonly #bounds: Bounds
  readonly #all = new Map<string, Turns>()

  /** Bounds of each. */
  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  /** As `take` of `Turns`. */
  async take<T>(name: string, work: () => Promise<T>, { isGone }: Pick<Waiter, 'isGone'>): Promise<T> {
    const turns = this.#all.get(name) ?? new Turns(this.#bounds)
    this.#all.set(name, turns)
    try {
      return await turns.take(work, { ...(isGone && { isGone }) })
    } finally {
      if (turns.isIdle) this.#all.delete(name)
    }
  }
}
