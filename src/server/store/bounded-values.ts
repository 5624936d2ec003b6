/** Values by their keys, of which the sizes are so much together at most: one for which there is no room removes all others. */
export class BoundedValues<Value> {
  readonly #most: number
  readonly #sizeOf: (value: Value) => number
  readonly #values = new Map<string, Value>()
  #size = 0

  constructor(most: number, sizeOf: (value: Value) => number) {
    this.#most = most
    this.#sizeOf = sizeOf
  }

  readonly get = (key: string): Value | undefined => this.#values.get(key)

  /** Remembers the value of a key that has none. */
  set(key: string, value: Value): void {
    const added = this.#sizeOf(value)
    if (this.#size + added > this.#most) this.clear()
    if (added > this.#most) return
    this.#values.set(key, value)
    this.#size += added
  }

  readonly clear = (): void => {
    this.#values.clear()
    this.#size = 0
  }
}
