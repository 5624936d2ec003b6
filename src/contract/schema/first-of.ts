/** The first items, as many as there are up to a count; no further one is taken. */
export function firstOf<T>(items: Iterable<T>, count: number): T[] {
  const first: T[] = []
  for (const item of items) if (first.push(item) >= count) break
  return first
}
