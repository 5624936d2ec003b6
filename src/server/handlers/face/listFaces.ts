import { ApiError } from '../../../contract/errors.ts'
import type { Handler } from '../handlers.ts'

export const listFaces: Handler<'listFaces'> = () => {
  throw new ApiError('internal')
}
