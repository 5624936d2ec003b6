import { ApiError } from '../../../contract/errors.ts'
import type { Handler } from '../handlers.ts'

export const deleteFace: Handler<'deleteFace'> = () => {
  throw new ApiError('internal')
}
