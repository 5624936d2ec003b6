import type { Section } from '../../contract/vatom/complete.ts'
import type { UserScope } from '../operations/handler.ts'
import type { VatomRow } from '../store/vatoms.ts'

/** What a reactor is to do. */
export interface Run {
  readonly scope: UserScope
  /** The action as it was asked for, without its template: `Transfer`. */
  readonly name: string
  /** Settings of the action. */
  readonly config: Section
  /** The vAtom as it is at this moment. */
  readonly vatom: VatomRow
  /** The body of Perform Action. */
  readonly input: Section
}

/** A message for somebody whom it concerns. */
export interface Told {
  readonly to: string
  /** Who caused it. */
  readonly from: string
  readonly text: string
  readonly vatom: VatomRow
}

export interface Outcome {
  readonly output: Section
  readonly told?: Told
}

/** Carries out the actions of one name, such as `blockv://v1/Open`. */
export interface Reactor {
  /**
   * Acts, inside a write: whose the vAtom must be is the reactor's to say, as is telling of what it changes. Throws
   * an error that Perform Action declares.
   */
  readonly act: (run: Run) => Outcome
  /**
   * Whether the caller may have it act on a vAtom that they cannot see; left out: they may not. What an action may
   * reach, those that are run before and after it may. Throws where there is more to say than that they may not.
   */
  readonly reaches?: (scope: UserScope, vatom: VatomRow) => boolean
}
