import { ApiError } from '../../../contract/errors.ts'
import type { Handler } from '../handlers.ts'

export const deleteAsset: Handler<'deleteAsset'> = () => {
  throw new ApiError('internal')
}
