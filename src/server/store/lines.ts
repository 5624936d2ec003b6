import type { Store } from './store.ts'

/** The line of what the service itself writes. */
export const ownLine: readonly string[] = ['', '']

/** The store for somebody who asks: what they write waits in a line of theirs. */
export const storeInLine = (store: Store, line: readonly string[]): Store => ({
  ...store,
  write: (work) => store.write(work, line),
  writeInSteps: (rows, work) => store.writeInSteps(rows, work, line),
  writeInPortions: (rows, work) => store.writeInPortions(rows, work, line),
})
