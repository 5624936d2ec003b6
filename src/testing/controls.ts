import { checkMembers } from '../contract/schema/members.ts'
import { at } from '../contract/schema/path.ts'
import { nameList } from '../contract/schema/suggest.ts'
import { plural } from '../contract/schema/wording.ts'
import type { TestControls } from '../server/test-controls.ts'
import type { JournalQuery } from '../server/testing/journal.ts'
import { clockTimes, isClockTime } from '../server/testing/movable-clock.ts'
import { noUser } from '../server/testing/named-user.ts'
import { checkOptions, known } from './options.ts'
import type { Duration, EventFilter, Journal, JournalFilter, Outbox, TestClock, WaitOptions } from './service-types.ts'
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

/** What a user is given by: their id, or what they sign in with. Throws a TypeError for what is no user. */
export function nameOf(where: string, user: unknown): string {
  const name = typeof user === 'string' ? user : at(user, 'id')
  if (typeof name === 'string') return name
  throw new TypeError(`${where} takes a user as createUser answers one, or an id`)
}

/** A filter whose user is given by the id. Throws a TypeError for a value that nothing can have. */
function checkedFilter<F extends JournalFilter | EventFilter>(
  where: string,
  filter: F,
  schema: (typeof known)['requests' | 'events'],
  { idOfUser }: Pick<TestControls, 'idOfUser'>,
): Omit<F, 'user'> & { readonly user?: string } {
  const { user, ...wanted } = filter
  const name = user === undefined ? undefined : nameOf(where, user)
  checkOptions(where, schema, { ...wanted, ...(name !== undefined && { user: name }) })
  if (name === undefined) return wanted
  const id = idOfUser(name)
  if (id === undefined) throw new TypeError(`${where}: user: ${noUser(name)}`)
  return { ...wanted, user: id }
}

/** The requests as tests look for them. */
export function journalOf(controls: Pick<TestControls, 'journal' | 'era' | 'idOfUser'>): Journal {
  const { journal, era } = controls
  const queryOf = (where: string, filter: JournalFilter = {}): JournalQuery =>
    checkedFilter(`journal.${where}`, filter, known.requests, controls)
  const counted = (query: JournalQuery) => journal.newest(query).length
  const found = (query: JournalQuery) =>
    journal
      .newest({ ...query, bodies: 'true' })
      .map(
        ({ seq: _, request_id: __, milliseconds: ___, dry_run: ____, removed: _____, sent, answered, ...entry }) => ({
          ...entry,
          ...(sent && { sent: sent.text }),
          ...(answered && { answered: answered.text }),
        }),
      )
  const differing = (query: JournalQuery, wanted: number) =>
    `the journal has ${plural(counted(query), 'request')} instead of ${wanted} with ${JSON.stringify(query)}. ${listed(journal)}`
  return {
    find: (filter) => found(queryOf('find', filter)),
    count: (filter) => counted(queryOf('count', filter)),
    verify: (filter, wanted) => {
      const query = queryOf('verify', filter)
      if (counted(query) !== wanted) throw new Error(differing(query, wanted))
    },
    waitFor: async (filter, options = {}) => {
      const query = queryOf('waitFor', filter)
      checkOptions('journal.waitFor', known.waitForRequests, options)
      const { count = 1, timeout } = options
      return await waitFor({
        look: () => (counted(query) >= count ? found(query) : undefined),
        watch: (changed) => journal.listen(changed),
        timeout,
        era: era(),
        missing: () => differing(query, count),
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
export function eventsOf(controls: Pick<TestControls, 'events' | 'watch' | 'era' | 'idOfUser'>) {
  const { events, watch, era } = controls
  const find = (where: string, filter: EventFilter = {}) => {
    const { type, user } = checkedFilter(where, filter, known.events, controls)
    return () =>
      events().filter(
        (event) => (type === undefined || event.type === type) && (user === undefined || event.user === user),
      )
  }
  return {
    events: (filter?: EventFilter) => find('events', filter)(),
    waitForEvent: async (filter?: EventFilter, options: WaitOptions = {}) => {
      const found = find('waitForEvent', filter)
      checkOptions('waitForEvent', known.wait, options)
      const types = () => [...new Set(events().map(({ type }) => type))]
      return await waitFor({
        look: () => found()[0],
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
