import { existsSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { dryRunDetails } from '../../contract/api/dry-run.ts'
import { dryRunHeader, dryRunSupported } from '../../contract/api/dry-run-header.ts'
import { requestDetails } from '../../contract/api/envelope.ts'
import { ApiError } from '../../contract/api/errors.ts'
import { type LocalOperation, type LocalRow, localPrefix, localRoutes } from '../../contract/api/local-routes.ts'
import { methods } from '../../contract/api/methods.ts'
import { notOffered } from '../../contract/api/not-offered.ts'
import { socketDetails, socketPath } from '../../contract/api/socket.ts'
import { operations } from '../../contract/api/table.ts'
import type { Environment } from '../environment.ts'
import { jsonHeaders, successAnswer } from '../request/answers.ts'
import { pathIn } from '../request/parse.ts'
import { PathTable } from '../request/path-table.ts'
import { presentOf } from '../request/present.ts'
import { isOwnRoute } from '../testing/journal.ts'
import type { LocalRequest } from '../testing/local-request.ts'
import { apiDocument } from './api-document.ts'
import { baseUrlOf, lifeOf, missing, send } from './app.ts'
import type { OriginCheck } from './cors.ts'
import { type MachineCheck, otherMachine, type TokenCheck } from './hosts.ts'
import type { DataRequest } from './temporary-data.ts'

type Control = keyof typeof import('../testing/controls.ts')
const control = (name: Control) => async (request: LocalRequest) =>
  (await import('../testing/controls.ts'))[name](request)

type Shown = keyof typeof import('../testing/pages.ts')
const page = (name: Shown) => async (request: LocalRequest) => (await import('../testing/pages.ts'))[name](request)

type Data = keyof typeof import('./temporary-data.ts')
const data = (name: Data) => async (request: DataRequest) => (await import('./temporary-data.ts'))[name](request)

/** Who sends a request. */
interface From {
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly isGone: () => boolean
}

const predicted = async (request: DataRequest & From) =>
  (await import('../request/dry-run-list.ts')).predictList(request)

const rights = async (request: LocalRequest) => (await import('../testing/user-rights.ts')).setRights(request)

const makeUser = async ({ service, body, baseUrl }: LocalRequest) =>
  (await import('../testing/test-users.ts')).makeUser(service, { body, baseUrl })

const health = ({ service }: DataRequest) => ({
  status: 'ok',
  ...(service.temporary !== undefined && { temporary: true }),
})

const readiness = ({ service }: DataRequest) => {
  for (const [why, file] of service.outdated)
    if (typeof file === 'string' && !existsSync(file)) throw new ApiError('outdated', why)
  service.store.check()
  return { status: 'ready' }
}

const metrics = async ({ service }: DataRequest) => (await import('../monitoring/metrics.ts')).metricsText(service)

/** What answers each route; it is loaded with the first request. */
const answers: { readonly [K in LocalOperation]: (request: DataRequest & From) => unknown } = {
  getHealth: health,
  getReadiness: readiness,
  getMetrics: metrics,
  listAssumptions: () => assumptions(),
  predictList: predicted,
  listLedger: page('ledgerPage'),
  listBalances: page('balances'),
  listBalancesOverTime: page('balancesOverTime'),
  listOutbox: page('outboxPage'),
  listUsers: page('usersPage'),
  countUsers: page('usersCount'),
  countEmissions: page('emissionCounts'),
  listSockets: page('openSockets'),
  setRights: rights,
  makeUser,
  listJournal: page('journalPage'),
  countJournal: page('journalCount'),
  clearJournal: control('clearJournal'),
  getClock: control('clockState'),
  setClock: control('setClock'),
  resetClock: control('resetClock'),
  getScenario: control('scenarioRules'),
  setScenario: control('setScenario'),
  clearScenario: control('clearScenario'),
  loadData: data('loadData'),
  getContents: data('getContents'),
  resetData: data('resetData'),
  resetService: data('resetService'),
  listSnapshots: data('listSnapshots'),
  getSnapshot: data('getSnapshot'),
  saveSnapshot: data('saveSnapshot'),
  removeSnapshot: data('removeSnapshot'),
}

/** Who may use routes of the own machine: from where, with which token, and which pages of browsers. */
interface Doors {
  readonly isOwnMachine: MachineCheck
  readonly hasToken: TokenCheck
  readonly isAllowedPage: OriginCheck
}

declare module 'fastify' {
  interface FastifyContextConfig {
    isLocal?: true
  }
}

const localPaths = new PathTable(() =>
  localRoutes.map(([name, row]) => ({ method: row.method, path: localPrefix + row.path, value: { name, row } })),
)

/** The route of the service beyond the API that a request is for, if there is one. */
const localRouteOf = ({ routeOptions, method, url }: FastifyRequest) =>
  routeOptions.config.isLocal && localPaths.find(method, pathIn(url))

/** Who may use it; undefined for other requests. */
export const localAccess = (request: FastifyRequest): LocalRow['from'] | undefined =>
  localRouteOf(request)?.value.row.from

/** Adds one route for all that the service has beyond the API, `/__vatom/…`; it needs no authorization. */
export function addLocalRoutes(app: FastifyInstance, environment: Environment, doors: Doors): void {
  refuseOtherSpellings(app)
  app.route({
    method: [...methods],
    url: `${localPrefix}*`,
    config: { isLocal: true },
    onRequest: (request, _reply, done) => {
      const row = localRouteOf(request)?.value.row
      if (row) checkAccess(environment, doors, row, request)
      done()
    },
    handler: (request, reply) => answerLocal(environment, request, reply),
  })
  const document = apiDocument(environment.appId)
  app.get(`${localPrefix}openapi.json`, async (request, reply) =>
    reply.headers(jsonHeaders).send(await document(baseUrlOf(request))),
  )
}

/**
 * Answers what is below the prefix only where it is written so: a proxy that keeps that to itself may compare paths letter by
 * letter. The page of the console has another address.
 */
function refuseOtherSpellings(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.url?.startsWith(localPrefix) && !isOwnRoute(request.url)) throw missing(request)
    done()
  })
}

/** Throws `otherMachine`, `originRefused` or `dryRunRefused` for a request that a route does not take. */
function checkAccess(
  environment: Environment,
  { isOwnMachine, hasToken, isAllowedPage }: Doors,
  { from, method }: LocalRow,
  request: FastifyRequest,
): void {
  const isTrusted = () =>
    isOwnMachine(request) ||
    lifeOf(environment, request).isConsole ||
    (from === 'own-machine-or-token' && hasToken(request))
  if (from !== 'anywhere' && !isTrusted()) throw otherMachine(request)
  const isPublic = from === 'anywhere' && method === 'GET'
  if (!isPublic && !isAllowedPage(request.headers)) throw new ApiError('originRefused')
  if (method !== 'GET' && request.headers[dryRunHeader] !== undefined)
    throw new ApiError('dryRunRefused', 'only operations of the API can be dry runs')
}

async function answerLocal(
  environment: Environment,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const found = localRouteOf(request)
  if (!found) throw missing(request)
  const { name, row } = found.value
  const service = presentOf(environment)
  if (name !== 'getHealth') service.store.checkVersion()
  const { query, body } = request
  const { removed, isGone } = lifeOf(environment, request)
  const local: DataRequest & From = {
    service,
    id: found.params.id ?? '',
    query,
    body: typeof body === 'string' ? body : '',
    baseUrl: baseUrlOf(request),
    removed,
    address: request.caller,
    headers: request.headers as Readonly<Record<string, string>>,
    isGone,
  }
  const payload = await answers[name](local)
  if (row.isText) return reply.type('text/plain; version=0.0.4; charset=utf-8').send(payload)
  return send(successAnswer(request.id, payload, { [dryRunHeader]: dryRunSupported }), reply)
}

/**
 * What neither the specification nor a public source defines, by operation; `strict_spec` says whether the operation is
 * `refused` or `served` with --strict-spec.
 */
const assumptions = () => [
  ...operations.flatMap(([operation, { method, path, spec, assumed, details = [] }]) =>
    notes({ operation, method, path }, assumed === undefined ? details : [assumed, ...details], spec),
  ),
  ...notOffered.flatMap(({ method, path, subject }) =>
    notes({ operation: 'notOffered', method, path }, [`known, and not offered: ${subject}`], null),
  ),
  ...notes({ operation: 'anyRequest', method: 'ANY', path: '/v1/' }, requestDetails),
  ...notes({ operation: 'events', method: 'GET', path: socketPath }, socketDetails),
  ...notes({ operation: 'dryRun', method: 'ANY', path: '/v1/' }, dryRunDetails),
]

const notes = (where: object, texts: readonly string[], spec: string | null = '') =>
  texts.map((assumption) => ({ ...where, assumption, strict_spec: spec === null ? 'refused' : 'served' }))
