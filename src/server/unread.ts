/** A client for which bytes wait. */
export interface Reading {
  readonly unread: number
  readonly drop: () => void
}

/** Drops the clients with the most unread bytes, until those of all together are at most `most`. */
export function dropSlowest(readers: Iterable<Reading>, most: number): void {
  const waiting = [...readers].map((reader) => ({ reader, unread: reader.unread })).filter(({ unread }) => unread > 0)
  let all = waiting.reduce((sum, { unread }) => sum + unread, 0)
  if (all <= most) return
  for (const { reader, unread } of waiting.sort((a, b) => b.unread - a.unread)) {
    if (all <= most) return
    reader.drop()
    all -= unread
  }
}
