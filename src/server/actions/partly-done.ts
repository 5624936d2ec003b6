import { ApiError } from '../../contract/api/errors.ts'
import { PartlyDone } from '../request/answers.ts'
import { isBusy } from '../store/sqlite.ts'

/** The failure of a request of which something is done: one to come back with later is no longer that. */
export function afterwards(error: unknown, done: string): unknown {
  const isLater = isBusy(error) || (error instanceof ApiError && error.kind === 'busy')
  return isLater ? new PartlyDone('busy', `the database is busy, but ${done}: look before you ask again`) : error
}
