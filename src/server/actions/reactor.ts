import type { Section } from '../../contract/vatom/complete.ts'
import type { ByUser } from '../domain/caller.ts'
import type { Steps } from '../store/slices.ts'
import type { Store } from '../store/store.ts'
import type { VatomRow } from '../store/vatoms/vatoms.ts'
import type { Action } from './action.ts'
import type { ActingScope } from './engine.ts'
import type { Notification } from './notifications.ts'

/** What a reactor is to do. */
export interface Run {
  readonly scope: ActingScope
  /** The short name of the action: `Transfer`. */
  readonly name: string
  /** Settings of the action, as `Action.config`. */
  readonly config: Action['config']
  /** The vAtom as it is at this moment. */
  readonly vatom: VatomRow
  /** The body of Perform Action. */
  readonly input: Section
}

export interface Outcome {
  readonly output: Section
  readonly notification?: Notification
}

/** Carries out the actions of one name, such as `blockv://v1/Open`. */
export interface Reactor {
  /** Whether only the vAtom's owner may have it act. */
  readonly forOwner?: true
  /** As how many rows what it changes counts, if that is not the vAtom with all in it. */
  readonly rows?: (store: Store, vatom: VatomRow, input: Section) => number
  /** Acts in steps, inside a write, and publishes what it changes. Throws an error that Perform Action declares. */
  readonly act: (run: Run) => Steps<Outcome>
  /**
   * Whether the caller may have it act on a vAtom that they cannot see; without it, they may not. It is also valid for
   * the actions that are run before and after. Throws if it has a more exact reason to refuse.
   */
  readonly reaches?: (scope: ByUser, vatom: VatomRow) => boolean
}

/** Acts in a single step. */
export const inOneStep = (act: (run: Run) => Outcome): Reactor['act'] =>
  function* (run) {
    const outcome = act(run)
    yield
    return outcome
  }
