import { ApiError } from '../../../contract/errors.ts'
import type { Handler } from '../handlers.ts'

export const uploadAssets: Handler<'uploadAssets'> = () => {
  throw new ApiError('internal')
}
