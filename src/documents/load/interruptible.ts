import { setImmediate } from 'node:timers/promises'
import type { ReadOptions } from './read.ts'

/** Files or documents between two looks for an interruption, and milliseconds, after which fewer are enough. */
const atOnce = 50
const longest = 50

/**
 * To be called for each of many files or documents: lets signals arrive from time to time, and then throws if the run was
 * interrupted. `performance` would take longer to load than a file to check, and a clock that jumps does no harm here.
 */
export function interruptible({ signal }: Pick<ReadOptions, 'signal'>): () => Promise<void> {
  let count = 0
  let last = Date.now()
  return async () => {
    count += 1
    if (count % atOnce !== 0 && Date.now() - last < longest) return
    await setImmediate()
    signal?.throwIfAborted()
    last = Date.now()
  }
}
