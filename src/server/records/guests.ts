import { randomUUID } from 'node:crypto'
import { type Recipient, type Sending, sendCode } from '../auth/outbox.ts'
import { checkToken, checkTokenType, normalToken } from '../auth/user-tokens.ts'
import { timestamp } from '../clock.ts'
import { bit } from '../store/tables.ts'
import type { UserRow } from '../store/users.ts'
import { newUser } from '../user.ts'

/**
 * The id of the user who has a token; where nobody does, of a guest who is made for it and is sent the guest id that
 * they sign in with. `path` is where the token stands in the request. Call it inside a write. Throws
 * `unknownTokenType`, `invalidEmail` or `invalidPhone`.
 */
export function recipientGuest(sending: Sending, { token_type, token }: Recipient, path = 'token'): string {
  checkTokenType(token_type)
  const recipient = { token_type, token: normalToken(token_type, token) }
  checkToken(token_type, recipient.token, path)
  const holder = sending.store.users.byToken(token_type, recipient.token)
  if (holder) return holder.id
  const guestId = randomUUID()
  const guest = insertGuest(sending, guestId, [recipient])
  sendCode(sending, recipient, 'guest_id', guestId)
  return guest.id
}

/** Makes a guest, who signs in with a guest id; the first token is their default one. Call it inside a write. */
export function insertGuest({ store, now }: Sending, guestId: string, tokens: readonly Recipient[]): UserRow {
  const when = timestamp(now)
  const guest = newUser(when, { guest_id: guestId })
  store.users.insert(guest)
  for (const [index, { token_type, token }] of [...tokens, { token_type: 'guest_id', token: guestId }].entries())
    store.users.insertToken({
      id: randomUUID(),
      user_id: guest.id,
      token_type,
      token,
      confirmed: 0,
      is_default: bit(index === 0),
      when_created: when,
      when_modified: when,
    })
  return guest
}
