import { ApiError } from '../../contract/api/errors.ts'
import type { Environment } from '../environment.ts'
import { isBusy, isUnusable } from '../store/sqlite.ts'
import { type ErrorAnswer, errorAnswer, Unauthorized, unauthorizedAnswer } from './answers.ts'

/** Any failure as one of the catalogue; what nobody expected is `internal` and tells the caller nothing. */
function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error.kind === 'internal' ? new ApiError('internal') : error
  if (isBusy(error)) return new ApiError('busy')
  if (isUnusable(error)) return new ApiError('storage')
  if (isTooLong(error)) return new ApiError('tooLarge', 'the answer is too large: ask for fewer at a time')
  const status = statusOf(error)
  if (status === 413) return new ApiError('tooLarge')
  if (status === 404) return new ApiError('unknownPath')
  if (status === 429) return new ApiError('rateLimited')
  if (status === 503) return new ApiError('busy', 'the service is closing')
  if (status >= 400 && status < 500) return new ApiError('invalid', error instanceof Error ? error.message : undefined)
  return new ApiError('internal')
}

/** Whether V8 refused to make a string of more characters than one can have, which only an answer can come to. */
const isTooLong = (error: unknown) => error instanceof RangeError && error.message === 'Invalid string length'

const statusOf = (error: unknown): number =>
  typeof error === 'object' && error !== null && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : 500

/** Any failure as it is answered; one that nobody expected goes to the log with its trace, one of the database in a line. */
export function failureAnswer(
  environment: Pick<Environment, 'compat' | 'log'>,
  error: unknown,
  requestId: string,
): ErrorAnswer {
  if (error instanceof Unauthorized && environment.compat === 'sdk') return unauthorizedAnswer(error.expired)
  const failure = apiErrorOf(error)
  if (failure.kind === 'internal') environment.log?.(`${requestId} internal: ${traceOf(error)}`)
  if (failure.kind === 'storage')
    environment.log?.(`${requestId} storage: ${error instanceof Error ? error.message : error}`)
  return errorAnswer(requestId, failure)
}

const traceOf = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error))
