import { ApiError, errorCatalogue } from '../../contract/api/errors.ts'
import { codeOf, isDiskFull } from '../../file-system.ts'
import { isBusy, isUnusable } from './database/sqlite.ts'

/** The code of an error by which a file of the package is gone that the service needs, as bin/launch.js has it. */
const replacedCode = 'VATOM_REPLACED'

/**
 * What a request is answered with where the database, or the code of the package, fails; undefined for other errors. It is
 * without the message of SQLite, which may name files: a full disk is named, as whoever asks may be who can make room.
 */
export function faultOf(error: unknown): ApiError | undefined {
  if (isBusy(error)) return new ApiError('busy')
  if (isUnusable(error))
    return new ApiError('storage', isDiskFull(error) ? `${errorCatalogue.storage.title}: its disk is full` : undefined)
  if (codeOf(error) === replacedCode) return new ApiError('outdated')
  return undefined
}
