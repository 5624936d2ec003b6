import { ApiError } from '../../../contract/errors.ts'
import type { Handler } from '../handlers.ts'

export const registerAction: Handler<'registerAction'> = () => {
  throw new ApiError('internal')
}
