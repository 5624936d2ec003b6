import { ApiError, type ErrorName } from '../../contract/api/errors.ts'
import { faultOf } from '../store/faults.ts'

/** A request failed after a part of it was done and stays done: sending it again would do that part twice. */
export class PartlyDone extends ApiError {
  constructor(
    kind: ErrorName,
    /** Why it failed. */
    readonly reason: string,
    done: string,
    /** What it failed with. */
    override readonly cause: unknown,
  ) {
    super(kind, `${reason}, but ${done}: check the result before you try again`)
  }
}

/** What an action can fail with that ends: clients, or people, send it again then. */
const temporary: readonly ErrorName[] = ['busy', 'closing', 'storage', 'outdated']

/** The failure of a request after a part of it was done; one after which it would be sent again becomes `PartlyDone`. */
export function afterwards(error: unknown, done: string): unknown {
  const failure = faultOf(error) ?? error
  if (!(failure instanceof ApiError) || !temporary.includes(failure.kind)) return error
  if (failure instanceof PartlyDone) return new PartlyDone(failure.kind, failure.reason, done, failure.cause)
  return new PartlyDone(failure.kind, failure.message, done, error)
}
