import { ApiError } from '../../../contract/errors.ts'
import type { Handler } from '../handlers.ts'

export const listActionHandlers: Handler<'listActionHandlers'> = () => {
  throw new ApiError('internal')
}
