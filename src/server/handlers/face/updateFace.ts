import { ApiError } from '../../../contract/errors.ts'
import type { Handler } from '../handlers.ts'

export const updateFace: Handler<'updateFace'> = () => {
  throw new ApiError('internal')
}
