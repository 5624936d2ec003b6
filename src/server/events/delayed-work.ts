/** Work of which each piece is carried out after the one before it, some of it later. */
export class DelayedWork {
  #last: Promise<void> = Promise.resolve()
  #waiting = 0
  /** What waits, by its sizes. */
  size = 0

  /** Carries out work after some milliseconds; at once if there are none and nothing waits. Only what waits is measured. */
  run(milliseconds: number, sizeOf: () => number, work: () => void): void {
    if (milliseconds === 0 && this.#waiting === 0) {
      work()
      return
    }
    const due = performance.now() + milliseconds
    const size = sizeOf()
    this.#waiting++
    this.size += size
    this.#last = this.#last
      .then(() => until(due))
      .then(() => {
        this.#waiting--
        this.size -= size
        work()
      })
  }
}

const until = (due: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())).unref())
