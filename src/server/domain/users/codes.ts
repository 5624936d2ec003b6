import { randomInt, timingSafeEqual } from 'node:crypto'
import type { TokenKey } from '../../../contract/api/user-token-formats.ts'
import { limits } from '../../../contract/limits.ts'
import type { CodeKey, CodeKind, CodeRow } from '../../store/codes.ts'
import type { UserTokenRow } from '../../store/users.ts'
import type { Moment } from '../caller.ts'
import { seconds, timestamp } from '../clock.ts'

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
 * Sends a new code to a user token, which replaces the one before; wrong codes of the last minutes are still counted.
 * Call it inside a write.
 */
export function issueCode(moment: Moment, token: UserTokenRow, kind: CodeKind): void {
  const { lifetime, occasion } = policies[kind]
  const code = String(randomInt(10 ** limits.codeDigits)).padStart(limits.codeDigits, '0')
  const expires_at = seconds(moment.now) + lifetime
  const key = { token_id: token.id, kind }
  moment.store.codes.put({ ...key, code, expires_at, ...triesOf(moment, key) })
  sendCode(moment, token, occasion, code)
}

function triesOf({ store, now }: Moment, key: CodeKey): Pick<CodeRow, 'attempts' | 'counted_since'> {
  const before = store.codes.find(key)
  if (!before || before.counted_since + limits.codeTriesSeconds <= seconds(now))
    return { attempts: 0, counted_since: seconds(now) }
  const { attempts, counted_since } = before
  return { attempts, counted_since }
}

/**
 * Whether a text is the code that was sent to a user token. The right code is removed; a wrong one is counted. Call it
 * inside a write, and do not throw there for a wrong code: a write that fails counts nothing.
 */
export function isCode({ store, now }: Moment, token: UserTokenRow, kind: CodeKind, text: string): boolean {
  const key = { token_id: token.id, kind }
  const sent = store.codes.find(key)
  if (!sent || sent.expires_at <= seconds(now) || sent.attempts >= limits.codeAttempts) return false
  const isRight = sameText(sent.code, text.trim())
  if (isRight) store.codes.remove(key)
  else store.codes.setAttempts(key, sent.attempts + 1)
  return isRight
}

/** What a user is sent: a code that verifies their token, a pin to sign in with, or a guest id. */
type Occasion = 'verification_code' | 'one_time_pin' | 'guest_id'

/** Sends a code to the holder of a user token: into the outbox. Call it inside a write. */
export function sendCode({ store, now }: Moment, { token_type, token }: TokenKey, kind: Occasion, code: string): void {
  store.outbox.add({ recipient: token, token_type, kind, code, when_sent: timestamp(now) })
}

/** Removes the password of a token's user and sends a pin instead. Call it inside a write. */
export function sendPin(moment: Moment, token: UserTokenRow): void {
  const { users } = moment.store
  const user = users.byId(token.user_id)
  const password = user?.seeded === 1 ? '' : null
  if (user) users.updateProfile({ ...user, password, when_modified: timestamp(moment.now) })
  issueCode(moment, token, 'pin')
}

/** Whether two texts are the same; the time it takes does not reveal where they differ. */
export const sameText = (a: string, b: string): boolean => {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length === other.length && timingSafeEqual(one, other)
}
