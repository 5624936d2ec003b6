import type { Sharer } from '../store/shared-places.ts'

/** Milliseconds after which whoever asks no more has left. */
const leftAfter = 1000

/** Those who ask for room again and again until they have it, in the order in which they began to. */
export class RoomLine<T extends Sharer> {
  /** When each last asked, the first to come first. */
  readonly #asked = new Map<T, number>()

  /** Has somebody wait, at the end unless they do already. */
  join(one: T): void {
    this.#asked.set(one, performance.now())
  }

  leave(one: T): void {
    this.#asked.delete(one)
  }

  /**
   * Those who have their turn before somebody, who may not wait yet: whoever goes before others, those at addresses that have
   * less, and those who came before.
   */
  ahead(one: T, placesOf: (place: string) => number): T[] {
    this.#dropLeft()
    const all = [...new Set([...this.#asked.keys(), one])].sort(
      (a, b) => Number(b.isFirst) - Number(a.isFirst) || placesOf(a.place) - placesOf(b.place),
    )
    return all.slice(0, all.indexOf(one))
  }

  #dropLeft(): void {
    const now = performance.now()
    for (const [one, asked] of this.#asked) if (now - asked > leftAfter) this.#asked.delete(one)
  }
}
