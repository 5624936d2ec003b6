import type { Section } from '../../contract/complete.ts'
import type { UserScope } from '../environment.ts'
import type { VatomRow } from '../store/vatoms.ts'

/** Carries out the actions of one name, such as `blockv://v1/Open`. It never changes `private`. Spec 2.4. */
export interface Reactor {
  /** Names of what it takes from the body of Perform Action, beside `this.id`. */
  readonly takes: readonly string[]
  /**
   * Acts on a vAtom that the caller may see, inside a write: whose it must be is the reactor's to say. Answers the
   * output, or throws an error that Perform Action declares.
   */
  readonly act: (scope: UserScope, vatom: VatomRow, input: Section) => Section
}
