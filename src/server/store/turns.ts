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

  /** Takes what is next, if there is something. */
  shift(): T | undefined {
    if (this.#size === 0) return undefined
    this.#size--
    const [[name, line] = []] = this.#lines
    if (name === undefined || !line) return this.#own.shift()
    this.#lines.delete(name)
    const item = line.shift()
    if (line.size > 0) this.#lines.set(name, line)
    return item
  }
}

/** How much may wait; any amount by default. */
export interface WaitingBounds {
  /** In all: above that, each line has one. */
  readonly waiting?: number
  readonly waitingOfLine?: number
}

/** Whether one more may wait in a line: when much waits in all, whoever asks for little is not refused. */
export function mayWait<T>(lines: Lines<T>, line: readonly string[], bounds: WaitingBounds): boolean {
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
  /** The message of the error when too much waits. */
  readonly refusal?: string
}

interface Waiting {
  readonly isGone: () => boolean
  readonly begin: () => void
  readonly drop: (reason: ApiError) => void
}

/** Runs up to `atOnce` pieces of work at a time; others wait in lines. */
export class Turns {
  readonly #bounds: Bounds
  readonly #first = new Lines<Waiting>()
  readonly #others = new Lines<Waiting>()
  /** Whether the turn before was of those that are first. */
  #wasFirst = false
  #running = 0
  readonly #idle: (() => void)[] = []

  constructor(bounds: Bounds) {
    this.#bounds = bounds
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
    if (this.#running < this.#bounds.atOnce) {
      this.#running++
      return this.#carryOut(work)
    }
    const lines = isFirst ? this.#first : this.#others
    if (!mayWait(lines, line, this.#bounds)) throw new ApiError('busy', this.#bounds.refusal)
    const turn = new Promise<void>((begin, drop) => lines.push(line, { isGone, begin, drop }))
    return turn.then(() => this.#carryOut(work))
  }

  async #carryOut<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } finally {
      this.#pass()
    }
  }

  #pass(): void {
    let next = this.#next()
    while (next?.isGone()) {
      next.drop(new ApiError('busy', 'the connection was closed while the request waited'))
      next = this.#next()
    }
    if (next) next.begin()
    else this.#running--
    if (this.isIdle) for (const resolve of this.#idle.splice(0)) resolve()
  }

  #next(): Waiting | undefined {
    const [next, after] = this.#wasFirst ? [this.#others, this.#first] : [this.#first, this.#others]
    const lines = next.size > 0 ? next : after
    this.#wasFirst = lines === this.#first
    return lines.shift()
  }
}
