import { ApiError, errorAt } from '../../contract/api/errors.ts'
import { activatedOnly } from '../../contract/values.ts'
import type { ByUser } from '../domain/caller.ts'
import { propertiesOf } from '../domain/users/user.ts'
import type { UserRow } from '../store/users.ts'
import type { Action } from './action.ts'
import type { ActingScope } from './engine.ts'

/** Refuses callers who may not run an action, or who have no run of it left. Spec 2.1. */
export function checkCaller(scope: ByUser, action: Action): void {
  const { name, settings, config } = action
  if (isGuest(scope.user) && !settings.guest_user) throw new ApiError('guestRefused', `guests cannot run ${name}`)
  if (scope.user.activated !== 1 && config()[activatedOnly] === true)
    throw new ApiError('notActivated', `only users with a verified token can run ${name}`)
  checkLimit(scope, action)
}

/** Counts a run of a limited action. Call it inside the write of the run, after `checkCaller`. */
export function countRun({ store, user }: ByUser, { name, settings }: Action): void {
  if (settings.limit_per_user !== 0) store.actionRuns.add({ action: name, user: user.id })
}

/**
 * Reserves a run of a limited action for the caller while its handler is at work, until the returned function is called.
 * Throws `actionLimit` if the caller has no run left.
 */
export function reserveRun(scope: ActingScope, action: Action): () => void {
  const { name, settings } = action
  if (settings.limit_per_user === 0) return () => undefined
  const { reservations } = scope.environment.actions
  checkLimit(scope, action, reservations.count(name, scope.user.id))
  return reservations.add(name, scope.user.id)
}

function checkLimit({ store, user }: ByUser, { name, settings }: Action, reserved = 0): void {
  const { limit_per_user: most } = settings
  if (most === 0 || store.actionRuns.count({ action: name, user: user.id }) + reserved < most) return
  throw errorAt('', 'actionLimit', `${name} can be run ${most === 1 ? 'once' : `${most} times`} by each user`)
}

/** A guest signs in with a guest id only; a user with a password is no guest. */
const isGuest = (user: UserRow): boolean =>
  Boolean(propertiesOf(user).guest_id) && user.password === null && user.seeded !== 1

/** Runs of limited actions whose handlers are at work in this process, by action and user. */
export class Reservations {
  readonly #keys = new Map<symbol, string>()

  count(action: string, user: string): number {
    const key = keyOf(action, user)
    return [...this.#keys.values()].filter((one) => one === key).length
  }

  /** Adds one, until the returned function is called. */
  add(action: string, user: string): () => void {
    const id = Symbol()
    this.#keys.set(id, keyOf(action, user))
    return () => void this.#keys.delete(id)
  }
}

const keyOf = (action: string, user: string) => `${user} ${action}`
