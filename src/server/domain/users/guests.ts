import { checkToken, namedToken, type TokenKey } from '../../../contract/api/user-token-formats.ts'
import { guestTokenType, tokenTypes } from '../../../contract/values.ts'
import type { Steps } from '../../store/slices.ts'
import type { UserRow, UserTokenRow } from '../../store/users.ts'
import type { Moment } from '../caller.ts'
import { timestamp } from '../clock.ts'
import { sendCode } from './codes.ts'
import { holdsFor, release } from './held-vatoms.ts'
import { hasPassword, knownUser, newUser, propertiesOf } from './user.ts'
import { addressesOf, addToken, makeDefault } from './user-tokens.ts'

/**
 * The id of the user who has a token. If nobody has it, that of a new guest, who is sent the guest id to sign in with.
 * `path` is where the token is in the request. Call it inside a write. Throws
 * `unknownTokenType`, `invalidEmail` or `invalidPhone`.
 */
export function recipientGuest(moment: Moment, recipient: TokenKey, path = 'token'): string {
  const key = namedToken(recipient, tokenTypes)
  checkToken(key, path, recipient.token)
  const holder = moment.store.users.byToken(key.token_type, key.token)
  if (holder) return holder.id
  const guestId = moment.store.random.uuid()
  const guest = addGuest(moment, guestId, [key])
  sendCode(moment, key, 'guest_id', guestId)
  return guest.id
}

/** Makes a guest, who signs in with a guest id; the first token is their default one. Call it inside a write. */
export function addGuest(moment: Moment, guestId: string, others: readonly TokenKey[] = []): UserRow {
  const guest = newUser(moment, { guest_id: guestId })
  moment.store.users.insert(guest)
  const tokens = [...others, { token_type: guestTokenType, token: guestId }]
  for (const [index, key] of tokens.entries())
    addToken(moment, { ...key, user: guest.id, isDefault: index === 0, isClaimed: false })
  return guest
}

/** Removes the guest id of a user, who no longer signs in with it: where that was the default token, an address is it now. Call it inside a write. */
export function removeGuestId({ store, now }: Moment, id: string): void {
  for (const token of store.users.tokensOf(id))
    if (token.token_type === guestTokenType) store.users.removeToken(token.id)
  const left = store.users.tokensOf(id)
  const next = left.find(({ confirmed }) => confirmed === 1) ?? left[0]
  if (next && left[0]?.is_default !== 1) makeDefault({ store, now }, next)
  const user = knownUser({ store }, id)
  const { guest_id, ...properties } = propertiesOf(user)
  if (guest_id !== undefined)
    store.users.updateProfile({ ...user, properties: JSON.stringify(properties), when_modified: timestamp(now) })
}

/** Removes the guest id of a user who can sign in with a password. Call it inside a write. */
export function removeReplacedGuestId(moment: Moment, id: string): void {
  const user = knownUser(moment, id)
  if (hasPassword(user) && addressesOf(moment, id).length > 0) removeGuestId(moment, id)
}

/**
 * Removes an address from its user. What is held for it goes to a guest, whom only the holder of the address can be.
 * Call it inside a write.
 */
export function* removeAddress(moment: Moment, token: UserTokenRow): Steps<void> {
  const isHolding = holdsFor(moment, token)
  moment.store.users.removeToken(token.id)
  if (isHolding) yield* release(moment, token.user_id, token, recipientGuest(moment, token))
}
