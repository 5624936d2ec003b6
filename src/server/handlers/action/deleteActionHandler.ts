import { ApiError } from '../../../contract/errors.ts'
import type { Handler } from '../handlers.ts'

export const deleteActionHandler: Handler<'deleteActionHandler'> = () => {
  throw new ApiError('internal')
}
