import { checkMembers } from '../contract/schema/members.ts'
import type { TestControls } from '../server/test-controls.ts'
import { clockTimes, isClockTime } from '../server/testing/movable-clock.ts'
import type { Duration, Journal, JournalFilter, Outbox, ServiceUser, TestClock } from './service-types.ts'

/** A time. Throws a RangeError for what is none. */
export function timeOf(given: Date | string): Date {
  const time = new Date(given)
  if (Number.isNaN(time.getTime())) throw new RangeError(`not a time: ${JSON.stringify(given)}`)
  return time
}

const inMilliseconds = { days: 86_400_000, hours: 3_600_000, minutes: 60_000, seconds: 1000, milliseconds: 1 } as const

function lengthOf(by: Duration): number {
  checkMembers('clock.advance', by, Object.keys(inMilliseconds))
  return Object.entries(inMilliseconds).reduce(
    (sum, [unit, length]) => sum + (by[unit as keyof Duration] ?? 0) * length,
    0,
  )
}

/** A time that the clock can show. Throws a RangeError. */
function shown(time: Date): Date {
  if (!isClockTime(time.getTime())) throw new RangeError(`the clock must show ${clockTimes}`)
  return time
}

/** The service's time as tests set it. */
export const clockOf = (clock: TestControls['clock']): TestClock => ({
  now: () => clock.now(),
  set: (time) => clock.set(shown(timeOf(time))),
  advance: (by) => clock.set(shown(new Date(clock.now().getTime() + lengthOf(by)))),
  freeze: (at) => {
    const time = at === undefined ? clock.now() : shown(timeOf(at))
    clock.freeze()
    clock.set(time)
  },
  unfreeze: () => clock.unfreeze(),
})

/** The id of a user who is given by it, or as a whole. */
export const idOf = (user: string | ServiceUser): string => (typeof user === 'string' ? user : user.id)

const filterNames = Object.keys({
  operation: true,
  method: true,
  path: true,
  status: true,
  user: true,
} satisfies Record<keyof JournalFilter, true>)

function queryOf(where: string, filter: JournalFilter = {}) {
  checkMembers(where, filter, filterNames)
  const { user, ...wanted } = filter
  return { ...wanted, ...(user !== undefined && { user: idOf(user) }) }
}

/** The requests as tests look for them. */
export const journalOf = (journal: TestControls['journal']): Journal => ({
  find: (filter) =>
    journal
      .newest({ ...queryOf('journal.find', filter), bodies: 'true' })
      .map(
        ({ seq: _, request_id: __, milliseconds: ___, dry_run: ____, removed: _____, sent, answered, ...entry }) => ({
          ...entry,
          ...(sent && { sent: sent.text }),
          ...(answered && { answered: answered.text }),
        }),
      ),
  count: (filter) => journal.newest(queryOf('journal.count', filter)).length,
  clear: () => journal.clear(),
})

/** The messages as tests look for them. */
export function outboxOf(controls: Pick<TestControls, 'messages'>): Outbox {
  const messages = (to?: string) =>
    controls
      .messages()
      .filter(({ recipient }) => to === undefined || recipient === to)
      .map(({ recipient, token_type, kind, code }) => ({ to: recipient, tokenType: token_type, kind, code }))
  return { messages, codeFor: (to) => messages(to).at(-1)?.code }
}
