import { firstOf } from '../../contract/schema/first-of.ts'
import { at } from '../../contract/schema/path.ts'
import { parseJson } from '../../contract/unknown-values.ts'
import type { SentEvent } from '../store/events.ts'

/** Events that wait at most; of more, the oldest are left out. */
const most = 10_000
/** Events that are sent at a time: where no more wait, all of them. */
export const mapBatch = 32

/**
 * Events of the map that are not sent yet. What happens on the map can have a thousand watchers: events of one user do not
 * wait for them. Of many that wait, that a vAtom was dropped is not told once it was picked up there.
 */
export class MapEvents {
  readonly #waiting = new Map<string, SentEvent>()

  get size(): number {
    return this.#waiting.size
  }

  add(row: SentEvent): void {
    if (this.#waiting.size < mapBatch) this.#waiting.set(`${row.seq}`, row)
    else this.#addToMany(row)
  }

  #addToMany(row: SentEvent): void {
    const event = parseJson(row.payload)
    const [op, place] = [String(at(event, 'op')), `${at(event, 'vatom_id')} ${row.lat} ${row.lon}`]
    if (op === 'remove') this.#waiting.delete(`add ${place}`)
    const key = `${op} ${place}`
    this.#waiting.delete(key)
    this.#waiting.set(key, row)
    if (this.#waiting.size > most) this.take(1)
  }

  /** Removes the oldest, and returns them. */
  take(count: number): SentEvent[] {
    const taken = firstOf(this.#waiting, count)
    for (const [key] of taken) this.#waiting.delete(key)
    return taken.map(([, row]) => row)
  }

  clear(): void {
    this.#waiting.clear()
  }
}
