import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import type { Scenario } from '../contract/api/scenario.ts'
import type { Contents, HeldData } from '../contract/api/snapshot.ts'
import type { WireRequest, WireResponse } from '../contract/api/wire.ts'
import type { ConsoleCatalog } from '../contract/console.ts'
import { defaults } from '../contract/defaults.ts'
import { limits } from '../contract/limits.ts'
import { Later, tooManyActions } from './actions/background-actions.ts'
import { HostLookUps } from './actions/host-look-ups.ts'
import { RunLeases } from './actions/run-leases.ts'
import { AssetFolder } from './assets/asset-folder.ts'
import { Logins } from './auth/attempts.ts'
import { configuredSessionsOf } from './auth/configured-sessions.ts'
import { costs, type Passwords, passwordsOf } from './auth/passwords.ts'
import { newProcessSessions } from './auth/process-sessions.ts'
import type { Started } from './auth/sessions.ts'
import { tokensOf } from './auth/tokens.ts'
import { mostConnections } from './connection-limit.ts'
import type { Clock } from './domain/clock.ts'
import type { Tariff } from './domain/records/charges.ts'
import type { Environment } from './environment.ts'
import { HeldBodies } from './held-bodies.ts'
import type { Log } from './log.ts'
import { RequestCounts } from './monitoring/request-counts.ts'
import { CallLimit } from './request/call-limit.ts'
import { DryRuns } from './request/dry-runs.ts'
import { configuredPassword, type Publisher, seedPublishers } from './seed.ts'
import type { Snapshots } from './snapshots/snapshots.ts'
import { StartState } from './snapshots/start-state.ts'
import { copiesOf } from './store/database/backup.ts'
import { explained, isInMemory } from './store/database/open-database.ts'
import { randomOf, unpredictable } from './store/random.ts'
import type { OwnSetting } from './store/settings.ts'
import { openStore, type Store } from './store/store.ts'
import { Turns } from './store/turns.ts'
import type { TestControls } from './test-controls.ts'
import { ActiveScenario } from './testing/active-scenario.ts'
import { Journal } from './testing/journal.ts'
import { KeptBodies } from './testing/kept-bodies.ts'
import { MovableClock } from './testing/movable-clock.ts'

/** The addresses that begin with the same `prefix` bits. */
export interface Network {
  readonly address: string
  readonly prefix: number
  readonly family: 'ipv4' | 'ipv6'
}

/** How a service is opened. */
export interface ServiceOptions {
  /** File of the database, or `:memory:`. */
  readonly db: string
  /**
   * Domain names of the publishers, the first is the seeded one's; those that the database has, or `local.vatom` in a
   * new one.
   */
  readonly publishers?: readonly string[]
  readonly email?: string
  /** The application id that requests carry; `local`. */
  readonly appId?: string
  readonly password?: string
  /** `sdk` answers a missing or expired access token with the 401 that mobile clients need. */
  readonly compat?: 'spec' | 'sdk'
  /** Refuses operations that the specification does not name, and fields and values beyond those that it lists. */
  readonly strictSpec?: boolean
  /** Host names that the service accepts besides loopback and the one it listens on. */
  readonly allowHosts?: readonly string[]
  /** Networks whose machines may use `/__vatom/` like this one, by any host name. */
  readonly trustedNetworks?: readonly Network[]
  /** Networks of reverse proxies: whom they send a request on for is its caller, as `X-Forwarded-For` says. */
  readonly trustedProxies?: readonly Network[]
  /** Origins allowed to call from a browser besides loopback ones. */
  readonly corsOrigins?: readonly string[]
  /** Hosts beyond this machine at which action handlers are called. */
  readonly handlerHosts?: readonly string[]
  /** Calls a minute over HTTP that each operation with a limit accepts from one address; 120, and 0 for any number. */
  readonly callsPerMinute?: number
  /** Platform units that writes to a contract on mainnet cost: 100 for its creation, 10 for a field. */
  readonly tariff?: Partial<Tariff>
  /** Platform units that each publisher has in all; 1,000,000. */
  readonly balance?: number
  /** Mebibytes that the service may take; 256. Connections that leave too much unread are closed. */
  readonly maxMemory?: number
  /** The address of assets in answers within this process: where another process serves the same data. */
  readonly baseUrl?: string | undefined
  /** Where a `vatom serve` of this machine has the database open: one of an earlier version is not upgraded under it. */
  readonly servedAt?: string | undefined
  readonly clock?: Clock
  /** For tests: ids, codes and numbers left to chance are the same for the same text. */
  readonly seed?: string
  /** For a temporary service, whose data requests from this machine may replace: the folder of its snapshots. */
  readonly temporary?: string
  /** Whether the database is that of the `local` context, whose data commands copy and reset. */
  readonly isLocal?: boolean
  /** Failures and delays for requests over HTTP, for tests of clients. */
  readonly scenario?: Scenario
  /** scrypt's N for the passwords that users set: 131,072, and 16 for a service in memory, which stores none. */
  readonly scryptCost?: number
  /** The folder of what the build has made for browsers: with it, browsers that ask for `/` get the console. */
  readonly pages?: string
  /** The files that the console compares with the service. */
  readonly catalog?: ConsoleCatalog
  /** The token with which metrics can be read from other machines. */
  readonly metricsToken?: string
  /** Whether it sends traces, as the environment variables of OpenTelemetry say. */
  readonly traces?: boolean
  /** Reads, where it listens, what code it may need later: an update of the package removes the files. */
  readonly hold?: (() => Promise<void>) | undefined
  /** Takes one line a request or event; of secrets only the codes that users are sent. */
  readonly log?: Log
}

/** An open service. */
export interface Service {
  /** Answers a request of the API in this process, without a socket. */
  inject(request: WireRequest): Promise<WireResponse>
  /** A fresh access token of the seeded publisher; hashes nothing and writes nothing. */
  localToken(): string
  /**
   * A session of the seeded publisher, valid in every process on this database; hashes nothing. One in memory does not end
   * when a test moves the clock.
   */
  localSession(): Promise<Started>
  /** The database library: `node:sqlite, SQLite 3.51.3`. */
  engine(): string
  readonly appId: string
  readonly publisher: {
    readonly id: string
    readonly fqdn: string
    readonly email: string
    /** Only while it is the default. */
    readonly password?: string
  }
  /** Every publisher that it was started with. */
  readonly publishers: readonly Publisher[]
  /** The domain names of those that the database did not have before. */
  readonly addedPublishers: readonly string[]
  /** Those of the database for whom the configured password is not valid: they have changed or removed theirs. */
  readonly withOwnPassword: readonly string[]
  /** The snapshots in a folder: named copies of all data. */
  snapshots(folder: string): Promise<Snapshots>
  /** How much it holds, and the version of that. */
  contents(): HeldData
  /** The copies of its database that upgrades made. */
  upgradeCopies(): Promise<string[]>
  /**
   * Deletes all data, copies of upgrades included, but the publishers that the service was started with, who are as new;
   * answers how much. Their sessions stay valid. Throws `dataChanged` if the data is not of the expected version.
   */
  reset(expected?: string): Promise<Contents>
  /** What a test in this process does with it beside calling the API. */
  testControls(): Promise<TestControls>
  /** Serves over HTTP. Throws `port_taken`, `address_unusable` or `default_password_exposed`. */
  listen(options: { readonly host: string; readonly port: number }): Promise<Listening>
  /** Finishes open requests, over HTTP for a few seconds at most, then closes. */
  close(): Promise<void>
}

export interface Listening {
  readonly host: string
  readonly port: number
  readonly baseUrl: string
  readonly wsUrl: string
  /** Makes a link that signs a browser in to the console once; undefined where there is no console. */
  readonly consoleLink?: () => string
}

/**
 * Opens a service over a database. Throws `db_newer`, `db_unusable`, `db_busy`, `publisher_invalid`, `email_invalid` or
 * `email_taken`.
 */
export async function openService(options: ServiceOptions): Promise<Service> {
  const store = await openStore(options.db, randomFor(options), undefined, options.servedAt)
  try {
    return await serviceOf(await environmentOf(store, options), options)
  } catch (error) {
    await store.close()
    throw explained(error, options.db)
  }
}

/** A sequence of its own for each purpose, where there is a seed. */
const randomFor = ({ seed }: ServiceOptions, purpose = '') =>
  seed === undefined ? unpredictable : randomOf(seed + purpose)

async function environmentOf(store: Store, options: ServiceOptions): Promise<Environment> {
  const appId = options.appId ?? defaults.appId
  const movable = new MovableClock(options.clock ?? (() => new Date()))
  const clock = movable.now
  const memory = (options.maxMemory ?? defaults.memory) * 2 ** 20
  const cost = options.scryptCost ?? (isInMemory(options.db) ? costs.inMemory : costs.stored)
  const passwords = passwordsOf(cost, memory)
  const secret = await secretOf(store, 'token_secret')
  return {
    store,
    assets: new AssetFolder(store, options.db, await secretOf(store, 'assets_folder'), options.log),
    clock,
    passwords,
    logins: new Logins(),
    callLimit: new CallLimit(options.callsPerMinute ?? limits.callsPerMinute, clock),
    tokens: tokensOf(secret, appId, clock, randomFor(options, ' tokens')),
    appId,
    compat: options.compat ?? 'spec',
    strictSpec: options.strictSpec ?? false,
    seed: await seedPublishers(store, options, clock()),
    tariff: { contract: defaults.units.contract, field: defaults.units.field, ...options.tariff },
    granted: options.balance ?? defaults.units.balance,
    memory,
    connections: mostConnections(memory),
    actions: {
      handlerHosts: (options.handlerHosts ?? []).map((host) => host.toLowerCase()),
      lookUps: new HostLookUps(),
      later: new Later(),
      handled: new Turns({
        atOnce: limits.handledAtOnce,
        atOnceOfLine: (free) => [free, limits.handledOfUser],
        waiting: limits.handledWaiting,
        waitingOfLine: limits.handledWaitingOfUser,
        refusal: tooManyActions,
      }),
      leases: new RunLeases(store),
      call: async (...given) => (await import('./actions/handlers.ts')).callHandler(...given),
    },
    dryRuns: new DryRuns(),
    heldBodies: new HeldBodies(memory),
    heldLists: new HeldBodies(memory),
    temporary: options.temporary,
    start: new StartState(),
    processSessions: newProcessSessions(),
    configuredSessions: configuredSessionsOf(() => configuredKey(options, secret, passwords)),
    log: options.log,
    outdated: new Map(),
    monitoring: {
      traces: options.traces ? (await import('./monitoring/traces.ts')).startTraces(options.log) : undefined,
      requests: new RequestCounts(),
      open: { connections: 0, websockets: 0 },
    },
    testing: {
      clock: movable,
      journal: new Journal(options.pages !== undefined || isInMemory(options.db) ? new KeptBodies() : undefined),
      scenario: new ActiveScenario(options.scenario, randomFor(options, ' scenario')),
      sockets: new Set(),
    },
  }
}

/** Stored ids of sessions are made with it, so that finding the password takes as much time as with a stored hash. */
function configuredKey(
  options: Pick<ServiceOptions, 'password'>,
  secret: string,
  passwords: Passwords,
): Promise<Buffer> {
  const { password, isDefault } = configuredPassword(options)
  return (isDefault ? passwordsOf(costs.inMemory) : passwords).key(password, Buffer.from(secret))
}

/** Seconds for which a session lasts that a test cannot outlast: a hundred years. */
const lastingSeconds = 3_153_600_000

/** A random text, made once and stored in the database: the key of tokens, or what binds the folder of assets to it. */
async function secretOf(store: Store, key: OwnSetting): Promise<string> {
  const known = store.settings.read(key)
  if (known) return known
  return await store.write(() => {
    const found = store.settings.read(key)
    if (found) return found
    const secret = randomBytes(32).toString('base64')
    store.settings.write(key, secret)
    return secret
  })
}

async function serviceOf(environment: Environment, options: ServiceOptions): Promise<Service> {
  const { store, seed, tokens, processSessions } = environment
  const password = seed.shownPassword()
  const closers = new Set<() => Promise<void>>()
  const asked = new Set<Promise<WireResponse>>()
  let closed: Promise<void> | undefined
  const upgradeCopies = async () =>
    isInMemory(options.db) ? [] : await copiesOf(options.db, await secretOf(store, 'token_secret'))
  return {
    appId: environment.appId,
    publisher: {
      id: seed.user().id,
      fqdn: seed.fqdn,
      email: seed.email,
      ...(password !== undefined && { password }),
    },
    publishers: seed.publishers,
    addedPublishers: seed.added,
    withOwnPassword: seed.withOwnPassword(),
    engine: store.engine,
    localToken: () => tokens.sign('access', seed.user(), processSessions.own.idFor(seed.user().id)),
    localSession: async () => {
      const { startSession } = await import('./auth/sessions.ts')
      const lifetime = isInMemory(options.db) ? lastingSeconds : limits.refreshTokenSeconds
      return await store.write(() => startSession(environment, seed.user(), { lifetime }))
    },
    inject: async (request) => {
      const { inject, ownDoor } = await import('./request/inject.ts')
      const answered = inject(environment, request, ownDoor(options.baseUrl))
      asked.add(answered)
      return await answered.finally(() => asked.delete(answered))
    },
    snapshots: async (folder) => {
      const { snapshotsOf } = await import('./snapshots/snapshots.ts')
      return snapshotsOf(environment, options.db, folder)
    },
    contents: store.held,
    upgradeCopies,
    reset: async (expected) => {
      const { reset } = await import('./snapshots/reset.ts')
      try {
        const copies = await upgradeCopies()
        const deleted = await reset(environment, expected)
        for (const file of copies) rmSync(file, { force: true })
        return deleted
      } catch (error) {
        throw explained(error, options.db)
      }
    },
    testControls: async () => (await import('./test-controls.ts')).testControlsOf(environment),
    listen: async (address) => {
      const { listenOn } = await import('./http/listen.ts')
      // What cannot be read is reported when it is needed.
      const held = options.hold?.().catch(() => undefined)
      const listening = await listenOn(environment, options, address, closers)
      await held
      return listening
    },
    close: () => {
      closed ??= closeAll(environment, closers, asked)
      return closed
    },
  }
}

/** Finishes open requests, then closes the database. */
async function closeAll(
  { store, assets, actions, dryRuns, start, monitoring }: Environment,
  closers: ReadonlySet<() => Promise<void>>,
  asked: ReadonlySet<Promise<WireResponse>>,
): Promise<void> {
  store.refuseLong()
  await Promise.all([...[...closers].map((close) => close()), ...asked])
  await actions.later.end()
  await dryRuns.close()
  start.close()
  await monitoring.traces?.close()
  await assets.close()
  await actions.leases.close()
  await store.close()
}
