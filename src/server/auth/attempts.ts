import { ApiError } from '../../contract/errors.ts'
import { seconds, timestamp } from '../clock.ts'
import type { Scope } from '../environment.ts'

/** Wrong passwords in a row after which an account is locked. */
const attemptsMax = 5
/** Seconds an account stays locked. */
const lockSeconds = 300

/**
 * Counts a login before its password is looked at, so that guesses made at once count too; a login that succeeds
 * clears the count. Throws `loginLocked`, with the time of its end, while the account is locked.
 */
export async function reserveAttempt({ store, now }: Scope, userId: string): Promise<void> {
  const lockedUntil = await store.write(() => {
    const user = store.users.byId(userId)
    if (!user || user.locked_until > seconds(now)) return user?.locked_until ?? 0
    const attempts = user.locked_until > 0 ? 1 : user.attempts + 1
    const locked_until = attempts >= attemptsMax ? seconds(now) + lockSeconds : 0
    store.users.updateAttempts({ id: userId, attempts, locked_until })
    return 0
  })
  if (lockedUntil > 0)
    throw new ApiError('loginLocked', `too many failed logins; try again at ${timestamp(new Date(lockedUntil * 1000))}`)
}
