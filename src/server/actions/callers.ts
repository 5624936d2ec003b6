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
 * Reserves a run of a limited action for the caller before anything is done for it, until the returned function is called:
 * what runs before the action would run for each of many requests at once, of which all but some are refused. Throws
 * `actionLimit` if the caller has no run left.
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

/** Runs of limited actions that are under way in this process, and not counted yet, by action and user. */
export class Reservations {
  readonly #counts = new Map<string, number>()

  count(action: string, user: string): number {
    return this.#counts.get(keyOf(action, user)) ?? 0
  }

  /** Adds one, until the returned function is called. */
  add(action: string, user: string): () => void {
    const key = keyOf(action, user)
    this.#counts.set(key, this.count(action, user) + 1)
    let isReserved = true
    return () => {
      if (isReserved) this.#remove(key)
      isReserved = false
    }
  }

  #remove(key: string): void {
    const left = (this.#counts.get(key) ?? 0) - 1
    if (left > 0) this.#counts.set(key, left)
    else this.#counts.delete(key)
  }
}

const keyOf = (action: string, user: string) => `${user} ${action}`
