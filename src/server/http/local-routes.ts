import type { FastifyInstance, FastifyRequest } from 'fastify'
import { dryRunDetails, dryRunHeader, dryRunOffered } from '../../contract/api/dry-run.ts'
import { ApiError } from '../../contract/api/errors.ts'
import { socketDetails, socketPath } from '../../contract/api/socket.ts'
import { operations } from '../../contract/api/table.ts'
import type { Environment } from '../environment.ts'
import { jsonHeaders, successAnswer } from '../request/answers.ts'
import { send } from './app.ts'
import { checkOwnMachine } from './hosts.ts'

/** A request for a route of the service's own. */
interface Asked {
  readonly environment: Environment
  readonly id: string
  readonly query: unknown
  readonly body: string
  readonly baseUrl: string
}

/** A route of the service's own; what answers it is loaded with the first request. */
interface LocalRoute {
  readonly method: 'GET' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  /** `own-machine` for what is of publishers and users, and for what changes the service itself. */
  readonly from: 'anywhere' | 'own-machine'
  readonly answer: (asked: Asked) => unknown
}

const controls = () => import('../testing/controls.ts')

const localRoutes: readonly LocalRoute[] = [
  { method: 'GET', path: 'health', from: 'anywhere', answer: () => ({ status: 'ok' }) },
  { method: 'GET', path: 'assumptions', from: 'anywhere', answer: () => assumptions() },
  {
    method: 'GET',
    path: 'ledger',
    from: 'own-machine',
    answer: async ({ environment, query }) => (await import('../testing/pages.ts')).ledgerPage(environment, query),
  },
  {
    method: 'GET',
    path: 'balance',
    from: 'own-machine',
    answer: async ({ environment }) => (await import('../testing/pages.ts')).balances(environment),
  },
  {
    method: 'GET',
    path: 'outbox',
    from: 'own-machine',
    answer: async ({ environment, query }) => (await import('../testing/pages.ts')).outboxPage(environment, query),
  },
  {
    method: 'PATCH',
    path: 'users/:id',
    from: 'own-machine',
    answer: async ({ environment, id, body, baseUrl }) =>
      await (await import('../testing/user-rights.ts')).setRights(environment, id, body, baseUrl),
  },
  {
    method: 'GET',
    path: 'journal',
    from: 'anywhere',
    answer: async ({ environment, query }) => (await controls()).journalPage(environment, query),
  },
  {
    method: 'DELETE',
    path: 'journal',
    from: 'own-machine',
    answer: async ({ environment }) => (await controls()).clearJournal(environment),
  },
  {
    method: 'GET',
    path: 'clock',
    from: 'anywhere',
    answer: async ({ environment }) => (await controls()).clockState(environment),
  },
  {
    method: 'PUT',
    path: 'clock',
    from: 'own-machine',
    answer: async ({ environment, body }) => (await controls()).setClock(environment, body),
  },
  {
    method: 'DELETE',
    path: 'clock',
    from: 'own-machine',
    answer: async ({ environment }) => (await controls()).resetClock(environment),
  },
  {
    method: 'GET',
    path: 'scenario',
    from: 'anywhere',
    answer: async ({ environment }) => (await controls()).scenarioRules(environment),
  },
  {
    method: 'PUT',
    path: 'scenario',
    from: 'own-machine',
    answer: async ({ environment, body }) => (await controls()).setScenario(environment, body),
  },
  {
    method: 'DELETE',
    path: 'scenario',
    from: 'own-machine',
    answer: async ({ environment }) => (await controls()).clearScenario(environment),
  },
]

type BaseUrl = (request: FastifyRequest) => string

/** Adds the routes of the service beyond the API, `/__vatom/…`; they need no authorization. */
export function addLocalRoutes(app: FastifyInstance, environment: Environment, baseUrl: BaseUrl): void {
  for (const route of localRoutes) addLocalRoute(app, environment, baseUrl, route)
  app.get('/__vatom/openapi.json', async (request, reply) => {
    const { openApi } = await import('../../contract/derived/openapi.ts')
    return reply.headers(jsonHeaders).send(JSON.stringify(openApi({ serverUrl: baseUrl(request) })))
  })
}

function addLocalRoute(
  app: FastifyInstance,
  environment: Environment,
  baseUrl: BaseUrl,
  { method, path, from, answer }: LocalRoute,
): void {
  app.route<{ Params: { id?: string } }>({
    method,
    url: `/__vatom/${path}`,
    onRequest: (request, _reply, done) => {
      if (from === 'own-machine') checkOwnMachine(request)
      if (method !== 'GET' && request.headers[dryRunHeader] !== undefined)
        throw new ApiError('dryRunRefused', 'there are dry runs of operations of the API alone')
      done()
    },
    handler: async (request, reply) => {
      const { query, body, params } = request
      const text = typeof body === 'string' ? body : ''
      const asked = { environment, id: params.id ?? '', query, body: text, baseUrl: baseUrl(request) }
      return send(successAnswer(request.id, await answer(asked), { [dryRunHeader]: dryRunOffered }), reply)
    },
  })
}

/**
 * What neither the specification nor a public source settles, by operation; `strict_spec` is what becomes of
 * the operation with --strict-spec, `refused` or `kept`.
 */
const assumptions = () => [
  ...operations.flatMap(([operation, { method, path, assumed, details = [] }]) => [
    ...(assumed ? [{ operation, method, path, assumption: assumed, strict_spec: 'refused' }] : []),
    ...details.map((assumption) => ({ operation, method, path, assumption, strict_spec: 'kept' })),
  ]),
  ...socketDetails.map((assumption) => ({
    operation: 'events',
    method: 'GET',
    path: socketPath,
    assumption,
    strict_spec: 'kept',
  })),
  ...dryRunDetails.map((assumption) => ({
    operation: 'dryRun',
    method: 'ANY',
    path: '/v1/',
    assumption,
    strict_spec: 'kept',
  })),
]
