import { groupBy } from '../../contract/schema/group-by.ts'
import { largestBy } from '../../contract/schema/largest-by.ts'

/** Who has one of the places that all share, or wants one. */
export interface Sharer {
  readonly user: string
  /** The address of their machine, or its network. */
  readonly place: string
  /** Whether they go before others, as the publishers of the service do. */
  readonly isFirst: boolean
}

/**
 * Which of all that have places, the oldest first, has to go for a newcomer: the oldest of the address that has most, and
 * there of the user who has most; undefined where the newcomer would have as many as they. Addresses share the places, and so
 * do the users of each. Whoever goes first gives up none, and gets one unless all others do, too.
 */
export function replacedBy<T extends Sharer>(newcomer: Sharer, all: Iterable<T>): T | undefined {
  const others = [...all].filter(({ isFirst }) => !isFirst)
  const gives = (most: readonly T[], own: readonly T[] = []) => newcomer.isFirst || own.length + 1 < most.length
  const byPlace = groupBy(others, ({ place }) => place)
  const largest = largestOf(byPlace)
  const here = byPlace.get(newcomer.place)
  if (gives(largest, here)) return largestOf(groupBy(largest, ({ user }) => user))[0]
  const byUser = groupBy(here ?? [], ({ user }) => user)
  const most = largestOf(byUser)
  return gives(most, byUser.get(newcomer.user)) ? most[0] : undefined
}

/** The first of the longest lists. */
const largestOf = <T>(lists: ReadonlyMap<string, readonly T[]>): readonly T[] =>
  largestBy(lists.values(), ({ length }) => length) ?? []
