/** Someone who is told something, and may be slow to read it. */
export interface Reader {
  /** Bytes that wait for their client to read them. */
  readonly unread: number
  drop(): void
}

/** Bytes that may wait for all clients together. */
export const unreadMost = 64 * 2 ** 20

/** Drops those who have read least of what they were told, until no more waits for all together than may. */
export function dropSlowest(readers: Iterable<Reader>, most: number): void {
  const waiting = [...readers].map((reader) => ({ reader, unread: reader.unread })).filter(({ unread }) => unread > 0)
  let all = waiting.reduce((sum, { unread }) => sum + unread, 0)
  if (all <= most) return
  for (const { reader, unread } of waiting.sort((a, b) => b.unread - a.unread)) {
    if (all <= most) return
    reader.drop()
    all -= unread
  }
}
