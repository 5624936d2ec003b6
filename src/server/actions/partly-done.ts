import { ApiError, type ErrorName } from '../../contract/api/errors.ts'
import { isBusy } from '../store/database/sqlite.ts'

/** A request failed after a part of it was done and stays done: sending it again would do that part twice. */
export class PartlyDone extends ApiError {
  constructor(
    kind: ErrorName,
    /** Why it failed. */
    readonly reason: string,
    done: string,
  ) {
    super(kind, `${reason}, but ${done}: check the result before you try again`)
  }
}

/** What an action can fail with that is answered with `Retry-After`. */
const temporary: readonly ErrorName[] = ['busy', 'closing']

/**
 * The failure of a request after a part of it was done; one after which clients would send it again becomes
 * `PartlyDone`.
 */
export function afterwards(error: unknown, done: string): unknown {
  const failure = isBusy(error) ? new ApiError('busy', 'the database is busy') : error
  if (!(failure instanceof ApiError) || !temporary.includes(failure.kind)) return error
  return new PartlyDone(failure.kind, failure instanceof PartlyDone ? failure.reason : failure.message, done)
}
