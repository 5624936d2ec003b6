import { Queue } from './queue.ts'

/** What is next, and a function that counts the milliseconds that it took. */
interface Next<T> {
  readonly item: T
  readonly took: (milliseconds: number) => void
}

/** Empty lines that are remembered before those that no longer count are forgotten. */
const remembered = 1000

/**
 * Things that wait in lines, and in lines within those: next is what is first in the line for which the least time was
 * taken. A line that begins has had as much as the one whose turn it was last: it waits for each of the others once at
 * most. What was taken for a line counts also when it was empty meanwhile, until nothing waits any more, and what was taken
 * for new lines counts for those that begin after them. So whoever asks again and again, under whatever names, gets no more
 * than who waits with several things.
 */
export class TimedLines<T> {
  readonly #own = new Queue<T>()
  // Most lines have none within, and begin with each thing that waits: a map for nothing takes time.
  #lines: Map<string, TimedLines<T>> | undefined
  #empty: Map<string, TimedLines<T>> | undefined
  #mostEmpty = remembered
  #size = 0
  /** Milliseconds, from when the lines around it began. */
  #taken = 0
  /** What had been taken for the line whose turn it was last, and the share of new lines in the time. */
  #reached = 0
  #hadTurn = false

  /** How many things wait in all. */
  get size(): number {
    return this.#size
  }

  /** Puts something at the end of a line. */
  push([name, ...rest]: readonly string[], item: T): void {
    if (this.#size++ === 0) this.#forgetAll()
    if (name === undefined) this.#own.push(item)
    else (this.#lines?.get(name) ?? this.#begin(name)).push(rest, item)
  }

  /** Takes what is next, if there is something. */
  shift(): Next<T> | undefined {
    const [name, line] = this.#least() ?? []
    if (name === undefined || line === undefined) return this.#first()
    this.#reached = Math.max(this.#reached, line.#taken)
    const next = line.shift()
    if (next === undefined) return undefined
    const isNew = !line.#hadTurn
    line.#hadTurn = true
    this.#size--
    if (line.size === 0) this.#end(name, line)
    return {
      item: next.item,
      took: (milliseconds) => {
        line.#taken += milliseconds
        if (isNew) this.#reached += milliseconds / this.#sharers(name)
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

  /** Removes what is over from the beginning of a line, without a turn of that; returns how much it was. */
  drop([name, ...rest]: readonly string[], isOver: (item: T) => boolean): number {
    if (name === undefined) return this.#dropOwn(isOver)
    const line = this.#lines?.get(name)
    if (!line) return 0
    const dropped = line.drop(rest, isOver)
    this.#size -= dropped
    if (line.size === 0) this.#end(name, line)
    return dropped
  }

  #dropOwn(isOver: (item: T) => boolean): number {
    const before = this.#size
    for (let { first } = this.#own; first !== undefined && isOver(first); first = this.#own.first) this.#first()
    return before - this.#size
  }

  #first(): Next<T> | undefined {
    const item = this.#own.shift()
    if (item === undefined) return undefined
    this.#size--
    return { item, took: () => {} }
  }

  #least(): readonly [string, TimedLines<T>] | undefined {
    let least: readonly [string, TimedLines<T>] | undefined
    for (const one of this.#lines ?? []) if (least === undefined || one[1].#taken < least[1].#taken) least = one
    return least
  }

  /** How many lines share the time with one: those in which something waits, and itself. */
  #sharers(name: string): number {
    const waiting = this.#lines?.size ?? 0
    return this.#lines?.has(name) ? waiting : waiting + 1
  }

  #begin(name: string): TimedLines<T> {
    const line = this.#empty?.get(name) ?? new TimedLines<T>()
    this.#empty?.delete(name)
    line.#taken = Math.max(line.#taken, this.#reached)
    this.#lines ??= new Map()
    this.#lines.set(name, line)
    return line
  }

  #end(name: string, line: TimedLines<T>): void {
    this.#lines?.delete(name)
    // The last one is forgotten by whoever is next.
    if (this.#size === 0) return
    this.#empty ??= new Map()
    this.#empty.set(name, line)
    if (this.#empty.size <= this.#mostEmpty) return
    for (const [other, one] of this.#empty) if (one.#taken < this.#reached) this.#empty.delete(other)
    this.#mostEmpty = Math.max(remembered, 2 * this.#empty.size)
  }

  #forgetAll(): void {
    this.#empty = undefined
    this.#mostEmpty = remembered
    this.#reached = 0
  }
}
