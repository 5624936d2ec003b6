import { randomUUID } from 'node:crypto'
import { guestTokenType, tokenTypes } from '../../contract/values.ts'
import { type Sending, sendCode } from '../auth/outbox.ts'
import { checkToken, namedToken, type TokenKey } from '../auth/user-tokens.ts'
import { timestamp } from '../clock.ts'
import type { UserRow } from '../store/users.ts'
import { newUser } from './user.ts'
import { addToken } from './user-tokens.ts'

/**
 * The id of the user who has a token; where nobody does, of a guest who is made for it and is sent the guest id that
 * they sign in with. `path` is where the token stands in the request. Call it inside a write. Throws
 * `unknownTokenType`, `invalidEmail` or `invalidPhone`.
 */
export function recipientGuest(sending: Sending, recipient: TokenKey, path = 'token'): string {
  const key = namedToken(recipient, tokenTypes)
  checkToken(key, path)
  const holder = sending.store.users.byToken(key.token_type, key.token)
  if (holder) return holder.id
  const guestId = randomUUID()
  const guest = addGuest(sending, guestId, [key])
  sendCode(sending, key, 'guest_id', guestId)
  return guest.id
}

/** Makes a guest, who signs in with a guest id; the first token is their default one. Call it inside a write. */
export function addGuest(sending: Sending, guestId: string, others: readonly TokenKey[] = []): UserRow {
  const guest = newUser(timestamp(sending.now), { guest_id: guestId })
  sending.store.users.insert(guest)
  const tokens = [...others, { token_type: guestTokenType, token: guestId }]
  for (const [index, key] of tokens.entries()) addToken(sending, { ...key, user: guest.id, isDefault: index === 0 })
  return guest
}
