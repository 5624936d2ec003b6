import { ApiError } from '../../../contract/errors.ts'
import type { Handler } from '../handlers.ts'

export const listVariations: Handler<'listVariations'> = () => {
  throw new ApiError('internal')
}
