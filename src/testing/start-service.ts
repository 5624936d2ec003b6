import { type Client, createClient } from '../client/client.ts'
import { ServiceError } from '../client/errors.ts'
import { mintingSession } from '../client/session.ts'
import { ApiError } from '../contract/api/errors.ts'
import { Scenario } from '../contract/api/scenario.ts'
import type { TestUser } from '../contract/api/test-users.ts'
import { defaults } from '../contract/defaults.ts'
import { parseJson } from '../contract/unknown-values.ts'
import { sectionOf } from '../contract/vatom/complete.ts'
import { expandPublisher } from '../documents/load/names.ts'
import '../server/http/listen.ts'
import '../server/http/local-routes.ts'
import '../server/operations/index.ts'
import '../server/request/inject.ts'
import { openService, type Service } from '../server/service.ts'
import { loadSqlite } from '../server/store/database/sqlite.ts'
import '../server/test-controls.ts'
import type { TestControls } from '../server/test-controls.ts'
import { createCatalog } from './catalog.ts'
import { clockOf, eventsOf, journalOf, nameOf, outboxOf, timeOf } from './controls.ts'
import { checkOptions, known, problemsIn } from './options.ts'
import type { Publisher, ServiceSnapshot, ServiceUser, StartOptions, TestService } from './service-types.ts'
import { whileOpen } from './while-open.ts'

// With the rest of the code, so that the first start is short; what fails here fails again there, and is reported.
loadSqlite().catch(() => {})

/** The seed where none is given: two runs of a test see the same ids. */
const defaultSeed = 'vatom'

/**
 * Starts a service in this process, with its data in memory, that listens on this machine. Throws a CatalogError for
 * documents that are not valid, ServiceFailure for a port or a publisher that cannot be used, and ServiceError for users
 * who are refused.
 */
export async function startService(options: StartOptions = {}): Promise<TestService> {
  checkOptions('startService', known.startService, options)
  const { publisher = defaults.publisher, port = 0, now, scenario, callsPerMinute = 0, log } = options
  const { compat, strictSpec, handlerHosts, seed = defaultSeed } = options
  const service = await openService({
    db: ':memory:',
    seed: String(seed),
    publishers: [publisher],
    callsPerMinute,
    ...(compat && { compat }),
    ...(strictSpec && { strictSpec }),
    ...(handlerHosts && { handlerHosts }),
    ...(scenario && { scenario: rulesOf(scenario) }),
    ...(log && { log }),
  })
  try {
    const controls = await service.testControls()
    if (now !== undefined) controls.clock.set(timeOf(now))
    return await prepared(service, controls, { ...options, port })
  } catch (error) {
    await service.close()
    throw error
  }
}

/** The rules of a scenario. Throws a TypeError that names what is wrong with them. */
function rulesOf(rules: unknown): Scenario {
  const wrong = problemsIn(Scenario(), rules).map(({ path, message }) => `rule ${path}: ${message}`)
  if (wrong.length > 0) throw new TypeError(`The scenario is not valid: ${wrong.join('. ')}`)
  return Scenario().parse(rules)
}

async function prepared(
  service: Service,
  controls: TestControls,
  { catalog = [], users: wanted = [], now, port }: StartOptions & { readonly port: number },
): Promise<TestService> {
  const ending = new AbortController()
  const open = whileOpen(ending.signal)
  const people = peopleOf(service, controls, open)
  const publisher = await people.publisher()
  const { client } = publisher
  const paths = typeof catalog === 'string' ? [catalog] : catalog
  if (paths.length > 0) await createCatalog(client, paths, publisher.fqdn)
  const users: ServiceUser[] = []
  for (const fields of wanted) users.push(await people.create(fields))
  const { baseUrl, wsUrl } = await service.listen({ host: defaults.host, port })
  await controls.rememberStart()
  controls.journal.clear()
  const copies = copiesOf(controls)

  const waited = { ...controls, era: () => AbortSignal.any([controls.era(), ending.signal]) }
  const { waitFor, ...requests } = journalOf(waited)
  const { events, waitForEvent } = eventsOf(waited)
  const close = () => {
    ending.abort()
    copies.clear()
    return service.close()
  }
  return {
    baseUrl,
    wsUrl,
    appId: service.appId,
    publisher,
    client,
    users,
    clock: open.now(clockOf(controls.clock)),
    journal: { ...open.now(requests), ...open.later({ waitFor }) },
    outbox: open.now(outboxOf(controls)),
    scenario: open.now({
      set: (rules: Scenario) => controls.scenario.set(rulesOf(rules)),
      rules: () => controls.scenario.rules(),
      clear: () => controls.scenario.set([]),
    }),
    ...open.now({ events }),
    ...open.later({
      waitForEvent,
      ...actionsOf(publisher, controls),
      createUser: (fields: TestUser = {}) => people.create(fields),
      settled: () => controls.settled(),
      snapshot: () => copies.make(),
      restore: copies.restore,
      reset: async () => {
        copies.clear()
        await controls.returnToStart()
        if (now !== undefined) controls.clock.set(timeOf(now))
      },
    }),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** What a test has the service do as its publisher, or as a user. */
function actionsOf(
  publisher: Publisher,
  controls: Pick<TestControls, 'era' | 'settled'>,
): Pick<TestService, 'emit' | 'act'> {
  const { client, fqdn } = publisher
  return {
    emit: async (variation, options = {}) => {
      checkOptions('emit', known.emit, options)
      const { num = 1, to } = options
      const owner = to === undefined ? undefined : nameOf('emit', to)
      const era = controls.era()
      const given = expandPublisher(variation, fqdn)
      const name = given.startsWith(`${fqdn}::`) ? given : `${fqdn}::${given}`
      const { ids } = await client.emit({ body: { template_variation: name, num } })
      if (owner !== undefined) await give(client, ids, owner, era)
      await controls.settled()
      return ids
    },
    act: async (action, vatom, options = {}) => {
      checkOptions('act', known.act, options)
      const { as = publisher, input = {} } = options
      const { main } = await as.client.performAction({ action, body: { ...input, 'this.id': vatom } })
      await controls.settled()
      return sectionOf(parseJson(main.output))
    },
  }
}

/** Gives vAtoms to a user. After a reset, those of the same ids may be of another test: it throws. */
async function give(client: Client, ids: readonly string[], user: string, era: AbortSignal): Promise<void> {
  for (const id of ids) {
    if (era.aborted) throw new Error('the service was reset before all vAtoms that were emitted had their owner')
    await client.performAction({ action: 'Transfer', body: { 'this.id': id, 'new.owner.id': user } })
  }
}

/** The outcome of what the service does for a test; what it refuses is the error that a client throws, too. */
const answered = <T>(outcome: Promise<T>): Promise<T> =>
  outcome.catch((error: unknown) => {
    throw error instanceof ApiError ? new ServiceError(error.message, error.status, error.kind, error.issues) : error
  })

/** Those who call a service, each with a client of this process. */
function peopleOf(service: Service, controls: TestControls, { later }: Pick<ReturnType<typeof whileOpen>, 'later'>) {
  const clientOf = (mint: () => Promise<string>) =>
    later(createClient({ appId: service.appId, send: service.inject, session: mintingSession(mint) }))
  return {
    create: async (fields: Parameters<TestControls['makeUser']>[0]): Promise<ServiceUser> => {
      const made = await answered(controls.makeUser(fields))
      const { id } = made.user
      return {
        id,
        token: made.token,
        tokenType: made.token_type,
        password: made.password,
        accessToken: made.access_token,
        refreshToken: made.refresh_token,
        client: clientOf(async () => (await answered(controls.signIn(id))).access_token),
      }
    },
    publisher: async (): Promise<Publisher> => {
      const { id, fqdn, email, password = '' } = service.publisher
      const { access_token, refresh_token } = await service.localSession()
      const client = clientOf(async () => service.localToken())
      const tokens = { accessToken: access_token, refreshToken: refresh_token }
      return { id, fqdn, token: email, tokenType: 'email', password, ...tokens, client }
    },
  }
}

/** The copies of a service's data that a test has made. */
function copiesOf(controls: TestControls) {
  const copies = new Map<ServiceSnapshot, Awaited<ReturnType<TestControls['snapshot']>>>()
  let made = 0
  return {
    make: async (): Promise<ServiceSnapshot> => {
      const snapshot = { id: ++made }
      copies.set(snapshot, await controls.snapshot())
      return snapshot
    },
    restore: async (snapshot: ServiceSnapshot): Promise<void> => {
      const copy = copies.get(snapshot)
      if (!copy)
        throw new Error(
          'this service has no such snapshot: reset and close remove all, and others are of other services',
        )
      await copy.restore()
    },
    clear: () => {
      for (const copy of copies.values()) copy.close()
      copies.clear()
    },
  }
}
