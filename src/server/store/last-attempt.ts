import type { Store } from './store.ts'

/**
 * A write in steps of which only what its last attempt noted counts: it may begin again. `mark` marks what is noted, and
 * returns a function that takes back what was noted since.
 */
export const ofLastAttempt =
  (mark: () => () => void) =>
  (write: Store['writeInSteps']): Store['writeInSteps'] =>
  (rows, work) => {
    const takeBack = mark()
    return write(rows, (tables) => {
      takeBack()
      return work(tables)
    })
  }
