/** What is next, and a function that counts the milliseconds that it took. */
interface Next<T> {
  readonly item: T
  readonly took: (milliseconds: number) => void
}

/** Things that wait in lines, and in lines within those: next is what is first in the line for which the least time was taken. */
export class TimedLines<T> {
  readonly #own: T[] = []
  #lines: Map<string, TimedLines<T>> | undefined
  #size = 0
  /** Milliseconds. */
  #taken: number

  /** A line that begins has had as much time as the one that had the least. */
  constructor(taken = 0) {
    this.#taken = taken
  }

  /** How many things wait in all. */
  get size(): number {
    return this.#size
  }

  /** Puts something at the end of a line. */
  push([name, ...rest]: readonly string[], item: T): void {
    this.#size++
    if (name === undefined) {
      this.#own.push(item)
      return
    }
    const [, least] = this.#least() ?? []
    this.#lines ??= new Map()
    const line = this.#lines.get(name) ?? new TimedLines<T>(least ? least.#taken : 0)
    this.#lines.set(name, line)
    line.push(rest, item)
  }

  /** Takes what is next, if there is something. */
  shift(): Next<T> | undefined {
    const [name, line] = this.#least() ?? []
    if (name === undefined || line === undefined) return this.#first()
    const next = line.shift()
    if (next === undefined) return undefined
    this.#size--
    if (line.size === 0) this.#lines?.delete(name)
    return {
      item: next.item,
      took: (milliseconds) => {
        line.#taken += milliseconds
        next.took(milliseconds)
      },
    }
  }

  #first(): Next<T> | undefined {
    const [item] = this.#own.splice(0, 1)
    if (item === undefined) return undefined
    this.#size--
    return { item, took: () => {} }
  }

  #least(): readonly [string, TimedLines<T>] | undefined {
    let least: readonly [string, TimedLines<T>] | undefined
    for (const one of this.#lines ?? []) if (least === undefined || one[1].#taken < least[1].#taken) least = one
    return least
  }
}
