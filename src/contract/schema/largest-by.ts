/** The largest of the items, the first where several are as large; undefined if there are none. */
export function largestBy<T>(items: Iterable<T>, sizeOf: (item: T) => number): T | undefined {
  let largest: { readonly item: T; readonly size: number } | undefined
  for (const item of items) {
    const size = sizeOf(item)
    if (largest === undefined || size > largest.size) largest = { item, size }
  }
  return largest?.item
}
