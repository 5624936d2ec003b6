/** Upper bounds of the durations that are counted apart, in seconds. */
export const durationBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

/** The requests for one operation. */
export class OperationCounts {
  readonly byStatus = new Map<string, number>()
  /** How many took at most as long as each bound, but longer than the bound before it. */
  readonly byDuration: number[] = durationBounds.map(() => 0)
  count = 0
  seconds = 0
}

/** How many requests there were since the start, and how long they took: what metrics are made of. */
export class RequestCounts {
  readonly byOperation = new Map<string, OperationCounts>()

  add(operation: string, status: string, milliseconds: number): void {
    const counts = this.byOperation.get(operation) ?? this.#begin(operation)
    const seconds = milliseconds / 1000
    const bound = durationBounds.findIndex((most) => seconds <= most)
    if (bound >= 0) counts.byDuration[bound] = (counts.byDuration[bound] ?? 0) + 1
    counts.byStatus.set(status, (counts.byStatus.get(status) ?? 0) + 1)
    counts.count++
    counts.seconds += seconds
  }

  #begin(operation: string): OperationCounts {
    const counts = new OperationCounts()
    this.byOperation.set(operation, counts)
    return counts
  }
}
