import { ApiError } from '../../contract/api/errors.ts'
import { limits } from '../../contract/limits.ts'
import { type Clock, seconds, timestamp } from '../domain/clock.ts'
import type { Store } from '../store/store.ts'

/** Where logins are counted. */
interface Counting {
  readonly store: Store
  readonly clock: Clock
  readonly logins: Logins
}

interface LoginQueue {
  /** Logins that check the password or wait to. */
  size: number
  active: number
  readonly waiting: (() => void)[]
}
/** Unfinished logins of this process, by user. */
export type Logins = Map<string, LoginQueue>

/**
 * Runs a login. Of one user, only as many passwords are checked at once as attempts are left; other logins wait. Each
 * `loginFailed` counts, and a login that succeeds clears the count. Throws `loginLocked`, with the time of its end, while
 * the account is locked.
 */
export async function counted<T>(counting: Counting, userId: string, login: () => Promise<T>): Promise<T> {
  const queue = counting.logins.get(userId) ?? { size: 0, active: 0, waiting: [] }
  counting.logins.set(userId, queue)
  queue.size++
  try {
    while (queue.active >= attemptsLeft(counting, userId)) await settled(queue.waiting)
    return await inTurn(queue, () => failuresCounted(counting, userId, login))
  } finally {
    queue.size--
    if (queue.size === 0) counting.logins.delete(userId)
  }
}

async function settled(waiting: (() => void)[]): Promise<void> {
  if (waiting.length >= limits.loginsWaiting) throw new ApiError('busy', 'too many logins at once')
  await new Promise<void>((resolve) => waiting.push(resolve))
}

async function inTurn<T>(queue: LoginQueue, login: () => Promise<T>): Promise<T> {
  queue.active++
  try {
    return await login()
  } finally {
    queue.active--
    for (const wake of queue.waiting.splice(0)) wake()
  }
}

async function failuresCounted<T>(counting: Counting, userId: string, login: () => Promise<T>): Promise<T> {
  try {
    return await login()
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'loginFailed') await countFailure(counting, userId)
    throw error
  }
}

/** How many attempts a user has left: at least one, else it throws `loginLocked`. */
function attemptsLeft({ store, clock }: Counting, userId: string): number {
  const user = store.users.byId(userId)
  if (!user || user.locked_until === 0) return Math.max(limits.loginAttempts - (user?.attempts ?? 0), 1)
  if (user.locked_until <= seconds(clock())) return limits.loginAttempts
  const end = timestamp(new Date(user.locked_until * 1000))
  throw new ApiError('loginLocked', `too many failed logins; try again at ${end}`)
}

const countFailure = ({ store, clock }: Counting, userId: string): Promise<void> =>
  store.write(() => {
    const user = store.users.byId(userId)
    const now = seconds(clock())
    if (!user || user.locked_until > now) return
    const attempts = user.locked_until > 0 ? 1 : user.attempts + 1
    const locked_until = attempts >= limits.loginAttempts ? now + limits.loginLockSeconds : 0
    store.users.updateAttempts({ id: userId, attempts, locked_until })
  })
