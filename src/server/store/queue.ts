/** Things in the order in which they came: the first is taken in the same short time, however many wait behind it. */
export class Queue<T> {
  #items: (T | undefined)[] = []
  /** How many places at the beginning are empty. */
  #taken = 0

  get first(): T | undefined {
    return this.#items[this.#taken]
  }

  push(item: T): void {
    this.#items.push(item)
  }

  shift(): T | undefined {
    const { first } = this
    if (first === undefined) return undefined
    this.#items[this.#taken++] = undefined
    // The others move up only once they are no more than the empty places before them.
    if (2 * this.#taken >= this.#items.length) {
      this.#items = this.#items.slice(this.#taken)
      this.#taken = 0
    }
    return first
  }
}
