import { ApiError } from '../../../contract/errors.ts'
import type { Handler } from '../handlers.ts'

export const registerActionHandler: Handler<'registerActionHandler'> = () => {
  throw new ApiError('internal')
}
