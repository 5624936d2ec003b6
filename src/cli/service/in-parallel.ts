/** Requests that are under way at a time. */
export const atOnce = 8

/**
 * What work comes to for each item, in their order, several at a time. The first failure is thrown once what is under way
 * has ended; nothing is begun after it.
 */
export async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
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
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
  if (failures.length > 0) throw failures[0]
  return results
}
