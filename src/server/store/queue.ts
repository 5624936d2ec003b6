interface Link<T> {
  readonly item: T
  next: Link<T> | undefined
}

/** Things in the order in which they came: the first is taken in the same short time, however many wait behind it. */
export class Queue<T> {
  #first: Link<T> | undefined
  #last: Link<T> | undefined

  get first(): T | undefined {
    return this.#first?.item
  }

  push(item: T): void {
    const link: Link<T> = { item, next: undefined }
    if (this.#last) this.#last.next = link
    else this.#first = link
    this.#last = link
  }

  shift(): T | undefined {
    const first = this.#first
    this.#first = first?.next
    if (!this.#first) this.#last = undefined
    return first?.item
  }
}
