import { overlaid } from './overlaid.ts'
import { placeOf } from './places.ts'
import type { Store } from './store.ts'
import type { Asking } from './timed-turns.ts'

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

/**
 * The store for somebody who asks: what they write waits in a line of theirs, and `inSteps` is around what they write in steps.
 * Only their first write can be refused because much waits, or they are gone: what it began is carried through. None can be
 * where nobody waits for the result.
 */
export function storeFor(
  store: Store,
  { isGone, ...sender }: Asking,
  inSteps = (write: Store['writeInSteps']) => write,
): Store {
  let next: Asking = { ...sender, isGone }
  const asking = (): Asking => {
    const asked = next
    next = sender
    return asked
  }
  return overlaid(store, {
    write: (work) => store.write(work, asking()),
    writeInSteps: inSteps((rows, work) => store.writeInSteps(rows, work, asking())),
    writeInPortions: (rows, work) => store.writeInPortions(rows, work, asking()),
  })
}
