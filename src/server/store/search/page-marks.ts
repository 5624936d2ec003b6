import type { Key } from '../vatoms/vatom-order.ts'

/** How many places are remembered of one search. */
const most = 100

/** Places in the results of a search, valid until something changes: a page begins at the last one before it. */
export class PageMarks {
  readonly #keys = new Map<number, Key>()

  /** Remembers the key of the last result, or one after it, of the first `offset` results. */
  add(offset: number, key: Key): void {
    this.#keys.delete(offset)
    this.#keys.set(offset, key)
    const [oldest] = this.#keys.keys()
    if (this.#keys.size > most && oldest !== undefined) this.#keys.delete(oldest)
  }

  /** The last place that is not after an offset: how many results come before it, and the key that they end with. */
  before(offset: number): { readonly passed: number; readonly after: Key | undefined } {
    let passed = 0
    for (const known of this.#keys.keys()) if (known > passed && known <= offset) passed = known
    return { passed, after: this.#keys.get(passed) }
  }
}
