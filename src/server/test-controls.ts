import type { TestSession, TestUser } from '../contract/api/test-users.ts'
import { sectionOf } from '../contract/vatom/complete.ts'
import { type Started, startSession } from './auth/sessions.ts'
import { arrivalPayloads } from './domain/events.ts'
import { knownUser } from './domain/users/user.ts'
import type { Environment } from './environment.ts'
import { presentOf } from './request/present.ts'
import { type MemorySnapshot, memorySnapshot } from './snapshots/memory-snapshot.ts'
import type { OutboxRow } from './store/codes.ts'
import type { Testing } from './testing/local-request.ts'
import { idOfUser } from './testing/named-user.ts'
import { makeUser } from './testing/test-users.ts'

/** An event as the users whom it concerns receive it; `user` is empty for one that everybody receives. */
interface SentEvent {
  readonly type: string
  readonly user: string
  readonly payload: Readonly<Record<string, unknown>>
}

/** What a test does with a service of its own process, beside calling the API. */
export interface TestControls extends Testing {
  /** Makes a user, who is signed in. Throws as the API does. */
  makeUser(user: TestUser): Promise<TestSession>
  /** The id of a user who is named by it, or by what they sign in with; undefined where it is neither. */
  idOfUser(name: string): string | undefined
  /** A new session of a user. Throws `notFound`. */
  signIn(user: string): Promise<Started>
  /** The messages that users were sent, oldest first. */
  messages(): readonly OutboxRow[]
  /** The events since the start, oldest first: as many as the service stores. */
  events(): readonly SentEvent[]
  /** Resolves once the actions that nobody waits for have ended. */
  settled(): Promise<void>
  /** Has `returnToStart` return to the current state. */
  rememberStart(): Promise<void>
  /** Returns to the remembered state, and ends what a test set. */
  returnToStart(): Promise<void>
  /** Copies the current state; what is under way when it is restored is ended. */
  snapshot(): Promise<MemorySnapshot>
  /** Aborted once all data is replaced. */
  era(): AbortSignal
  /** Calls a function after changes; the returned one ends that. */
  watch(changed: () => void): () => void
}

/** More events than a service stores. */
const all = Number.MAX_SAFE_INTEGER

export function testControlsOf(environment: Environment): TestControls {
  const { store, testing, start } = environment
  let begin = store.events.last()
  return {
    ...testing,
    makeUser: (user) => makeUser(presentOf(environment), { body: JSON.stringify(user), baseUrl: '' }),
    idOfUser: (name) => idOfUser(store, name),
    signIn: (id) => presentOf(environment).store.write(() => startSession(environment, knownUser({ store }, id))),
    // A list of SQLite is of the main realm, which is not that of every test.
    messages: () => [...store.outbox.after(0)],
    events: () =>
      [...store.events.after(begin, all)].flatMap(({ msg_type, user_id: user, payload }) => {
        if (msg_type === 'replaced') return []
        return msg_type === 'arrivals'
          ? arrivalPayloads(payload).map((text) => ({ type: 'inventory', user, payload: sectionOf(JSON.parse(text)) }))
          : [{ type: msg_type, user, payload: sectionOf(JSON.parse(payload)) }]
      }),
    settled: () => environment.actions.later.idle(),
    rememberStart: async () => {
      await start.remember(environment)
      begin = store.events.last()
    },
    returnToStart: async () => {
      await returnToStart(environment)
      begin = store.events.last()
    },
    snapshot: async () => {
      const copy = await memorySnapshot(environment)
      return {
        ...copy,
        restore: async () => {
          await endRequests(environment)
          await copy.restore()
        },
      }
    },
    era: store.era,
    watch: store.watch,
  }
}

/** Returns a temporary service to its state at the start, and ends what a test set. */
export async function returnToStart(environment: Environment): Promise<void> {
  const { start, callLimit, testing } = environment
  await endRequests(environment)
  await start.restore(environment)
  callLimit.clear()
  testing.clock.reset()
  testing.scenario.restart()
  testing.journal.restart()
}

/** Ends what is under way: what it writes from now on is refused. */
async function endRequests({ store, actions }: Environment): Promise<void> {
  store.endEra()
  await actions.later.idle()
}
