/** The frames that load something now, and who waits until none does. */
export class LoadingFrames {
  readonly #frames = new Set<unknown>()
  #waiting: (() => void)[] = []

  add(frame: unknown): void {
    this.#frames.add(frame)
  }

  remove(frame: unknown): void {
    this.#frames.delete(frame)
    if (this.#frames.size > 0) return
    for (const goOn of this.#waiting.splice(0)) goOn()
  }

  /** Waits until none loads anything; any number of callers may. */
  async none(): Promise<void> {
    if (this.#frames.size > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }
}
