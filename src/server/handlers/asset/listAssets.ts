import { ApiError } from '../../../contract/errors.ts'
import type { Handler } from '../handlers.ts'

export const listAssets: Handler<'listAssets'> = () => {
  throw new ApiError('internal')
}
