import { randomUUID } from 'node:crypto'
import { checkToken, namedToken, type TokenKey } from '../../../contract/api/user-token-formats.ts'
import { guestTokenType, tokenTypes } from '../../../contract/values.ts'
import type { UserRow } from '../../store/users.ts'
import type { Moment } from '../caller.ts'
import { timestamp } from '../clock.ts'
import { sendCode } from './codes.ts'
import { newUser } from './user.ts'
import { addToken } from './user-tokens.ts'

/**
 * The id of the user who has a token. If nobody has it, that of a new guest, who is sent the guest id to sign in with.
 * `path` is where the token is in the request. Call it inside a write. Throws
 * `unknownTokenType`, `invalidEmail` or `invalidPhone`.
 */
export function recipientGuest(moment: Moment, recipient: TokenKey, path = 'token'): string {
  const key = namedToken(recipient, tokenTypes)
  checkToken(key, path)
  const holder = moment.store.users.byToken(key.token_type, key.token)
  if (holder) return holder.id
  const guestId = randomUUID()
  const guest = addGuest(moment, guestId, [key])
  sendCode(moment, key, 'guest_id', guestId)
  return guest.id
}

/** Makes a guest, who signs in with a guest id; the first token is their default one. Call it inside a write. */
export function addGuest(moment: Moment, guestId: string, others: readonly TokenKey[] = []): UserRow {
  const guest = newUser(timestamp(moment.now), { guest_id: guestId })
  moment.store.users.insert(guest)
  const tokens = [...others, { token_type: guestTokenType, token: guestId }]
  for (const [index, key] of tokens.entries()) addToken(moment, { ...key, user: guest.id, isDefault: index === 0 })
  return guest
}
