/** Milliseconds that what goes on has to come to its end once the service closes. */
const grace = 5000

/** What goes on once its request is answered. */
export class Later {
  readonly #running = new Set<Promise<void>>()
  readonly #ending = new AbortController()

  /** Aborted once the service closes and waits no longer. */
  readonly signal: AbortSignal = this.#ending.signal

  /** Begins work after the answers that are ready now; `failed` is told what it throws. */
  run(work: () => Promise<unknown>, failed: (error: unknown) => void): void {
    const running = new Promise<void>((resolve) => setImmediate(resolve))
      .then(work)
      .then(() => undefined, failed)
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  /** Resolves once nothing goes on; what does not end in a few seconds is given up, as is all that others wait for. */
  async end(): Promise<void> {
    const timer = setTimeout(() => this.#ending.abort(), grace)
    while (this.#running.size > 0) await Promise.all(this.#running)
    clearTimeout(timer)
    this.#ending.abort()
  }
}
