import { ApiError, errorAt } from '../../contract/api/errors.ts'
import { broughtToken, isReachable, namedToken, type TokenKey } from '../../contract/api/user-token-formats.ts'
import { limits } from '../../contract/limits.ts'
import { guestTokenType, tokenTypes } from '../../contract/values.ts'
import { currentUser, type Moment, writeAs, writeInStepsAs } from '../domain/caller.ts'
import { timestamp } from '../domain/clock.ts'
import { codesAcceptedFrom, isCode, issueCode } from '../domain/users/codes.ts'
import { removeAddress, removeGuestId, removeReplacedGuestId } from '../domain/users/guests.ts'
import { recoveryTokens } from '../domain/users/recovery.ts'
import { knownUser } from '../domain/users/user.ts'
import {
  addToken,
  askForVerification,
  makeDefault,
  ownToken,
  tokenRecord,
  verifyToken,
} from '../domain/users/user-tokens.ts'
import { rowsHeld } from '../domain/vatoms/contents.ts'
import type { UserRow, UserTokenRow } from '../store/users.ts'
import type { Handler, UserScope } from './handler.ts'

/** The caller's tokens, the default one first. */
export const listUserTokens: Handler<'listUserTokens'> = (scope) =>
  scope.store.users.tokensOf(scope.user.id).map((row) => tokenRecord(scope, row, scope.environment.appId))

/** Adds a token of the caller's, and sends it a code to verify it. */
export const addUserToken: Handler<'addUserToken'> = async (scope, { body: { is_primary, ...named } }) => {
  const key = broughtToken(named, tokenTypes)
  return await scope.store.write(() => {
    const row = added(scope, key)
    if (is_primary) makeDefault(scope, row)
    return tokenRecord(scope, { ...row, is_default: is_primary ? 1 : row.is_default }, scope.environment.appId)
  })
}

function added(scope: UserScope, key: TokenKey): UserTokenRow {
  const user = currentUser(scope)
  const tokens = scope.store.users.tokensOf(user.id)
  if (tokens.filter(({ token_type }) => isReachable(token_type)).length >= limits.userTokens)
    throw errorAt('token', 'invalid', `a user has at most ${limits.userTokens} tokens`)
  const row = addToken(scope, { ...key, user: user.id, isDefault: tokens.length === 0, isClaimed: true })
  askForVerification(scope, row)
  removeReplacedGuestId(scope, user.id)
  return row
}

/** Confirms a token of the caller's by the code that was sent to it, which activates the caller. Spec 2.1. */
export const verifyUserToken: Handler<'verifyUserToken'> = async (scope, { body }) => {
  const key = namedToken(body, tokenTypes)
  const outcome = await writeInStepsAs(scope, rowsHeld(scope.store, scope.user.id), function* (scope) {
    const token = scope.store.users.token(key.token_type, key.token)
    if (token?.user_id !== scope.user.id) throw new ApiError('unknownUser', 'the user has no such token')
    if (token.confirmed === 1) throw new ApiError('tokenConfirmed')
    const matches = isCode(scope, token, 'verification', body.verify_code)
    if (matches) yield* verifyToken(scope, token)
    return { matches, next: codesAcceptedFrom(scope, token) }
  })
  // Not thrown inside the write, which would then not count the attempt.
  if (!outcome.matches) throw errorAt('verify_code', 'wrongCode', whyWrong(outcome.next))
  return key
}

const whyWrong = (next: Date | undefined) =>
  next
    ? `too many wrong codes: ask for a new code and try again at ${timestamp(next)}`
    : 'the verification code is wrong or expired'

/** Sends a new code to a token that is not confirmed, which ends earlier ones; but not within a minute after the last. */
export const resetVerificationCode: Handler<'resetVerificationCode'> = async (scope, { body }) => {
  const key = namedToken(body, tokenTypes)
  await scope.store.write(() => {
    const token = knownToken(scope, key)
    if (token.confirmed === 1) throw new ApiError('tokenConfirmed')
    askForVerification(scope, token)
  })
  return key
}

/** Makes a token the caller's only default one. */
export const setDefaultUserToken: Handler<'setDefaultUserToken'> = async (scope, { id }) => {
  await writeAs(scope, (scope) => makeDefault(scope, ownToken(scope, id)))
  return { success_message: 'Default token changed.' }
}

/** Deletes a token of the caller's with the codes that were sent to it; never the default one. */
export const deleteUserToken: Handler<'deleteUserToken'> = async (scope, { id }) => {
  await writeInStepsAs(scope, rowsHeld(scope.store, scope.user.id), function* (scope) {
    const token = ownToken(scope, id)
    const isOnly = scope.store.users.tokensOf(scope.user.id).length === 1
    if (token.is_default === 1 || isOnly) throw new ApiError('defaultToken')
    if (token.token_type === guestTokenType) removeGuestId(scope, scope.user.id)
    else yield* removeAddress(scope, token)
  })
  return { success_message: 'Token deleted.' }
}

/** The token that a request names. Throws `unknownUser` where nobody has it. */
function knownToken({ store }: Moment, { token_type, token }: TokenKey): UserTokenRow {
  const row = store.users.token(token_type, token)
  if (!row) throw new ApiError('unknownUser')
  return row
}

/**
 * Sends a token a pin that signs in once. The password stays until the pin is used, as anybody can ask for one. Within a
 * minute after a pin that is not used it does nothing, and answers the same.
 */
export const resetPassword: Handler<'resetPassword'> = async (scope, { body }) => {
  const key = namedToken(body, tokenTypes)
  await scope.store.write(() => {
    issueCode(scope, knownToken(scope, key), 'pin')
  })
  return key
}

/** Reset Password for the default token of the caller or, for an administrator, of a user of the same publisher. */
export const resetPasswordById: Handler<'resetPasswordById'> = async (scope, { id }) => {
  const isSent = await scope.store.write(() => {
    checkMayReset(scope, knownUser(scope, id))
    const [token] = recoveryTokens(scope, id)
    if (!token) throw new ApiError('noUserToken')
    return issueCode(scope, token, 'pin')
  })
  return {
    success_message: isSent ? 'A one-time pin was sent.' : 'A one-time pin was sent within the last minute: use that.',
  }
}

function checkMayReset(scope: UserScope, { id, pub_fqdn }: UserRow): void {
  const caller = currentUser(scope)
  const isOfSame = caller.is_admin === 1 && caller.pub_fqdn !== '' && caller.pub_fqdn === pub_fqdn
  if (id === caller.id || isOfSame) return
  throw new ApiError(
    'notPublisher',
    'only an administrator of the same publisher can reset the password of another user',
  )
}
