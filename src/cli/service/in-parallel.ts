/** How many requests are in progress at a time. */
export const atOnce = 8

/**
 * Does work on items, up to `most` at a time. Returns the results in the order of the items. After a failure no work begins;
 * the failure is thrown once the work in progress has ended.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  most = atOnce,
): Promise<R[]> {
  const results: R[] = []
  const failures: unknown[] = []
  const waiting = items.entries()
  const worker = async () => {
    for (const [index, item] of waiting) {
      if (failures.length > 0) return
      try {
        results[index] = await work(item)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker))
  if (failures.length > 0) throw failures[0]
  return results
}
