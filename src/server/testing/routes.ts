import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Environment } from '../environment.ts'
import { send } from '../http/app.ts'
import { checkOwnMachine } from '../http/hosts.ts'
import { successAnswer } from '../request/answers.ts'

type Answer = (environment: Environment, request: FastifyRequest) => Promise<unknown>

const all = () => import('./controls.ts')

/** What each method of the routes for tests does; others than GET change something, and are for this machine alone. */
const table: Readonly<Record<string, Readonly<Partial<Record<'GET' | 'PUT' | 'DELETE', Answer>>>>> = {
  '/__vatom/journal': {
    GET: async (environment, request) => (await all()).journalPage(environment, request.query),
    DELETE: async (environment) => (await all()).clearJournal(environment),
  },
  '/__vatom/clock': {
    GET: async (environment) => (await all()).clockState(environment),
    PUT: async (environment, request) => (await all()).setClock(environment, bodyOf(request)),
    DELETE: async (environment) => (await all()).resetClock(environment),
  },
  '/__vatom/scenario': {
    GET: async (environment) => (await all()).scenarioRules(environment),
    PUT: async (environment, request) => (await all()).setScenario(environment, bodyOf(request)),
    DELETE: async (environment) => (await all()).clearScenario(environment),
  },
}

const bodyOf = ({ body }: FastifyRequest) => (typeof body === 'string' ? body : '')

/** The journal, the clock and the scenario of a service; they need no authorization. */
export function addTestingRoutes(app: FastifyInstance, environment: Environment): void {
  for (const [url, methods] of Object.entries(table))
    for (const [method, answer] of Object.entries(methods))
      app.route({
        method,
        url,
        onRequest: (request, _reply, done) => {
          if (method !== 'GET') checkOwnMachine(request)
          done()
        },
        handler: async (request, reply) => send(successAnswer(request.id, await answer(environment, request)), reply),
      })
}
