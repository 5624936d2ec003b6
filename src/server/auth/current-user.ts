import { ApiError } from '../../contract/api/errors.ts'
import type { UserScope } from '../operations/handler.ts'
import type { UserRow } from '../store/users.ts'

/** Of a request that may be a publisher's. */
type Calling = UserScope & { readonly publisher?: string | undefined }

/** The caller as they are now; call it inside a write. Throws `unauthorized` where they were deleted meanwhile. */
export function currentUser({ store, user }: UserScope): UserRow {
  const current = store.users.byId(user.id)
  if (!current) throw new ApiError('unauthorized')
  return current
}

/**
 * A request with its caller as they are now: what else was read of them is of when the request came. Throws
 * `unauthorized`, and `notPublisher` where they no longer act for the publisher that they asked for.
 */
export function asNow<S extends Calling>(scope: S): S {
  const user = currentUser(scope)
  const { publisher } = scope
  if (publisher !== undefined && (user.is_admin !== 1 || user.pub_fqdn !== publisher))
    throw new ApiError('notPublisher')
  return { ...scope, user }
}

/** Runs a write of a request with its caller as they are at that moment. Throws as `asNow` does. */
export const writeAs = <S extends Calling, T>(scope: S, work: (scope: S) => T): Promise<T> =>
  scope.store.write(() => work(asNow(scope)))
