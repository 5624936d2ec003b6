/** Work of which each piece is carried out after the one before it, some of it later. */
export class DelayedWork {
  #last: Promise<void> = Promise.resolve()
  #waiting = 0
  /** What waits, by the sizes that were given. */
  size = 0

  /** Carries out work after some milliseconds; at once if there are none and nothing waits. */
  run(milliseconds: number, size: number, work: () => void): void {
    if (milliseconds === 0 && this.#waiting === 0) {
      work()
      return
    }
    const due = performance.now() + milliseconds
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
