import { ApiError } from '../../contract/api/errors.ts'
import type { Warning } from '../../contract/api/warnings.ts'
import type { Store } from '../store/store.ts'
import type { UserRow } from '../store/users.ts'

/** The database, at the time of a request. */
export interface Moment {
  readonly store: Store
  readonly now: Date
}

/** At the request of a user. */
export interface ByUser extends Moment {
  readonly user: UserRow
}

/** At the request of somebody who may not be signed in. */
export interface ByAnybody extends Moment {
  readonly user?: UserRow | undefined
}

/** At the request of a publisher's administrator; `publisher` is the domain name. */
export interface ByPublisher extends ByUser {
  readonly publisher: string
}

/** Where the answer can carry warnings. */
export interface Warned {
  /** Adds a warning to the answer. */
  readonly warn: (warning: Warning) => void
}

/** At the request of a user, or of a publisher's administrator. */
type ByCaller = ByUser & { readonly publisher?: string | undefined }

/** The caller as they are now; call it inside a write. Throws `unauthorized` where they were deleted meanwhile. */
export function currentUser({ store, user }: ByUser): UserRow {
  const current = store.users.byId(user.id)
  if (!current) throw new ApiError('unauthorized')
  return current
}

/**
 * A request with its caller as they are now: what else was read of them is of when the request came. Throws
 * `unauthorized`, and `notPublisher` where they no longer act for the publisher that they asked for.
 */
export function asNow<S extends ByCaller>(scope: S): S {
  const user = currentUser(scope)
  const { publisher } = scope
  if (publisher !== undefined && (user.is_admin !== 1 || user.pub_fqdn !== publisher))
    throw new ApiError('notPublisher')
  return { ...scope, user }
}

/** Runs a write of a request with its caller as they are at that moment. Throws as `asNow` does. */
export const writeAs = <S extends ByCaller, T>(scope: S, work: (scope: S) => T): Promise<T> =>
  scope.store.write(() => work(asNow(scope)))
