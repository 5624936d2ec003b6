import { ApiError } from '../../../contract/errors.ts'
import type { Handler } from '../handlers.ts'

export const listActions: Handler<'listActions'> = () => {
  throw new ApiError('internal')
}
