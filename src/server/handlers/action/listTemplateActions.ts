import { ApiError } from '../../../contract/errors.ts'
import type { Handler } from '../handlers.ts'

export const listTemplateActions: Handler<'listTemplateActions'> = () => {
  throw new ApiError('internal')
}
