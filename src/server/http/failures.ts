import { ApiError } from '../../contract/errors.ts'
import { isBusy } from '../store/sqlite.ts'

/** Any failure as one of the catalogue; what nobody expected is `internal` and tells the caller nothing. */
export function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error.kind === 'internal' ? new ApiError('internal') : error
  if (isBusy(error)) return new ApiError('busy')
  const status = statusOf(error)
  if (status === 413) return new ApiError('tooLarge')
  if (status === 404) return new ApiError('unknownPath')
  if (status === 429) return new ApiError('rateLimited')
  if (status === 503) return new ApiError('busy', 'the service is closing')
  if (status >= 400 && status < 500) return new ApiError('invalid', error instanceof Error ? error.message : undefined)
  return new ApiError('internal')
}

const statusOf = (error: unknown): number =>
  typeof error === 'object' && error !== null && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : 500
