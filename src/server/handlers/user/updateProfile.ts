import { ApiError } from '../../../contract/errors.ts'
import type { ProfileUpdate } from '../../../contract/user.ts'
import { tokenTypes } from '../../../contract/values.ts'
import { timestamp } from '../../clock.ts'
import type { UserScope } from '../../environment.ts'
import { propertiesOf, userRecord } from '../../user.ts'
import type { Handler } from '../handlers.ts'

/** Changes the submitted fields of the caller's profile, and no other. Spec 4.2. */
export const updateProfile: Handler<'updateProfile'> = async (scope, { body }) => {
  const { password, nonpush_notification, user_consent, ...changes } = body
  if (nonpush_notification !== undefined) scope.warn('nonpush_notification has no effect')
  if (user_consent !== undefined) scope.warn('user_consent has no effect')
  const hash = await newHash(scope, password)
  return userRecord(await scope.store.write(() => apply(scope, changes, hash)))
}

/** The hash of a new password, null for none, undefined where it stays as it is. */
async function newHash({ store, user, passwords }: UserScope, password: string | undefined) {
  if (password === undefined) return undefined
  if (password !== '') return await passwords.hash(password)
  const needs = store.users.tokensOf(user.id).some(({ token_type }) => isPasswordToken(token_type))
  if (needs)
    throw new ApiError('passwordNeeded', undefined, [
      { path: 'password', message: 'must not be empty: a token of the user authenticates by password' },
    ])
  return null
}

const isPasswordToken = (type: string) => (tokenTypes as readonly string[]).includes(type)

function apply({ store, user, now }: UserScope, changes: ProfileUpdate, hash: string | null | undefined) {
  const current = store.users.byId(user.id) ?? user
  const updated = {
    ...current,
    properties: JSON.stringify({ ...propertiesOf(current), ...changes }),
    password: hash === undefined ? current.password : hash,
    when_modified: timestamp(now),
  }
  store.users.updateProfile(updated)
  return updated
}
