import { ApiError } from '../../../contract/errors.ts'
import type { Handler } from '../handlers.ts'

export const updateAction: Handler<'updateAction'> = () => {
  throw new ApiError('internal')
}
