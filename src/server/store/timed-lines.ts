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

  constructor(taken = 0) {
    this.#taken = taken
  }

  /** How many things wait in all. */
  get size(): number {
    return this.#size
  }

  /** Puts something at the end of a line. One that begins has had so much time, or as much as the one that had the least. */
  push([name, ...rest]: readonly string[], item: T, taken?: number): void {
    this.#size++
    if (name === undefined) {
      this.#own.push(item)
      return
    }
    this.#lines ??= new Map()
    const line = this.#lines.get(name) ?? new TimedLines<T>((rest.length === 0 ? taken : undefined) ?? this.#leastTaken)
    this.#lines.set(name, line)
    line.push(rest, item, taken)
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

  /** Takes all that waits. */
  takeAll(): T[] {
    const all: T[] = []
    for (let next = this.shift(); next; next = this.shift()) all.push(next.item)
    return all
  }

  #first(): Next<T> | undefined {
    const [item] = this.#own.splice(0, 1)
    if (item === undefined) return undefined
    this.#size--
    return { item, took: () => {} }
  }

  get #leastTaken(): number {
    const [, line] = this.#least() ?? []
    return line ? line.#taken : 0
  }

  #least(): readonly [string, TimedLines<T>] | undefined {
    let least: readonly [string, TimedLines<T>] | undefined
    for (const one of this.#lines ?? []) if (least === undefined || one[1].#taken < least[1].#taken) least = one
    return least
  }
}
