import { randomInt } from 'node:crypto'
import { limits } from '../../contract/limits.ts'
import { seconds } from '../clock.ts'
import type { CodeKey, CodeKind, CodeRow } from '../store/codes.ts'
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

/**
 * Sends a new code to a user token, which ends the one before it, but not the count of what was tried in place of that
 * while it is young. Call it inside a write.
 */
export function issueCode(sending: Sending, token: UserTokenRow, kind: CodeKind): void {
  const { lifetime, occasion } = policies[kind]
  const code = String(randomInt(10 ** digits)).padStart(digits, '0')
  const expires_at = seconds(sending.now) + lifetime
  const key = { token_id: token.id, kind }
  sending.store.codes.put({ ...key, code, expires_at, ...triesOf(sending, key) })
  sendCode(sending, token, occasion, code)
}

function triesOf({ store, now }: Sending, key: CodeKey): Pick<CodeRow, 'attempts' | 'counted_since'> {
  const before = store.codes.find(key)
  if (!before || before.counted_since + limits.codeTriesSeconds <= seconds(now))
    return { attempts: 0, counted_since: seconds(now) }
  const { attempts, counted_since } = before
  return { attempts, counted_since }
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
