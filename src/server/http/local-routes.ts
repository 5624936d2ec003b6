import type { FastifyInstance } from 'fastify'
import { dryRunDetails, dryRunHeader, dryRunOffered } from '../../contract/api/dry-run.ts'
import { requestDetails } from '../../contract/api/envelope.ts'
import { ApiError } from '../../contract/api/errors.ts'
import { socketDetails, socketPath } from '../../contract/api/socket.ts'
import { operations } from '../../contract/api/table.ts'
import type { Environment } from '../environment.ts'
import { jsonHeaders, successAnswer } from '../request/answers.ts'
import type { LocalRequest } from '../testing/local-request.ts'
import { baseUrlOf, send } from './app.ts'
import { checkOwnMachine } from './hosts.ts'
import type { DataRequest } from './temporary-data.ts'

/** A route of the service's own; what answers it is loaded with the first request. */
interface LocalRoute {
  readonly method: 'GET' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  /** `own-machine` for the data of publishers and users, and for what changes the service itself. */
  readonly from: 'anywhere' | 'own-machine'
  readonly answer: (request: DataRequest) => unknown
}

type Control = keyof typeof import('../testing/controls.ts')
const control = (name: Control) => async (request: LocalRequest) =>
  (await import('../testing/controls.ts'))[name](request)

type Shown = keyof typeof import('../testing/pages.ts')
const page = (name: Shown) => async (request: LocalRequest) => (await import('../testing/pages.ts'))[name](request)

type Data = keyof typeof import('./temporary-data.ts')
const data = (name: Data) => async (request: DataRequest) => (await import('./temporary-data.ts'))[name](request)

const rights = async (request: LocalRequest) => (await import('../testing/user-rights.ts')).setRights(request)

const health = ({ service }: DataRequest) => ({
  status: 'ok',
  ...(service.temporary !== undefined && { temporary: true }),
})

const localRoutes: readonly LocalRoute[] = [
  { method: 'GET', path: 'health', from: 'anywhere', answer: health },
  { method: 'GET', path: 'assumptions', from: 'anywhere', answer: () => assumptions() },
  { method: 'GET', path: 'ledger', from: 'own-machine', answer: page('ledgerPage') },
  { method: 'GET', path: 'balance', from: 'own-machine', answer: page('balances') },
  { method: 'GET', path: 'outbox', from: 'own-machine', answer: page('outboxPage') },
  { method: 'PATCH', path: 'users/:id', from: 'own-machine', answer: rights },
  { method: 'GET', path: 'journal', from: 'anywhere', answer: page('journalPage') },
  { method: 'DELETE', path: 'journal', from: 'own-machine', answer: control('clearJournal') },
  { method: 'GET', path: 'clock', from: 'anywhere', answer: control('clockState') },
  { method: 'PUT', path: 'clock', from: 'own-machine', answer: control('setClock') },
  { method: 'DELETE', path: 'clock', from: 'own-machine', answer: control('resetClock') },
  { method: 'GET', path: 'scenario', from: 'anywhere', answer: control('scenarioRules') },
  { method: 'PUT', path: 'scenario', from: 'own-machine', answer: control('setScenario') },
  { method: 'DELETE', path: 'scenario', from: 'own-machine', answer: control('clearScenario') },
  { method: 'PUT', path: 'data', from: 'own-machine', answer: data('loadData') },
  { method: 'DELETE', path: 'data', from: 'own-machine', answer: data('resetData') },
  { method: 'GET', path: 'snapshots', from: 'own-machine', answer: data('listSnapshots') },
  { method: 'GET', path: 'snapshots/:id', from: 'own-machine', answer: data('getSnapshot') },
  { method: 'PUT', path: 'snapshots/:id', from: 'own-machine', answer: data('saveSnapshot') },
  { method: 'DELETE', path: 'snapshots/:id', from: 'own-machine', answer: data('removeSnapshot') },
]

/** Adds the routes of the service beyond the API, `/__vatom/…`; they need no authorization. */
export function addLocalRoutes(app: FastifyInstance, environment: Environment): void {
  for (const route of localRoutes) addLocalRoute(app, environment, route)
  app.get('/__vatom/openapi.json', async (request, reply) => {
    const { openApi } = await import('../../contract/derived/openapi.ts')
    return reply
      .headers(jsonHeaders)
      .send(JSON.stringify(openApi({ serverUrl: baseUrlOf(request), appId: environment.appId })))
  })
}

function addLocalRoute(
  app: FastifyInstance,
  environment: Environment,
  { method, path, from, answer }: LocalRoute,
): void {
  app.route<{ Params: { id?: string } }>({
    method,
    url: `/__vatom/${path}`,
    onRequest: (request, _reply, done) => {
      if (from === 'own-machine') checkOwnMachine(request)
      if (method !== 'GET' && request.headers[dryRunHeader] !== undefined)
        throw new ApiError('dryRunRefused', 'only operations of the API can be dry runs')
      done()
    },
    handler: async (request, reply) => {
      const { query, body, params } = request
      const text = typeof body === 'string' ? body : ''
      const local = { service: environment, id: params.id ?? '', query, body: text, baseUrl: baseUrlOf(request) }
      return send(successAnswer(request.id, await answer(local), { [dryRunHeader]: dryRunOffered }), reply)
    },
  })
}

/**
 * What neither the specification nor a public source defines, by operation; `strict_spec` says whether the operation is
 * `refused` or `served` with --strict-spec.
 */
const assumptions = () => [
  ...operations.flatMap(([operation, { method, path, spec, assumed, details = [] }]) =>
    notes({ operation, method, path }, assumed === undefined ? details : [assumed, ...details], spec),
  ),
  ...notes({ operation: 'anyRequest', method: 'ANY', path: '/v1/' }, requestDetails),
  ...notes({ operation: 'events', method: 'GET', path: socketPath }, socketDetails),
  ...notes({ operation: 'dryRun', method: 'ANY', path: '/v1/' }, dryRunDetails),
]

const notes = (where: object, texts: readonly string[], spec: string | null = '') =>
  texts.map((assumption) => ({ ...where, assumption, strict_spec: spec === null ? 'refused' : 'served' }))
