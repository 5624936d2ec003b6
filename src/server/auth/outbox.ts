import { timestamp } from '../clock.ts'
import type { Scope } from '../operations/handler.ts'
import type { TokenKey } from './user-tokens.ts'

/** Why a user is sent something: a code that verifies their token, a pin to sign in with, or the id of a guest. */
export type Occasion = 'verification_code' | 'one_time_pin' | 'guest_id'

/** What sending needs. */
export type Sending = Pick<Scope, 'store' | 'now'>

/** Sends a code to the holder of a user token: into the outbox. Call it inside a write. */
export function sendCode({ store, now }: Sending, { token_type, token }: TokenKey, kind: Occasion, code: string): void {
  store.outbox.add({ recipient: token, token_type, kind, code, when_sent: timestamp(now) })
}
