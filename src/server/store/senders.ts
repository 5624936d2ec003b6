import { placeOf } from './places.ts'
import type { Store } from './store.ts'

/** Who asks for work, for as long as it waits. */
export interface Sender {
  /** The names of their line, and of the line within it: `[address, user]`. */
  readonly line: readonly string[]
  /** Whether every second turn is theirs, as it is of the publishers of the service. */
  readonly isFirst: boolean
}

/** A user at an address, or somebody there who is none. */
export const senderAt = (address: string, user?: { readonly id: string; readonly seeded: number }): Sender => ({
  line: [placeOf(address), user?.id ?? ''],
  isFirst: user?.seeded === 1,
})

/** What the service itself writes. */
export const theService: Sender = { line: ['', ''], isFirst: false }

/** The store for somebody who asks: what they write waits in a line of theirs, and `inSteps` is around what they write in steps. */
export const storeFor = (
  store: Store,
  sender: Sender,
  inSteps: (write: Store['writeInSteps']) => Store['writeInSteps'],
): Store => ({
  ...store,
  write: (work) => store.write(work, sender),
  writeInSteps: inSteps((rows, work) => store.writeInSteps(rows, work, sender)),
  writeInPortions: (rows, work) => store.writeInPortions(rows, work, sender),
})
