import * as z from 'zod/v4'
import { isDomainName } from '../schema/domain-name.ts'
import { lazy, listOf, named, type Schema } from '../schema/lazy-schema.ts'
import { anyObject } from '../schema/scalars.ts'
import { DryRunAnswers, DryRunList } from './dry-run.ts'
import { Confirmation } from './envelope.ts'
import { paging } from './paging.ts'
import { operationName, pathPattern, requestMethod, Scenario } from './scenario.ts'
import { Contents, ExpectedVersion, HeldData, LoadedData, LoadedSnapshot, Snapshot } from './snapshot.ts'
import { MonitorCommand } from './socket.ts'
import { Rights, TestSession, TestUser } from './test-users.ts'
import { User } from './user.ts'

/** A route of a local service beyond the API, below `/__vatom/`; it needs neither App-Id nor token. */
export interface LocalRow {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  /**
   * `own-machine` for the data of publishers and users, and for what shows or changes how the service works;
   * `own-machine-or-token` for what the token of metrics gives other machines.
   */
  readonly from: 'anywhere' | 'own-machine' | 'own-machine-or-token'
  readonly summary: string
  readonly query?: Schema
  readonly body?: Schema
  readonly payload: Schema
  /** Whether it answers its payload as text, not as JSON. */
  readonly isText?: true
}

/** Query of the ledger. */
export const LedgerQuery = lazy(() =>
  z.strictObject({
    publisher: z
      .string()
      .refine(isDomainName, { error: 'must be a domain name in lower case' })
      .optional()
      .describe('Only what this publisher is charged for.'),
    ...paging(),
  }),
)

/** Which users are listed or counted. */
const sought = lazy(() => ({
  search: z
    .string()
    .max(200, { error: 'must have at most 200 characters' })
    .optional()
    .describe('Words in any case; each is in an address, the name, the id or the publisher of a user.'),
}))

/** Query for a page of users. */
export const UsersQuery = lazy(() => z.strictObject({ ...sought(), ...paging() }))

/** Query that counts users. */
export const UsersCountQuery = lazy(() => z.strictObject(sought()))

const newest = lazy(() => paging().limit.describe('How many of the newest; 1000 when omitted.'))

/** Query for the newest messages to users. */
export const OutboxQuery = lazy(() =>
  z.strictObject({
    limit: newest(),
    to: z.string().optional().describe('The address or number that they were sent to.'),
  }),
)

/** What requests are looked for by. */
export const requestFilter = {
  operation: operationName,
  method: requestMethod,
  path: pathPattern,
  user: lazy(() => z.string().describe('Who sent them: the id of a user, or what they sign in with.')),
} as const

const wrongStatus = { error: 'must be a status such as 403' }

/** The status of an answer. */
export const statusNumber = lazy(() => z.int(wrongStatus).min(100, wrongStatus).max(999, wrongStatus))

/** Query for requests; each part that is left out is any. */
export const JournalListQuery = lazy(() =>
  z.strictObject({
    limit: newest(),
    operation: requestFilter.operation().optional(),
    method: requestFilter.method().optional(),
    path: requestFilter.path().optional(),
    user: requestFilter.user().optional(),
    status: z
      .string()
      .regex(/^[1-9]\d{2}$/, wrongStatus)
      .optional(),
    bodies: z
      .enum(['true'])
      .optional()
      .describe('Also what was sent and answered, without secrets, where the service has a console or is in memory.'),
  }),
)

/** Body that sets the clock. */
export const ClockSetting = lazy(() =>
  z
    .strictObject({
      now: z.iso.datetime({ error: 'must be an instant such as 2027-03-01T12:00:00Z' }).optional(),
      advance_seconds: z.number().optional(),
      frozen: z.boolean().optional().describe('true: the time stands still. false: it runs on.'),
    })
    .refine(({ now, advance_seconds }) => now === undefined || advance_seconds === undefined, {
      error: 'must have either now or advance_seconds',
    })
    .refine((setting) => Object.keys(setting).length > 0, { error: 'must have now, advance_seconds or frozen' }),
)

const ClockState = named('ClockState', () =>
  z.looseObject({ now: z.string(), offset_seconds: z.number(), frozen: z.boolean() }),
)

/** Rules of a scenario, each with how often it can still be applied: null for always. */
const ScenarioState = named('ScenarioState', () =>
  z.array(z.looseObject({ match: anyObject(), remaining: z.int().nullable() })),
)

/** Lists of records with these fields and others. */
const recordsOf = (...fields: readonly string[]) =>
  listOf(() =>
    z.looseObject(Object.fromEntries(fields.map((name) => [name, numbers.includes(name) ? z.number() : z.string()]))),
  )
const numbers: readonly string[] = ['units', 'granted', 'charged', 'balance', 'seq', 'vatoms']

const Count = lazy(() => z.object({ count: z.int() }))

/** The routes of a local service beyond the API, by the name of what answers them. */
export const localRows = {
  getHealth: {
    method: 'GET',
    path: 'health',
    from: 'anywhere',
    summary: 'Answer while the service works',
    payload: lazy(() => z.looseObject({ status: z.literal('ok'), temporary: z.boolean().optional() })),
  },
  getReadiness: {
    method: 'GET',
    path: 'ready',
    from: 'anywhere',
    summary: 'Answer while the service can read its database',
    payload: lazy(() => z.looseObject({ status: z.literal('ready') })),
  },
  getMetrics: {
    method: 'GET',
    path: 'metrics',
    from: 'own-machine-or-token',
    summary: 'Get counts, durations and sizes in the text format of Prometheus',
    payload: lazy(() => z.string()),
    isText: true,
  },
  listAssumptions: {
    method: 'GET',
    path: 'assumptions',
    from: 'anywhere',
    summary: 'List what the service does where the specification is silent',
    payload: recordsOf('operation', 'method', 'path', 'assumption', 'strict_spec'),
  },
  predictList: {
    method: 'POST',
    path: 'dry-run',
    from: 'anywhere',
    summary: 'Predict the answers to a list of requests, each with the headers of this one',
    body: DryRunList,
    payload: DryRunAnswers,
  },
  listLedger: {
    method: 'GET',
    path: 'ledger',
    from: 'own-machine',
    summary: 'List what was written to chains, oldest first',
    query: LedgerQuery,
    payload: recordsOf('publisher_fqdn', 'network', 'symbol', 'entry', 'units'),
  },
  listBalances: {
    method: 'GET',
    path: 'balance',
    from: 'own-machine',
    summary: 'List the units that are left to each publisher',
    payload: recordsOf('publisher_fqdn', 'granted', 'charged', 'balance'),
  },
  listBalancesOverTime: {
    method: 'GET',
    path: 'balance/history',
    from: 'own-machine',
    summary: 'List how many writes to chains each publisher has, and up to 200 points of its balance, oldest first',
    payload: listOf(() =>
      z.looseObject({
        publisher_fqdn: z.string(),
        granted: z.number(),
        writes: z.int(),
        points: z.array(z.looseObject({ when: z.string(), balance: z.number() })),
      }),
    ),
  },
  listOutbox: {
    method: 'GET',
    path: 'outbox',
    from: 'own-machine',
    summary: 'List codes and one-time pins that would be sent to users, oldest first',
    query: OutboxQuery,
    payload: recordsOf('to', 'token_type', 'kind', 'code', 'when'),
  },
  setRights: {
    method: 'PATCH',
    path: 'users/:id',
    from: 'own-machine',
    summary: 'Change what a user may do',
    body: Rights,
    payload: User,
  },
  listUsers: {
    method: 'GET',
    path: 'users',
    from: 'own-machine',
    summary: 'List users, those of publishers first, then the newest',
    query: UsersQuery,
    payload: recordsOf('id', 'token', 'token_type', 'name', 'pub_fqdn', 'vatoms'),
  },
  countUsers: {
    method: 'GET',
    path: 'users/count',
    from: 'own-machine',
    summary: 'Count users',
    query: UsersCountQuery,
    payload: Count,
  },
  countEmissions: {
    method: 'GET',
    path: 'emissions/:id',
    from: 'own-machine',
    summary:
      'Count the vAtoms of each variation of a template: emitted and redeemed, owned by a user, and left: neither trashed nor redeemed; and by day those that were emitted, redeemed, and trashed without that',
    payload: listOf(() =>
      z.looseObject({
        template_variation: z.string(),
        emitted: z.int(),
        redeemed: z.int(),
        owned: z.int(),
        left: z.int(),
        days: z.array(z.looseObject({ day: z.string(), count: z.int(), redeemed: z.int(), trashed: z.int() })),
      }),
    ),
  },
  listSockets: {
    method: 'GET',
    path: 'sockets',
    from: 'own-machine',
    summary: 'List open WebSockets: whose they are, and the part of the map that each asked for',
    payload: listOf(() =>
      z.looseObject({
        user: z.string().describe('The id of the user.'),
        region: MonitorCommand().shape.payload.nullable().describe('Null for one that asked for none.'),
      }),
    ),
  },
  makeUser: {
    method: 'POST',
    path: 'users',
    from: 'own-machine',
    summary: 'Make a user, who is signed in',
    body: TestUser,
    payload: TestSession,
  },
  listJournal: {
    method: 'GET',
    path: 'journal',
    from: 'own-machine',
    summary: 'List the latest requests, oldest first',
    query: JournalListQuery,
    payload: recordsOf('seq', 'when', 'method', 'path', 'request_id'),
  },
  countJournal: {
    method: 'GET',
    path: 'journal/count',
    from: 'own-machine',
    summary: 'Count the latest requests',
    query: JournalListQuery,
    payload: Count,
  },
  clearJournal: {
    method: 'DELETE',
    path: 'journal',
    from: 'own-machine',
    summary: 'Empty the journal',
    payload: Confirmation,
  },
  getClock: { method: 'GET', path: 'clock', from: 'own-machine', summary: 'Get the time', payload: ClockState },
  setClock: {
    method: 'PUT',
    path: 'clock',
    from: 'own-machine',
    summary: 'Set the time, which runs on from there or stands still',
    body: ClockSetting,
    payload: ClockState,
  },
  resetClock: {
    method: 'DELETE',
    path: 'clock',
    from: 'own-machine',
    summary: 'Return to the real time',
    payload: ClockState,
  },
  getScenario: {
    method: 'GET',
    path: 'scenario',
    from: 'own-machine',
    summary: 'List the delays and failures that requests get',
    payload: ScenarioState,
  },
  setScenario: {
    method: 'PUT',
    path: 'scenario',
    from: 'own-machine',
    summary: 'Replace the delays and failures that requests get',
    body: Scenario,
    payload: ScenarioState,
  },
  clearScenario: {
    method: 'DELETE',
    path: 'scenario',
    from: 'own-machine',
    summary: 'End the delays and failures',
    payload: ScenarioState,
  },
  loadData: {
    method: 'PUT',
    path: 'data',
    from: 'own-machine',
    summary: 'Replace all data of a temporary service by a snapshot',
    query: ExpectedVersion,
    body: LoadedSnapshot,
    payload: LoadedData,
  },
  getContents: {
    method: 'GET',
    path: 'data',
    from: 'own-machine',
    summary: 'Count the data of a temporary service',
    payload: HeldData,
  },
  resetData: {
    method: 'DELETE',
    path: 'data',
    from: 'own-machine',
    summary: 'Delete all data of a temporary service but its publishers',
    query: ExpectedVersion,
    payload: lazy(() => Confirmation().extend({ removed: Contents() })),
  },
  resetService: {
    method: 'POST',
    path: 'reset',
    from: 'own-machine',
    summary: 'Return a temporary service to its state at the start; clock, scenario and journal begin anew',
    payload: Contents,
  },
  listSnapshots: {
    method: 'GET',
    path: 'snapshots',
    from: 'own-machine',
    summary: 'List the snapshots of a temporary service',
    payload: listOf(Snapshot),
  },
  getSnapshot: {
    method: 'GET',
    path: 'snapshots/:id',
    from: 'own-machine',
    summary: 'Get a snapshot of a temporary service',
    payload: Snapshot,
  },
  saveSnapshot: {
    method: 'PUT',
    path: 'snapshots/:id',
    from: 'own-machine',
    summary: 'Save a snapshot of a temporary service',
    query: lazy(() => z.object({ replace: z.enum(['true']).optional().describe('Replace one of the same name.') })),
    payload: Snapshot,
  },
  removeSnapshot: {
    method: 'DELETE',
    path: 'snapshots/:id',
    from: 'own-machine',
    summary: 'Delete a snapshot of a temporary service',
    payload: Snapshot,
  },
} as const satisfies Readonly<Record<string, LocalRow>>

export type LocalOperation = keyof typeof localRows
/** Every route with its name. */
export const localRoutes = Object.entries(localRows) as [LocalOperation, LocalRow][]

/** Where the path of a route begins. */
export const localPrefix = '/__vatom/'
