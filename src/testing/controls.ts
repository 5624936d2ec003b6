import { checkMembers } from '../contract/schema/members.ts'
import { nameList } from '../contract/schema/suggest.ts'
import { plural } from '../contract/schema/wording.ts'
import type { TestControls } from '../server/test-controls.ts'
import { clockTimes, isClockTime } from '../server/testing/movable-clock.ts'
import type {
  Duration,
  EventFilter,
  Journal,
  JournalFilter,
  Outbox,
  ServiceUser,
  TestClock,
  WaitOptions,
} from './service-types.ts'
import { waitFor } from './wait-for.ts'

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
export function journalOf({ journal, era }: Pick<TestControls, 'journal' | 'era'>): Journal {
  const counted = (where: string, filter?: JournalFilter) => journal.newest(queryOf(where, filter)).length
  const find = (where: string, filter?: JournalFilter) =>
    journal
      .newest({ ...queryOf(where, filter), bodies: 'true' })
      .map(
        ({ seq: _, request_id: __, milliseconds: ___, dry_run: ____, removed: _____, sent, answered, ...entry }) => ({
          ...entry,
          ...(sent && { sent: sent.text }),
          ...(answered && { answered: answered.text }),
        }),
      )
  const differing = (filter: JournalFilter, wanted: number, found: number) =>
    `${plural(found, 'request')} instead of ${wanted} with ${JSON.stringify(queryOf('journal', filter))}. ${listed(journal)}`
  return {
    find: (filter) => find('journal.find', filter),
    count: (filter) => counted('journal.count', filter),
    verify: (filter, wanted) => {
      const found = counted('journal.verify', filter)
      if (found !== wanted) throw new Error(`the journal has ${differing(filter, wanted, found)}`)
    },
    waitFor: async (filter = {}, options = {}) => {
      checkMembers('journal.waitFor', options, ['count', 'timeout'])
      const { count = 1, timeout } = options
      const found = () => counted('journal.waitFor', filter)
      return await waitFor({
        look: () => (found() >= count ? find('journal.waitFor', filter) : undefined),
        watch: (changed) => journal.listen(changed),
        timeout,
        era: era(),
        missing: () => `the journal has ${differing(filter, count, found())}`,
      })
    },
    clear: () => journal.clear(),
  }
}

/** The newest requests that a message lists. */
const listedMost = 20

function listed(journal: TestControls['journal']): string {
  const entries = journal.newest()
  if (entries.length === 0) return 'It is empty.'
  const lines = entries
    .slice(-listedMost)
    .map(({ method, path, status, operation, user }) =>
      [method, path, status ?? 'dropped', operation, user && `by ${user}`].filter(Boolean).join(' '),
    )
  const which = entries.length > listedMost ? `its newest ${listedMost} of ${entries.length}` : 'all'
  return `It has (${which}):\n  ${lines.join('\n  ')}`
}

/** The events as tests look for them. */
export function eventsOf({ events, watch, era }: Pick<TestControls, 'events' | 'watch' | 'era'>) {
  const find = (where: string, filter: EventFilter = {}) => {
    checkMembers(where, filter, ['type', 'user'] satisfies (keyof EventFilter)[])
    const { type, user } = filter
    return events().filter(
      (event) => (type === undefined || event.type === type) && (user === undefined || event.user === idOf(user)),
    )
  }
  return {
    events: (filter?: EventFilter) => find('events', filter),
    waitForEvent: async (filter: EventFilter = {}, options: WaitOptions = {}) => {
      checkMembers('waitForEvent', options, ['timeout'])
      const types = () => [...new Set(events().map(({ type }) => type))]
      return await waitFor({
        look: () => find('waitForEvent', filter)[0],
        watch,
        timeout: options.timeout,
        era: era(),
        missing: () => `there was no such event; those that there were: ${nameList(types())}`,
      })
    },
  }
}

/** The messages as tests look for them. */
export function outboxOf(controls: Pick<TestControls, 'messages'>): Outbox {
  const messages = (to?: string) =>
    controls
      .messages()
      .filter(({ recipient }) => to === undefined || recipient === to)
      .map(({ recipient, token_type, kind, code }) => ({ to: recipient, tokenType: token_type, kind, code }))
  return { messages, codeFor: (to) => messages(to).at(-1)?.code }
}
