import { ApiError } from '../../contract/api/errors.ts'
import { isBusy } from '../store/database/sqlite.ts'

/** Raised once something is done that stays done: sending the request again would do it twice. */
export class PartlyDone extends ApiError {}

/** The failure of a request of which something is done: one that could be retried before is no longer that. */
export function afterwards(error: unknown, done: string): unknown {
  const isLater = isBusy(error) || (error instanceof ApiError && error.kind === 'busy')
  return isLater
    ? new PartlyDone('busy', `the database is busy, but ${done}: check the result before you try again`)
    : error
}
