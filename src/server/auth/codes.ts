import { randomInt } from 'node:crypto'
import { limits } from '../../contract/values.ts'
import { seconds } from '../clock.ts'
import type { CodeKind } from '../store/codes.ts'
import type { UserTokenRow } from '../store/users.ts'
import { type Occasion, type Sending, sendCode } from './outbox.ts'
import { sameText } from './same-text.ts'

const digits = 6

interface Policy {
  /** In seconds. */
  readonly lifetime: number
  readonly occasion: Occasion
}
const policies: Readonly<Record<CodeKind, Policy>> = {
  verification: { lifetime: limits.verificationSeconds, occasion: 'verification_code' },
  pin: { lifetime: limits.pinSeconds, occasion: 'one_time_pin' },
}

/** Sends a new code to a user token, which ends the one before it. Call it inside a write. */
export function issueCode(sending: Sending, token: UserTokenRow, kind: CodeKind): void {
  const { lifetime, occasion } = policies[kind]
  const code = String(randomInt(10 ** digits)).padStart(digits, '0')
  const expires_at = seconds(sending.now) + lifetime
  sending.store.codes.put({ token_id: token.id, kind, code, expires_at, attempts: 0 })
  sendCode(sending, token, occasion, code)
}

/**
 * Whether a text is the code that was sent to a user token; the right one is used up, and a wrong one counts. Call it
 * inside a write, which must not fail for a wrong code: it would not be counted.
 */
export function isCode({ store, now }: Sending, token: UserTokenRow, kind: CodeKind, text: string): boolean {
  const key = { token_id: token.id, kind }
  const sent = store.codes.find(key)
  if (!sent || sent.expires_at <= seconds(now) || sent.attempts >= limits.codeAttempts) return false
  const isRight = sameText(sent.code, text.trim())
  if (isRight) store.codes.remove(key)
  else store.codes.setAttempts(key, sent.attempts + 1)
  return isRight
}
