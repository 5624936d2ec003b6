import { ApiError } from '../../contract/api/errors.ts'
import { isBusy } from '../store/database/sqlite.ts'

/** A request failed after a part of it was done and stays done: sending it again would do that part twice. */
export class PartlyDone extends ApiError {}

/** The failure of a request after a part of it was done; a `busy` that clients would retry becomes `PartlyDone`. */
export function afterwards(error: unknown, done: string): unknown {
  const isLater = isBusy(error) || (error instanceof ApiError && error.kind === 'busy')
  return isLater
    ? new PartlyDone('busy', `the database is busy, but ${done}: check the result before you try again`)
    : error
}
