import { SessionError } from '../../client/errors.ts'
import { endOf } from '../../client/session.ts'
import type { Problem } from '../../documents/load/loaded.ts'
import type { Context } from '../context.ts'
import { Would } from '../dry-run/would.ts'
import type { Failure } from '../failure/failure.ts'
import { toFailure } from '../failure/translate.ts'
import type { Host } from '../host.ts'
import { type Line, styled } from '../io/text.ts'
import { sessionAmong } from './stored-session.ts'
import { loginAs, loginTo, type NetworkTarget } from './target.ts'

/** Ends a session on its service. Returns why that could not be done; undefined where it has ended, also before. */
export async function endSession(logout: () => Promise<unknown>, host: Host): Promise<Failure | undefined> {
  try {
    await logout()
    return undefined
  } catch (error) {
    if (error instanceof Would) throw error
    return hasEnded(error) ? undefined : toFailure(error, host)
  }
}

/** Whether a service says that it has ended a session; a stored session of another service may go on. */
const hasEnded = (error: unknown): boolean => error instanceof SessionError && error.cause !== undefined

/** What is said of a session whose tokens were deleted, and which goes on. */
export const unended = ({ message }: Failure): Line =>
  styled`${message}: the session was removed from this machine, but the service did not end it`

const minute = 60_000
/** How long before the end of a session its user is warned: a week, in milliseconds. */
const warnedBefore = 7 * 24 * 60 * minute

type Stored = Pick<Context, 'host' | 'credentials'>

/** The refresh token in use: of the environment, or stored for a context. */
export async function refreshTokenOf(
  target: NetworkTarget,
  { host, credentials }: Stored,
): Promise<string | undefined> {
  if (target.environmentTokens) return host.env.VATOM_ACCESS_TOKEN ? undefined : host.env.VATOM_REFRESH_TOKEN
  return target.name === undefined ? undefined : sessionAmong(await credentials.read(), target).refresh_token
}

/** The time that is left, `30 days`; undefined for less than a minute. */
export function timeLeft(end: Date, now: Date): string | undefined {
  const left = end.getTime() - now.getTime()
  return left < minute ? undefined : spanText(left)
}

/** So many milliseconds in the largest unit of which there are two: `90 s`, `5 min`, `3 hours`, `30 days`. */
export function spanText(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / minute)
  if (minutes < 2) return `${Math.floor(milliseconds / 1000)} s`
  if (minutes < 120) return `${minutes} min`
  return minutes < 2880 ? `${Math.floor(minutes / 60)} hours` : `${Math.floor(minutes / 1440)} days`
}

/** `2026-03-31T12:00:00Z (in 30 days)`. */
export const endText = (end: Date, now: Date): string =>
  `${end.toISOString().replace(/\.\d+Z$/, 'Z')} (in ${timeLeft(end, now) ?? 'less than a minute'})`

interface EndingSoon {
  readonly message: string
  /** How to get a session that lasts longer. */
  readonly hint: string
}

/** The end of the session, if it comes within a week; undefined where no end is known. One that has ended fails by itself. */
export async function endingSoon(target: NetworkTarget, stored: Stored): Promise<EndingSoon | undefined> {
  const end = endOf(await refreshTokenOf(target, stored))
  const now = stored.host.now()
  const left = end === undefined ? 0 : end.getTime() - now.getTime()
  if (end === undefined || left <= 0 || left > warnedBefore) return undefined
  const { environmentTokens, name } = target
  const ends = `ends at ${endText(end, now)}`
  if (!environmentTokens)
    return { message: `the session of ${name} ${ends}`, hint: `sign in again: ${loginAs(String(name))}` }
  return {
    message: `the refresh token in VATOM_REFRESH_TOKEN ${ends}`,
    hint: `replace it: ${loginTo('pipeline', target)}; then vatom auth token --refresh --yes`,
  }
}

/** Warns on stderr of a session that ends within a week, and returns the warning for a report; none of another session. */
export async function sessionWarnings(
  context: Stored & Pick<Context, 'target' | 'output'>,
): Promise<readonly Problem[]> {
  const target = await context.target()
  const soon = target.kind === 'local' ? undefined : await endingSoon(target, context)
  if (soon === undefined) return []
  context.output.warn(styled`${soon.message}; ${soon.hint}`)
  return [{ file: '<session>', rule: 'session-end', severity: 'warning', path: '', ...soon }]
}
