import { setTimer } from '../next-turn.ts'

/**
 * For work that keeps others waiting, one piece after the other: what took longer than `most` milliseconds is followed by a
 * rest of so many `times` as long as it took beyond that.
 */
export function withRests(times: number, most: number) {
  let until = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    const rest = until - performance.now()
    if (rest > 0) await new Promise<void>((resolve) => setTimer(resolve, rest))
    const began = performance.now()
    try {
      return await work()
    } finally {
      const ended = performance.now()
      until = ended + times * Math.max(0, ended - began - most)
    }
  }
}
