import { ApiError } from '../../../contract/api/errors.ts'
import { publicUserRecord } from '../../domain/user.ts'
import type { Handler } from '../handlers.ts'

/** A user as others see them. Spec 2.1. */
export const getUser: Handler<'getUser'> = ({ store, baseUrl }, { id }) => {
  const user = store.users.byId(id)
  if (!user) throw new ApiError('notFound', 'no user has this id')
  return publicUserRecord(user, baseUrl)
}
