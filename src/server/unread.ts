/** A client for which bytes wait. */
export interface Reading {
  readonly unread: number
  readonly drop: () => void
}

/** Bytes that wait to be read by all. */
export function allUnread(readers: Iterable<Pick<Reading, 'unread'>>): number {
  let bytes = 0
  for (const { unread } of readers) bytes += unread
  return bytes
}

/** Drops the clients with the most unread bytes, until those of all together are at most `most`. */
export function dropSlowest(readers: Iterable<Reading>, most: number): void {
  const waiting = [...readers].map((reader) => ({ reader, unread: reader.unread })).filter(({ unread }) => unread > 0)
  let all = allUnread(waiting)
  if (all <= most) return
  for (const { reader, unread } of waiting.sort((a, b) => b.unread - a.unread)) {
    if (all <= most) return
    reader.drop()
    all -= unread
  }
}
