import { ApiError } from '../../../contract/errors.ts'
import type { Handler } from '../handlers.ts'

export const deleteVariation: Handler<'deleteVariation'> = () => {
  throw new ApiError('internal')
}
