import { ApiError, errorAt } from '../../contract/api/errors.ts'
import type { ByUser } from '../domain/caller.ts'
import { propertiesOf } from '../domain/users/user.ts'
import type { UserRow } from '../store/users.ts'
import type { Action } from './action.ts'
import type { ActingScope } from './engine.ts'

/** The setting of an action's `config` by which only users with a verified token may run it. Spec 2.1. */
export const activatedOnly = 'activated_users_only'

/** Refuses callers whom an action is not for, or who ran it as often as they may. Spec 2.1. */
export function checkCaller(scope: ByUser, action: Action): void {
  const { name, settings } = action
  if (isGuest(scope.user) && !settings.guest_user) throw new ApiError('guestRefused', `guests cannot run ${name}`)
  if (scope.user.activated !== 1 && settings.config[activatedOnly] === true)
    throw new ApiError('notActivated', `only users with a verified token can run ${name}`)
  checkLimit(scope, action)
}

/** Counts a run of an action that is limited. Call it inside the write that the run is, where the caller was checked. */
export function countRun({ store, user }: ByUser, { name, settings }: Action): void {
  if (settings.limit_per_user !== 0) store.actionRuns.add({ action: name, user: user.id })
}

/**
 * Keeps a run of an action that is limited for the caller while its handler is at work, until the answered function is
 * called. Throws `actionLimit` where as many are kept or counted as they may have.
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

/** A guest signs in with a guest id alone; with a password they are a guest no longer. */
const isGuest = (user: UserRow): boolean =>
  Boolean(propertiesOf(user).guest_id) && user.password === null && user.seeded !== 1

/** Runs of limited actions whose handlers are at work in this process, by action and user. */
export class Reservations {
  readonly #counts = new Map<string, number>()

  count(action: string, user: string): number {
    return this.#counts.get(keyOf(action, user)) ?? 0
  }

  /** Adds one, until the answered function is called. */
  add(action: string, user: string): () => void {
    const key = keyOf(action, user)
    this.#change(key, 1)
    let isThere = true
    return () => {
      if (isThere) this.#change(key, -1)
      isThere = false
    }
  }

  #change(key: string, by: number): void {
    const count = (this.#counts.get(key) ?? 0) + by
    if (count === 0) this.#counts.delete(key)
    else this.#counts.set(key, count)
  }
}

const keyOf = (action: string, user: string) => `${user} ${action}`
