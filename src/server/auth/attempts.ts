import { ApiError } from '../../contract/api/errors.ts'
import { limits } from '../../contract/limits.ts'
import { type Clock, seconds, timestamp } from '../domain/clock.ts'
import { placeOf } from '../store/places.ts'
import type { Store } from '../store/store.ts'
import type { UserRow } from '../store/users.ts'

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
type Failures = Pick<UserRow, 'attempts' | 'locked_until'>

/** Unfinished logins of this process, by account. */
export class Logins {
  readonly queues = new Map<string, LoginQueue>()
}

/** Who signs in, and where from. */
interface Login {
  readonly user: UserRow
  readonly address: string
}

/**
 * Runs a login. Of one account, only as many passwords are checked at once as attempts are left; other logins wait. Each
 * `loginFailed` counts; the write of a login that succeeds clears the count. Throws `loginLocked`, with the time of its end, while
 * the account is locked.
 */
export async function counted<T>(counting: Counting, who: Login, login: () => Promise<T>): Promise<T> {
  const account = accountOf(counting, who)
  const { queues } = counting.logins
  const queue = queues.get(account.key) ?? { size: 0, active: 0, waiting: [] }
  queues.set(account.key, queue)
  queue.size++
  try {
    while (queue.active >= attemptsLeft(counting, account)) await settled(queue.waiting)
    return await inTurn(queue, () => failuresCounted(counting, account, login))
  } finally {
    queue.size--
    if (queue.size === 0) queues.delete(account.key)
  }
}

/** Refuses a login that succeeds although failures that another service counted meanwhile locked the account. Call it inside the write. */
export const checkUnlocked = (counting: Counting, login: Login): void =>
  checkLock(accountOf(counting, login).failures(), seconds(counting.clock()))

/** Clears the count of a login that succeeds. Call it inside the write; to start a session clears that of a user from anywhere. */
export const forgetFailures = ({ store }: Pick<Counting, 'store'>, { user, address }: Login): void =>
  store.loginFailures.remove({ user_id: user.id, place: placeOf(address) })

const accountOf = (counting: Counting, { user, address }: Login): Account =>
  user.seeded === 1 ? fromPlace(counting, user, address) : fromAnywhere(counting, user)

/** What failures are counted for. */
interface Account {
  readonly key: string
  readonly failures: () => Failures
  readonly change: (change: (failures: Failures) => Failures) => Promise<void>
}

const none: Failures = { attempts: 0, locked_until: 0 }

/** A user, whoever tries to sign in as them. */
const fromAnywhere = ({ store }: Counting, { id }: UserRow): Account => ({
  key: id,
  failures: () => store.users.byId(id) ?? none,
  change: (change) =>
    store.write(() => {
      const user = store.users.byId(id)
      if (user) store.users.updateAttempts({ id, ...change(user) })
    }),
})

/** A seeded publisher, from one machine: others must not be able to lock them out. */
function fromPlace({ store }: Counting, { id }: UserRow, address: string): Account {
  const key = { user_id: id, place: placeOf(address) }
  const failures = () => store.loginFailures.find(key) ?? none
  return {
    key: `${id} ${key.place}`,
    failures,
    change: (change) =>
      store.write(() => {
        if (store.users.byId(id)) store.loginFailures.put({ ...key, ...change(failures()) })
      }),
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

async function failuresCounted<T>(counting: Counting, account: Account, login: () => Promise<T>): Promise<T> {
  try {
    return await login()
  } catch (error) {
    const now = seconds(counting.clock())
    // Another service on the database may have counted so many meanwhile that this one is refused for that.
    if (error instanceof ApiError && error.kind === 'loginFailed') await account.change((before) => failed(before, now))
    throw error
  }
}

/** How many attempts an account has left: at least one, else it throws `loginLocked`. */
function attemptsLeft({ clock }: Counting, account: Account): number {
  const failures = account.failures()
  checkLock(failures, seconds(clock()))
  return failures.locked_until === 0 ? Math.max(limits.loginAttempts - failures.attempts, 1) : limits.loginAttempts
}

function checkLock({ locked_until }: Failures, now: number): void {
  if (!isLocked(locked_until, now)) return
  const end = timestamp(new Date(locked_until * 1000))
  throw new ApiError('loginLocked', `too many failed logins; try again at ${end}`)
}

/** The count after another failure. Throws `loginLocked` while the account is locked. */
function failed(before: Failures, now: number): Failures {
  checkLock(before, now)
  const attempts = before.locked_until > 0 ? 1 : before.attempts + 1
  return { attempts, locked_until: attempts >= limits.loginAttempts ? now + limits.loginLockSeconds : 0 }
}

/** Whether a lock lasts: one that ends later than it can was made by a clock that was ahead. */
const isLocked = (until: number, now: number): boolean => until > now && until <= now + limits.loginLockSeconds
