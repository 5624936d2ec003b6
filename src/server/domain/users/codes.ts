import { timingSafeEqual } from 'node:crypto'
import type { TokenKey } from '../../../contract/api/user-token-formats.ts'
import { limits } from '../../../contract/limits.ts'
import type { CodeKind } from '../../store/codes.ts'
import type { UserTokenRow } from '../../store/users.ts'
import type { Moment } from '../caller.ts'
import { seconds, timestamp } from '../clock.ts'

interface Policy {
  /** In seconds. */
  readonly lifetime: number
  readonly digits: number
  /** Whether wrong ones are counted, and use it up: it is so short that it could be guessed. */
  readonly isCounted: boolean
  readonly occasion: Occasion
}
const policies: Readonly<Record<CodeKind, Policy>> = {
  verification: {
    lifetime: limits.verificationSeconds,
    digits: limits.codeDigits,
    isCounted: true,
    occasion: 'verification_code',
  },
  // Whoever counted wrong pins would let strangers keep the owner of an address from signing in.
  pin: { lifetime: limits.pinSeconds, digits: limits.pinDigits, isCounted: false, occasion: 'one_time_pin' },
}

/** Sends a new code to a user token, which replaces the one before. Call it inside a write. */
export function issueCode(moment: Moment, token: UserTokenRow, kind: CodeKind): void {
  const { lifetime, digits, occasion } = policies[kind]
  const code = Array.from({ length: digits }, () => moment.store.random.integer(0, 9)).join('')
  moment.store.codes.put({ token_id: token.id, kind, code, expires_at: seconds(moment.now) + lifetime })
  sendCode(moment, token, occasion, code)
}

/**
 * Whether a text is the code that was sent to a user token. The right code is removed; a wrong one is counted, for the
 * address. Call it inside a write, and do not throw there for a wrong code: a write that fails counts nothing.
 */
export function isCode(moment: Moment, token: UserTokenRow, kind: CodeKind, text: string): boolean {
  const { store, now } = moment
  const { isCounted } = policies[kind]
  const key = { token_id: token.id, kind }
  const sent = store.codes.find(key)
  const given = text.trim()
  if (!sent || sent.expires_at <= seconds(now) || !hasForm(kind, given)) return false
  if (isCounted && codesAcceptedFrom(moment, token)) return false
  const isRight = sameText(sent.code, given)
  if (isRight) store.codeTries.remove(token)
  else if (isCounted) countWrong(moment, token)
  if (isRight || (isCounted && codesAcceptedFrom(moment, token))) store.codes.remove(key)
  return isRight
}

const hasForm = (kind: CodeKind, text: string) => text.length === policies[kind].digits && /^\d+$/.test(text)

/** Whether a text may be a pin. */
export const mayBePin = (text: string): boolean => hasForm('pin', text.trim())

/** When codes for an address are accepted again; undefined where they are now. */
export function codesAcceptedFrom({ store, now }: Moment, key: TokenKey): Date | undefined {
  const { wrong = 0, last = 0 } = store.codeTries.find(key) ?? {}
  if (wrong === 0 || wrong % limits.codeAttempts !== 0) return undefined
  const wait = limits.codeWaitSeconds * 2 ** (wrong / limits.codeAttempts - 1)
  const end = last + Math.min(wait, limits.codeWaitMax)
  return end > seconds(now) ? new Date(end * 1000) : undefined
}

/** Counts a wrong code for an address; those of the day before are forgotten. */
function countWrong({ store, now }: Moment, { token_type, token }: TokenKey): void {
  const last = seconds(now)
  store.codeTries.removeBefore(last - limits.codeWaitMax)
  const { wrong = 0 } = store.codeTries.find({ token_type, token }) ?? {}
  store.codeTries.put({ token_type, token, wrong: wrong + 1, last })
}

/** What a user is sent: a code that verifies their token, a pin to sign in with, or a guest id. */
type Occasion = 'verification_code' | 'one_time_pin' | 'guest_id'

/** Sends a code to the holder of a user token: into the outbox. Call it inside a write. */
export function sendCode({ store, now }: Moment, { token_type, token }: TokenKey, kind: Occasion, code: string): void {
  store.outbox.add({ recipient: token, token_type, kind, code, when_sent: timestamp(now) })
}

/** Whether two texts are the same; the time it takes does not reveal where they differ. */
export const sameText = (a: string, b: string): boolean => {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length === other.length && timingSafeEqual(one, other)
}
