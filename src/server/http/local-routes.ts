import type { FastifyInstance, FastifyRequest } from 'fastify'
import { operations } from '../../contract/api/api.ts'
import { socketDetails, socketPath } from '../../contract/api/socket.ts'
import type { Environment } from '../environment.ts'
import { successAnswer } from '../request/answers.ts'
import { send } from './app.ts'
import { checkOwnMachine } from './hosts.ts'

/**
 * Routes of the local service beyond the API; they need no authorization, so what is of publishers and users is there
 * for this machine alone.
 */
export function addLocalRoutes(app: FastifyInstance, environment: Environment, baseUrl: (r: FastifyRequest) => string) {
  app.get('/__vatom/health', (request, reply) => send(successAnswer(request.id, { status: 'ok' }), reply))
  app.get('/__vatom/assumptions', (request, reply) => send(successAnswer(request.id, assumptions()), reply))
  app.get('/__vatom/openapi.json', async (request, reply) => {
    const { openApi } = await import('../../contract/derived/openapi.ts')
    return reply
      .header('content-type', 'application/json; charset=utf-8')
      .send(JSON.stringify(openApi({ serverUrl: baseUrl(request) })))
  })
  app.get('/__vatom/ledger', async (request, reply) => {
    checkOwnMachine(request)
    const { ledgerPage } = await import('../testing/ledger-page.ts')
    return send(successAnswer(request.id, ledgerPage(environment, request.query)), reply)
  })
  app.get('/__vatom/balance', async (request, reply) => {
    checkOwnMachine(request)
    const { balances } = await import('../testing/ledger-page.ts')
    return send(successAnswer(request.id, balances(environment)), reply)
  })
  app.get('/__vatom/outbox', async (request, reply) => {
    checkOwnMachine(request)
    const { outboxPage } = await import('../testing/outbox-page.ts')
    return send(successAnswer(request.id, outboxPage(environment, request.query)), reply)
  })
  app.patch<{ Params: { id: string } }>('/__vatom/users/:id', async (request, reply) => {
    checkOwnMachine(request)
    const { setRights } = await import('../testing/user-rights.ts')
    const payload = await setRights(
      environment,
      request.params.id,
      typeof request.body === 'string' ? request.body : '',
      baseUrl(request),
    )
    return send(successAnswer(request.id, payload), reply)
  })
}

/**
 * What neither the specification nor a public source settles, by operation; `strict_spec` says whether the operation is
 * refused or kept where the service answers only what the specification shows.
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
]
