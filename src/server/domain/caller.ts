import { ApiError } from '../../contract/api/errors.ts'
import type { WarningSource } from '../../contract/api/warnings.ts'
import { overlaid } from '../store/overlaid.ts'
import type { Portions, Steps } from '../store/slices.ts'
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
  /** Whether the session with which the request began has not ended. */
  readonly isSignedIn: () => boolean
  /** Whether that session was taken away, as by a new password; a user who signs out only ends it. */
  readonly isRevoked: () => boolean
}

/** At the request of somebody who may not be signed in. */
export interface ByAnybody extends Moment {
  readonly user?: UserRow | undefined
}

/** At the request of a publisher's administrator; `publisher` is the domain name. */
export interface ByPublisher extends ByUser {
  readonly publisher: string
}

/** How much a request deleted or replaced at once, by what it is: `{ users: 1, vatoms: 3 }`. */
export type Removed = Readonly<Record<string, number>>

/** A request whose answer can have warnings. */
export interface Warned {
  /** Adds a warning to the answer. */
  readonly warn: (warning: WarningSource) => void
}

/** At the request of a user, or of a publisher's administrator. */
type ByCaller = ByUser & { readonly publisher?: string | undefined }

/**
 * The caller as stored now. Call it inside a write. Throws `unauthorized` if they were deleted, or their session ended,
 * meanwhile.
 */
export function currentUser({ store, user, isSignedIn }: ByUser): UserRow {
  const current = store.users.byId(user.id)
  if (!current || !isSignedIn()) throw new ApiError('unauthorized')
  return current
}

/**
 * A request with its caller as stored now, not as when the request began. Throws as `currentUser`, and `notPublisher` if
 * they are no longer an administrator of the publisher.
 */
export function asNow<S extends ByCaller>(scope: S): S {
  const user = currentUser(scope)
  const { publisher } = scope
  if (publisher !== undefined && (user.is_admin !== 1 || user.pub_fqdn !== publisher))
    throw new ApiError('notPublisher')
  return { ...scope, user }
}

/** A request on the tables of a transaction. */
export const onTables = <S extends Pick<Moment, 'store'>>(scope: S, tables: Partial<Store>): S => ({
  ...scope,
  store: overlaid(scope.store, tables),
})

/** Runs a write of a request with its caller as stored then. Throws as `asNow` does. */
export const writeAs = <S extends ByCaller, T>(scope: S, work: (scope: S) => T): Promise<T> =>
  scope.store.write(() => work(asNow(scope)))

/** The same for a write of so many rows, in steps. */
export const writeInStepsAs = <S extends ByCaller, T>(
  scope: S,
  rows: number,
  work: (scope: S) => Steps<T>,
): Promise<T> => scope.store.writeInSteps(rows, (tables) => work(asNow(onTables(scope, tables))))

/**
 * The same for one in portions, of which only the first is of the caller as stored when it is written: they may change before
 * the others. Where these must be the caller's as well, `work` checks `asNow` before each.
 */
export const writeInPortionsAs = <S extends ByCaller, T>(
  scope: S,
  rows: number,
  work: (scope: S) => Portions<T>,
): Promise<T> =>
  scope.store.writeInPortions(rows, function* (tables) {
    return yield* work(asNow(onTables(scope, tables)))
  })
