import { timingSafeEqual } from 'node:crypto'
import type { TokenKey } from '../../../contract/api/user-token-formats.ts'
import { limits } from '../../../contract/limits.ts'
import type { CodeKind, CodeRow } from '../../store/codes.ts'
import type { UserTokenRow } from '../../store/users.ts'
import type { Moment } from '../caller.ts'
import { seconds, timestamp } from '../clock.ts'

interface Policy {
  /** In seconds. */
  readonly lifetime: number
  readonly digits: number
  /** How many of the latest ones are valid. */
  readonly valid: number
  /** Whether wrong ones are counted, and use it up: it is so short that it could be guessed. */
  readonly isCounted: boolean
  readonly occasion: Occasion
}
const policies: Readonly<Record<CodeKind, Policy>> = {
  verification: {
    lifetime: limits.verificationSeconds,
    digits: limits.codeDigits,
    valid: 1,
    isCounted: true,
    occasion: 'verification_code',
  },
  // Whoever counted wrong pins would let strangers keep the owner of an address from signing in.
  pin: {
    lifetime: limits.pinSeconds,
    digits: limits.pinDigits,
    valid: limits.pinsValid,
    isCounted: false,
    occasion: 'one_time_pin',
  },
}

/**
 * Sends a new code to a user token, and returns true; false where one that is not used yet was sent within the last
 * minute, as anybody can ask for them. Call it inside a write.
 */
export function issueCode(moment: Moment, token: UserTokenRow, kind: CodeKind): boolean {
  const { codes, random } = moment.store
  const { lifetime, digits, occasion } = policies[kind]
  const key = { token_id: token.id, kind }
  const now = seconds(moment.now)
  const [latest] = codes.newestFirst(key)
  if (latest && isRecent(latest.expires_at - lifetime, now)) return false
  const code = Array.from({ length: digits }, () => random.integer(0, 9)).join('')
  codes.removeOutside({ ...key, from: now, to: now + lifetime })
  codes.add({ ...key, code, expires_at: now + lifetime })
  sendCode(moment, token, occasion, code)
  return true
}

/** Whether something was sent within the last minute; not if the clock was set back since. */
const isRecent = (sent: number, now: number) => sent <= now && now < sent + limits.codePauseSeconds

/**
 * Whether a text is a valid code that was sent to a user token, which ends all of its kind. A wrong one is counted, for
 * the address, but for one that others have outdated. Call it inside a write, and do not throw there for a wrong code: a
 * write that fails counts nothing.
 */
export function isCode(moment: Moment, token: UserTokenRow, kind: CodeKind, text: string): boolean {
  const { store } = moment
  const { isCounted } = policies[kind]
  const { valid, outdated } = sentCodes(moment, token, kind)
  const given = text.trim()
  if (valid.length === 0 || !hasForm(kind, given)) return false
  if (isCounted && codesAcceptedFrom(moment, token)) return false
  const isRight = isOneOf(valid, given)
  if (isRight) store.codeTries.remove(token)
  else if (isCounted && !isOneOf(outdated, given)) countWrong(moment, token)
  if (isRight || (isCounted && codesAcceptedFrom(moment, token))) store.codes.removeAll({ token_id: token.id, kind })
  return isRight
}

/** Whether a text is a pin that was sent to a user token, and outdated by those that were sent after it. */
export const isOutdatedPin = (moment: Moment, token: UserTokenRow, text: string): boolean =>
  isOneOf(sentCodes(moment, token, 'pin').outdated, text.trim())

/** The codes of a user token that have not expired: the latest ones, which are valid, and those before them. */
function sentCodes({ store, now }: Moment, { id }: UserTokenRow, kind: CodeKind) {
  const sent = store.codes.newestFirst({ token_id: id, kind }).filter(({ expires_at }) => expires_at > seconds(now))
  const { valid } = policies[kind]
  return { valid: sent.slice(0, valid), outdated: sent.slice(valid) }
}

const isOneOf = (codes: readonly CodeRow[], text: string) => codes.some(({ code }) => sameText(code, text))

const hasForm = (kind: CodeKind, text: string) => text.length === policies[kind].digits && /^\d+$/.test(text)

/** Whether a text may be a pin. */
export const mayBePin = (text: string): boolean => hasForm('pin', text.trim())

/** When codes for an address are accepted again; undefined where they are now. */
export function codesAcceptedFrom({ store, now }: Moment, key: TokenKey): Date | undefined {
  const { wrong = 0, last = 0 } = store.codeTries.find(key) ?? {}
  if (wrong === 0 || wrong % limits.codeAttempts !== 0) return undefined
  const wait = limits.codeWaitSeconds * 2 ** (wrong / limits.codeAttempts - 1)
  const end = last + Math.min(wait, limits.codeWaitMax)
  // A clock that was ahead does not keep its owner out once it is right.
  const isNow = last <= seconds(now) && end > seconds(now)
  return isNow ? new Date(end * 1000) : undefined
}

/** Counts a wrong code for an address; those of the day before are forgotten. */
function countWrong({ store, now }: Moment, { token_type, token }: TokenKey): void {
  const last = seconds(now)
  const dayBefore = last - limits.codeWaitMax
  store.codeTries.removeBefore(dayBefore)
  const earlier = store.codeTries.find({ token_type, token })
  const wrong = earlier && earlier.last >= dayBefore ? earlier.wrong : 0
  store.codeTries.put({ token_type, token, wrong: wrong + 1, last })
}

/** What a user is sent: a code that verifies their token, a pin to sign in with, or a guest id. */
type Occasion = 'verification_code' | 'one_time_pin' | 'guest_id'

/** Seconds after which no code that was sent is valid any more. */
const longestValid = Math.max(limits.pinSeconds, limits.verificationSeconds)

/** Sends a code to the holder of a user token: into the outbox. Call it inside a write. */
export function sendCode({ store, now }: Moment, { token_type, token }: TokenKey, kind: Occasion, code: string): void {
  const expired = new Date(now.getTime() - longestValid * 1000)
  store.outbox.add({ recipient: token, token_type, kind, code, when_sent: timestamp(now) }, timestamp(expired))
}

/** Whether two texts are the same; the time it takes does not reveal where they differ. */
export const sameText = (a: string, b: string): boolean => {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length === other.length && timingSafeEqual(one, other)
}
