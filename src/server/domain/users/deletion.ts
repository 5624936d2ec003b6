import { ApiError } from '../../../contract/api/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { messageOf } from '../../../contract/unknown-values.ts'
import type { HeldVatomRow } from '../../store/held-vatoms.ts'
import type { Portions, Steps } from '../../store/slices.ts'
import type { Store } from '../../store/store.ts'
import type { UserRow, UserTokenRow } from '../../store/users.ts'
import { positionOf } from '../../store/vatoms/positions.ts'
import { lengthOf, someAtOnce } from '../../store/vatoms/vatom-folders.ts'
import type { VatomRow } from '../../store/vatoms/vatoms.ts'
import { type Moment, onTables } from '../caller.ts'
import { type Clock, timestamp } from '../clock.ts'
import { publishMapChange } from '../events.ts'
import { removeLeftRuns, runsAtOnce } from '../records/run-removal.ts'
import { recipientGuest } from './guests.ts'
import { holdsFor, releaseOne } from './held-vatoms.ts'
import { addressesOf } from './user-tokens.ts'

/** How much of a user was deleted, and the avatar whose file is to be removed. */
interface Deleted {
  user_tokens: number
  sessions: number
  vatoms: number
  avatar: string | null
}

export const noneDeleted = (): Deleted => ({ user_tokens: 0, sessions: 0, vatoms: 0, avatar: null })

/**
 * Deletes a user. With the first portion nobody finds them any more; then what is theirs goes, some at a time. Counts in
 * `deleted` what was removed. Throws `publisherNeeded`.
 */
export function* deletion(moment: Moment, user: UserRow, deleted: Deleted): Portions<void> {
  if (user.seeded === 1)
    throw new ApiError('publisherNeeded', `the service was started with the publisher ${user.pub_fqdn} and needs it`)
  yield departure(moment, user, deleted)
  yield* removal(moment, user.id, deleted)
}

/** Nobody signs in as the user any more, or finds them, and their addresses are free or somebody else's. */
function* departure(moment: Moment, user: UserRow, deleted: Deleted): Steps<void> {
  const { users, sessions, assets } = moment.store
  const tokens = users.tokensOf(user.id)
  for (const address of addressesOf(moment, user.id)) {
    leaveAddress(moment, address)
    yield
  }
  for (const { id } of users.tokensOf(user.id)) users.removeToken(id)
  deleted.user_tokens = tokens.length
  deleted.sessions = sessions.endOthers(user.id)
  deleted.avatar = user.avatar
  if (user.avatar !== null) assets.remove(user.avatar)
  users.markDeleted(user.id)
}

/** Removes an address from its user. What is held for it is to go to a guest, whom only its holder can be. */
function leaveAddress(moment: Moment, token: UserTokenRow): void {
  const { users, heirs } = moment.store
  const { user_id, token_type, token: address } = token
  const isHolding = holdsFor(moment, token)
  users.removeToken(token.id)
  if (isHolding) heirs.put({ user_id, token_type, token: address, heir: recipientGuest(moment, token) })
}

/** How much a portion removes at most. */
const heldAtOnce = 25
const vatomsAtOnce = 25
const messagesAtOnce = 200

/** What is left of a deleted user goes, and last the user, also where others see to that at the same time. */
function* removal(moment: Moment, id: string, deleted: Deleted): Portions<void> {
  const folders: string[] = []
  while (moment.store.users.isDeleted(id)) yield removeSome(moment, id, folders, deleted)
}

function* removeSome(moment: Moment, id: string, folders: string[], deleted: Deleted): Steps<void> {
  const { users, heldVatoms, messages, actionRuns } = moment.store
  const held = heldVatoms.someOf(id, heldAtOnce)
  if (held.length > 0) return yield* release(moment, held)
  const vatoms = yield* nextVatoms(moment.store, id, folders)
  if (vatoms.length > 0) {
    deleted.vatoms += vatoms.length
    return yield* trash(moment, vatoms)
  }
  if (messages.removeThreads(id, messagesAtOnce) > 0 || actionRuns.removeOf(id, runsAtOnce) > 0) return
  const some = messages.someOf(id, messagesAtOnce)
  if (some.length > 0) messages.removeEach(some)
  else users.remove(id)
}

/** Gives what is held to those who get it. What nobody gets any more stays the user’s, and is trashed. */
function* release(moment: Moment, some: readonly HeldVatomRow[]): Steps<void> {
  const { users, heirs } = moment.store
  for (const held of some) {
    const heir = heirs.find(held)
    yield* releaseOne(moment, held, heir !== undefined && users.byId(heir) ? heir : held.user_id)
    yield
  }
}

/**
 * Some vAtoms of a user that contain none of theirs: what is in a folder goes before it. `folders` are those that are
 * being emptied, the innermost last; none is left when all vAtoms are gone.
 */
function* nextVatoms({ vatoms }: Pick<Store, 'vatoms'>, owner: string, folders: string[]): Steps<readonly VatomRow[]> {
  for (;;) {
    const folder = folders.at(-1)
    const some = folder === undefined ? vatoms.someOf(owner, vatomsAtOnce) : vatoms.ownedIn(folder, owner, vatomsAtOnce)
    const holding = vatoms.holdingOf(owner, some)
    const free = some.filter(({ id }) => !holding.includes(id))
    if (free.length > 0 || (folder === undefined && some.length === 0)) return free
    const [first] = holding
    if (first === undefined) folders.pop()
    else folders.push(first)
    yield
  }
}

/** Trashes vAtoms. Sends events to others about what disappears from their maps, and none to the user who is deleted. */
function* trash(moment: Moment, all: readonly VatomRow[]): Steps<void> {
  const { vatoms } = moment.store
  for (const some of someAtOnce(all, lengthOf)) {
    vatoms.trashAlone(some, timestamp(moment.now))
    for (const before of some) {
      const after = positionOf(before) && vatoms.byId(before.id)
      if (after) publishMapChange(moment, 'Trash', before, after)
    }
    yield
  }
}

interface Service {
  readonly store: Store
  readonly clock: Clock
  readonly log: ((line: string) => void) | undefined
}

/** Removes what is left of users and actions whose deletion was interrupted, and returns whether it did; what cannot be removed now is left for later. */
export async function finishDeletions(service: Service): Promise<boolean> {
  try {
    await finishAll(service)
    return true
  } catch (error) {
    service.log?.(
      `users and runs of actions that were deleted are removed when the service starts again: ${messageOf(error)}`,
    )
    return false
  }
}

async function finishAll({ store, clock }: Pick<Service, 'store' | 'clock'>): Promise<void> {
  for (const id of store.users.deleted()) {
    const work = (tables: Partial<Store>) => removal(onTables({ store, now: clock() }, tables), id, noneDeleted())
    await store.writeInPortions(limits.fewRows + 1, work)
  }
  await removeLeftRuns(store)
}
