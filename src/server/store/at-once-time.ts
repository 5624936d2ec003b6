import { limits } from '../../contract/limits.ts'
import { placeOf } from './places.ts'

/** Milliseconds over which the time is shared. */
const second = 1000
/** Milliseconds that work has where its caller, or all, had theirs in this second. */
const least = 2

/** Who asks for work at once. */
export interface Caller {
  readonly user: { readonly id: string; readonly seeded: number }
  readonly address: string
}

/**
 * The time of each second for work that is carried out in one turn, as within a transaction: others wait for all of it, so that
 * little is left to who asks for it over and over. Where work came from several addresses in the second before, each has its
 * share; else one that is new has its share, also where the others have taken all.
 */
export class AtOnceTime {
  /** Milliseconds that were taken in this second, by users and, without publishers of the service, by places. */
  #ofUsers = new Map<string, number>()
  #ofPlaces = new Map<string, number>()
  #ofAllPlaces = 0
  /** From how many places work came in the second before, or half as many as in the one before that, and so on. */
  #placesBefore = 0
  #since = Number.NEGATIVE_INFINITY

  /** Milliseconds that the next work of a caller may take. */
  most({ user, address }: Caller): number {
    this.#begin(performance.now())
    const own = limits.searchesAtOnceOfUser - (this.#ofUsers.get(user.id) ?? 0)
    const shared = user.seeded === 1 ? own : this.#leftTo(placeOf(address))
    return Math.max(least, Math.min(own, shared, limits.searchAtOnce))
  }

  /** Counts milliseconds of a caller's work. */
  took({ user, address }: Caller, milliseconds: number): void {
    add(this.#ofUsers, user.id, milliseconds)
    if (user.seeded === 1) return
    this.#ofAllPlaces += milliseconds
    add(this.#ofPlaces, placeOf(address), milliseconds)
  }

  /** What a place lacks of its share, or what others left. */
  #leftTo(place: string): number {
    const all = limits.searchesAtOnceOfAll
    const taken = this.#ofPlaces.get(place)
    const places = this.#ofPlaces.size + (taken === undefined ? 1 : 0)
    const lacking = all / Math.max(places, this.#placesBefore) - (taken ?? 0)
    return this.#placesBefore > 1 ? lacking : Math.max(all - this.#ofAllPlaces, lacking)
  }

  #begin(now: number): void {
    if (now - this.#since < second) return
    const quiet = Math.floor((now - this.#since) / second) - 1
    this.#since = now
    this.#placesBefore = Math.floor(Math.max(this.#ofPlaces.size, this.#placesBefore / 2) / 2 ** quiet)
    this.#ofUsers = new Map()
    this.#ofPlaces = new Map()
    this.#ofAllPlaces = 0
  }
}

const add = (sums: Map<string, number>, key: string, value: number) => sums.set(key, (sums.get(key) ?? 0) + value)
