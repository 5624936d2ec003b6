/** A client for which bytes wait. */
export interface Reading {
  readonly unread: number
  /** Its address, or its network. */
  readonly place: string
  /** Whether it has read nothing for some time, where that is known. */
  readonly stands?: boolean
  readonly drop: () => void
}

/** Bytes that wait to be read by all. */
export function allUnread(readers: Iterable<Pick<Reading, 'unread'>>): number {
  let bytes = 0
  for (const { unread } of readers) bytes += unread
  return bytes
}

/**
 * Drops clients until the unread bytes of all together are at most `most`: first those that read nothing, and of these, and
 * then of the others, those of the address for which the most waits, the ones with the most first.
 */
export function dropSlowest(readers: Iterable<Reading>, most: number): void {
  const waiting = [...readers].map((reader) => ({ reader, unread: reader.unread })).filter(({ unread }) => unread > 0)
  let all = allUnread(waiting)
  if (all <= most) return
  const totals = new Map<string, number>()
  for (const { reader, unread } of waiting) totals.set(reader.place, (totals.get(reader.place) ?? 0) + unread)
  const totalOf = ({ place }: Reading) => totals.get(place) ?? 0
  const order = waiting.sort(
    (a, b) =>
      Number(b.reader.stands === true) - Number(a.reader.stands === true) ||
      totalOf(b.reader) - totalOf(a.reader) ||
      b.unread - a.unread,
  )
  for (const { reader, unread } of order) {
    if (all <= most) return
    reader.drop()
    all -= unread
  }
}
