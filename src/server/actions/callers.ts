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
export function countRun({ store, user }: ByUser, { name, settings }: Action, run: ReservedRun): void {
  if (settings.limit_per_user === 0) return
  run.number = store.actionRuns.add({ action: name, user: user.id })
}

/**
 * Reserves a run of a limited action for the caller before anything is done for it, until it is given back: what runs
 * before the action would run for each of many requests at once, of which all but some are refused. Throws
 * `actionLimit` if the caller has no run left.
 */
export function reserveRun(scope: ActingScope, action: Action): ReservedRun {
  const { name, settings } = action
  if (settings.limit_per_user === 0) return { giveBack: () => undefined }
  const { reservations } = scope.environment.actions
  checkLimit(scope, action, (stored) => reservations.countBeside(stored, name, scope.user.id))
  return reservations.add(name, scope.user.id)
}

/** `countBeside` says how many are reserved beside so many that are stored. */
function checkLimit({ store, user }: ByUser, { name, settings }: Action, countBeside = (_stored: number) => 0): void {
  const { limit_per_user: most } = settings
  if (most === 0) return
  const stored = store.actionRuns.count({ action: name, user: user.id })
  if (stored + countBeside(stored) < most) return
  throw errorAt('', 'actionLimit', `${name} can be run ${most === 1 ? 'once' : `${most} times`} by each user`)
}

/** A guest signs in with a guest id only; a user with a password is no guest. */
const isGuest = (user: UserRow): boolean =>
  Boolean(propertiesOf(user).guest_id) && user.password === null && user.seeded !== 1

/** A run of a limited action that is under way. */
export interface ReservedRun {
  /** Which run of the user it is, once its write counts it: where as many are stored, it is among them. */
  number?: number
  readonly giveBack: () => void
}

/** Runs of limited actions that are under way in this process, by action and user. */
export class Reservations {
  readonly #runs = new Map<string, Set<ReservedRun>>()

  /** How many there are beside so many that are stored: a write can be committed before this process hears of it. */
  countBeside(stored: number, action: string, user: string): number {
    const runs = [...(this.#runs.get(keyOf(action, user)) ?? [])]
    return runs.filter(({ number = stored + 1 }) => number > stored).length
  }

  /** Adds one, until it is given back. */
  add(action: string, user: string): ReservedRun {
    const key = keyOf(action, user)
    const runs = this.#runs.get(key) ?? new Set()
    const run: ReservedRun = { giveBack: () => this.#remove(key, run) }
    this.#runs.set(key, runs.add(run))
    return run
  }

  #remove(key: string, run: ReservedRun): void {
    const runs = this.#runs.get(key)
    runs?.delete(run)
    if (runs?.size === 0) this.#runs.delete(key)
  }
}

const keyOf = (action: string, user: string) => `${user} ${action}`
