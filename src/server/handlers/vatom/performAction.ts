import { ApiError } from '../../../contract/errors.ts'
import type { Handler } from '../handlers.ts'

export const performAction: Handler<'performAction'> = () => {
  throw new ApiError('internal')
}
