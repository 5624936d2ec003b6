import { ApiError } from '../../contract/api/errors.ts'
import { api } from '../../contract/api/table.ts'
import type { ProfileUpdate } from '../../contract/api/user.ts'
import { noEffect } from '../../contract/api/warnings.ts'
import { limits } from '../../contract/limits.ts'
import { plural } from '../../contract/schema/wording.ts'
import { avatarTypes } from '../../contract/values.ts'
import { type Received, storeUpload } from '../assets/receive.ts'
import { passwordTurn } from '../auth/passwords.ts'
import { currentUser, writeInPortionsAs } from '../domain/caller.ts'
import { timestamp } from '../domain/clock.ts'
import { deletion, finishDeletions, noneDeleted } from '../domain/users/deletion.ts'
import { removeReplacedGuestId } from '../domain/users/guests.ts'
import { knownUser, propertiesOf, publicUserRecord, userRecord } from '../domain/users/user.ts'
import { addressesOf } from '../domain/users/user-tokens.ts'
import type { UserRow } from '../store/users.ts'
import type { Handler, UserScope } from './handler.ts'

/** The caller as they see themself. Spec 4.1. */
export const getProfile: Handler<'getProfile'> = ({ user, baseUrl }) => userRecord(user, baseUrl)

/** Changes the submitted fields of the caller's profile, and no other; a new password ends all other sessions. Spec 4.2. */
export const updateProfile: Handler<'updateProfile'> = async (scope, { body }) => {
  const { password, nonpush_notification, user_consent, ...changes } = body
  for (const [field, value] of Object.entries({ nonpush_notification, user_consent }))
    if (value !== undefined) scope.warn(noEffect(field))
  const hash = password ? await newHash(scope, password) : emptied(password)
  return userRecord(await scope.store.write(() => apply(scope, changes, hash)), scope.baseUrl)
}

/** Counts as a call, as a login does: it takes as much time. */
function newHash(scope: UserScope, password: string): Promise<string> {
  const { environment, user } = scope
  environment.callLimit.count('updateProfile', user.id, 'with a password by one user')
  return environment.passwords.hash(password, passwordTurn('change', scope, user))
}

/** Null where the password is removed, undefined where it stays as it is. */
const emptied = (password: string | undefined) => (password === undefined ? undefined : null)

function apply(scope: UserScope, changes: ProfileUpdate, hash: string | null | undefined) {
  const current = currentUser(scope)
  if (hash === null) checkRemovable(scope)
  const updated = {
    ...current,
    properties: JSON.stringify({ ...propertiesOf(current), ...changes }),
    password: hash === undefined ? current.password : hash,
    when_modified: timestamp(scope.now),
  }
  scope.store.users.updateProfile(updated)
  if (!hash) return updated
  scope.store.sessions.endOthers(current.id, scope.session)
  removeReplacedGuestId(scope, current.id)
  return knownUser(scope, current.id)
}

/** Refuses to remove a password that a token signs in with. */
function checkRemovable(scope: UserScope): void {
  if (addressesOf(scope, scope.user.id).length === 0) return
  throw new ApiError('passwordNeeded', undefined, [
    { path: 'password', message: 'must not be empty: a token of the user signs in with the password' },
  ])
}

/** Stores an image as the caller's avatar, in place of the earlier one. Spec 2.1. */
export const uploadAvatar: Handler<'uploadAvatar'> = async (scope, { files }) => {
  const { assets } = scope.environment
  const earlier = await storeUpload(assets, files, api.uploadAvatar.upload, async ([image]) => {
    checkType(image.content_type)
    return await scope.store.write(() => {
      const { avatar } = replaceAvatar(scope, image)
      assets.store([image])
      return avatar
    })
  })
  if (earlier !== null) await assets.remove(earlier)
  return { success_message: 'Avatar uploaded.' }
}

function checkType(type: string): void {
  if ((avatarTypes as readonly string[]).includes(type)) return
  throw new ApiError(
    'avatarRefused',
    `an avatar is a PNG, JPEG, GIF or WebP image; the content of this file is ${type}`,
  )
}

/** Returns the user as they were. The file is an asset without a publisher, so that none lists or deletes it. */
function replaceAvatar(scope: UserScope, { path: _, ...file }: Received): UserRow {
  const { store } = scope
  const user = currentUser(scope)
  const when = timestamp(scope.now)
  store.assets.insert({ ...file, publisher_fqdn: '', created_by: user.id, when_created: when })
  store.users.updateProfile({ ...user, avatar: file.id, when_modified: when })
  if (user.avatar !== null) store.assets.remove(user.avatar)
  return user
}

/**
 * Deletes the caller, then the file of their avatar; their vAtoms go to the trash user, some at a time where they are
 * many, while others write.
 */
export const deleteUser: Handler<'deleteUser'> = async (scope) => {
  const { store, user } = scope
  const counted = [store.vatoms, store.messages, store.heldVatoms, store.actionRuns].map(
    (rows) => rows.someOf(user.id, limits.fewRows + 1).length,
  )
  const rows = counted.reduce((sum, count) => sum + count, 0)
  const deleted = noneDeleted()
  const isWhole = await writeInPortionsAs(scope, rows, (scope) => deletion(scope, scope.user, deleted)).then(
    () => true,
    (error: unknown) => {
      if (store.users.isDeleted(user.id)) return false
      throw error
    },
  )
  const { avatar, vatoms, ...counts } = deleted
  if (avatar !== null) await scope.environment.assets.remove(avatar)
  scope.removed({ users: 1, ...counts, ...(isWhole && { vatoms }) })
  const gone = `${plural(counts.user_tokens, 'user token')} and ${plural(counts.sessions, 'session')}`
  const trashed = isWhole ? `${plural(vatoms, 'vAtom')} trashed` : await finished(scope)
  return { success_message: `User deleted, with ${gone}; ${trashed}.` }
}

/** Says what became of the rest of a user after a portion that failed. */
const finished = async ({ environment }: UserScope): Promise<string> =>
  (await finishDeletions(environment))
    ? 'their vAtoms are trashed'
    : 'what else they had is removed when the service starts again'

/** A user as others see them. Spec 2.1. */
export const getUser: Handler<'getUser'> = ({ store, baseUrl }, { id }) =>
  publicUserRecord(knownUser({ store }, id), baseUrl)

/** The caller's accounts on chains, of which there are none. */
export const listAccounts: Handler<'listAccounts'> = () => []

/** The caller's wallet, on which the action Balance can be performed. */
export const getWallet: Handler<'getWallet'> = ({ user }) => ({ id: user.id })
