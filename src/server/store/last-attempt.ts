import type { Store } from './store.ts'

type WriteInSteps = Store['writeInSteps']

/**
 * Writes in steps of which only the last attempt counts, as they may begin again: `mark` is called before the first, and
 * what it returns before each, to take back what was noted since.
 */
export const ofLastAttempt =
  (mark: () => () => void) =>
  (write: WriteInSteps): WriteInSteps =>
  (rows, work) => {
    const takeBack = mark()
    return write(rows, (tables) => {
      takeBack()
      return work(tables)
    })
  }
