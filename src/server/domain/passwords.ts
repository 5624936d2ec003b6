import { issueCode } from '../auth/codes.ts'
import type { Sending } from '../auth/outbox.ts'
import { timestamp } from '../clock.ts'
import type { UserTokenRow } from '../store/users.ts'

/** Takes the password of a token's user away and sends a pin in its place. Call it inside a write. */
export function sendPin(sending: Sending, token: UserTokenRow): void {
  const { users } = sending.store
  const user = users.byId(token.user_id)
  const password = user?.seeded === 1 ? '' : null
  if (user) users.updateProfile({ ...user, password, when_modified: timestamp(sending.now) })
  issueCode(sending, token, 'pin')
}
