import { ApiError } from '../../../contract/errors.ts'
import type { Handler } from '../handlers.ts'

export const getVatom: Handler<'getVatom'> = () => {
  throw new ApiError('internal')
}
