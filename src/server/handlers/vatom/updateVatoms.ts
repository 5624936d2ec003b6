import { ApiError } from '../../../contract/errors.ts'
import type { Handler } from '../handlers.ts'

export const updateVatoms: Handler<'updateVatoms'> = () => {
  throw new ApiError('internal')
}
