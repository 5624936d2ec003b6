import { ApiError } from '../../contract/api/errors.ts'
import { isBusy } from '../store/database/sqlite.ts'

/** A request failed after a part of it was done and stays done: sending it again would do that part twice. */
export class PartlyDone extends ApiError {
  constructor(
    /** Why it failed. */
    readonly reason: string,
    done: string,
  ) {
    super('busy', `${reason}, but ${done}: check the result before you try again`)
  }
}

/** The failure of a request after a part of it was done; a `busy` that clients would retry becomes `PartlyDone`. */
export function afterwards(error: unknown, done: string): unknown {
  const reason = busyReason(error)
  return reason === undefined ? error : new PartlyDone(reason, done)
}

/** Why there is no place for a request now; undefined for another failure. */
function busyReason(error: unknown): string | undefined {
  if (isBusy(error)) return 'the database is busy'
  if (error instanceof PartlyDone) return error.reason
  return error instanceof ApiError && error.kind === 'busy' ? error.message : undefined
}
