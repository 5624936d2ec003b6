/** Runs of limited actions whose handlers are at work in this process, by action and user. */
export class Reservations {
  readonly #counts = new Map<string, number>()

  count(action: string, user: string): number {
    return this.#counts.get(keyOf(action, user)) ?? 0
  }

  /** Adds one, until the answered function is called. */
  add(action: string, user: string): () => void {
    const key = keyOf(action, user)
    this.#change(key, 1)
    let isThere = true
    return () => {
      if (isThere) this.#change(key, -1)
      isThere = false
    }
  }

  #change(key: string, by: number): void {
    const count = (this.#counts.get(key) ?? 0) + by
    if (count === 0) this.#counts.delete(key)
    else this.#counts.set(key, count)
  }
}

const keyOf = (action: string, user: string) => `${user} ${action}`
