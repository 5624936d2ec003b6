import { ApiError } from '../../../contract/errors.ts'
import type { Handler } from '../handlers.ts'

export const deleteAction: Handler<'deleteAction'> = () => {
  throw new ApiError('internal')
}
