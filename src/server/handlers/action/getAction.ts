import { ApiError } from '../../../contract/errors.ts'
import type { Handler } from '../handlers.ts'

export const getAction: Handler<'getAction'> = () => {
  throw new ApiError('internal')
}
