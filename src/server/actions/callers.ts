import { ApiError, errorAt } from '../../contract/api/errors.ts'
import { activatedOnly } from '../../contract/values.ts'
import { type ByUser, writeAs } from '../domain/caller.ts'
import { propertiesOf } from '../domain/users/user.ts'
import type { ReservedKey } from '../store/reserved-runs.ts'
import { senderAt, storeFor } from '../store/senders.ts'
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

/** Counts a run of a limited action, which is reserved no longer. Call it inside the write of the run, after `checkCaller`. */
export function countRun({ store, user }: ByUser, { name, settings }: Action, { lease }: ReservedRun): void {
  if (settings.limit_per_user === 0) return
  store.actionRuns.add({ action: name, user: user.id })
  if (lease) store.reservedRuns.remove(lease)
}

/**
 * Reserves a run of a limited action for the caller before anything is done for it, until it is counted or given back: what
 * runs before the action would run for each of many requests at once, of which all but some are refused. It is stored, as
 * several services may have one database. Throws `actionLimit` if the caller has no run left.
 */
export async function reserveRun(scope: ActingScope, action: Action): Promise<ReservedRun> {
  if (action.settings.limit_per_user === 0) return {}
  const lease = scope.environment.actions.leases.begin()
  try {
    await writeAs({ ...scope, store: storeApart(scope) }, (scope) => reserve(scope, action, lease))
  } catch (error) {
    await giveBack(scope, { lease })
    throw error
  }
  return { lease }
}

/** That of the caller, of which the first write is still to be refused where much waits, or they are gone. */
const storeApart = ({ environment, address, user }: ActingScope) => storeFor(environment.store, senderAt(address, user))

function reserve(scope: ActingScope, action: Action, lease: ReservedKey): void {
  const { store, user, environment } = scope
  const run = { action: action.name, user: user.id }
  environment.actions.leases.prepare(store)
  checkLimit(scope, action, store.reservedRuns.count(run))
  store.reservedRuns.add({ ...run, ...lease })
}

/** Gives a run back that was not counted. Where that fails, it counts until that is done with another one. */
export async function giveBack(scope: ActingScope, { lease }: ReservedRun): Promise<void> {
  if (lease) await scope.environment.actions.leases.end(lease, storeApart(scope))
}

/** `reserved` are under way beside those that are counted. */
function checkLimit({ store, user }: ByUser, { name, settings }: Action, reserved = 0): void {
  const { limit_per_user: most } = settings
  if (most === 0) return
  if (store.actionRuns.count({ action: name, user: user.id }) + reserved < most) return
  throw errorAt('', 'actionLimit', `${name} can be run ${most === 1 ? 'once' : `${most} times`} by each user`)
}

/** A guest signs in with a guest id only; a user with a password is no guest. */
const isGuest = (user: UserRow): boolean =>
  Boolean(propertiesOf(user).guest_id) && user.password === null && user.seeded !== 1

/** A run of an action that is under way; of a limited one, with the key of what is stored of it. */
export interface ReservedRun {
  readonly lease?: ReservedKey
}
