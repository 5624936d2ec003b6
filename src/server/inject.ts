import type { FastifyInstance } from 'fastify'
import type { WireRequest, WireResponse } from '../contract/wire.ts'
import { addOperations, bareApp } from './app.ts'
import type { Environment } from './environment.ts'

/** Where a service that does not listen would be found. */
const nominalUrl = 'http://127.0.0.1:4100'

/** The API's routes alone, for requests from within the process. */
export async function localApp(environment: Environment, open: Set<FastifyInstance>): Promise<FastifyInstance> {
  const app = bareApp(environment)
  open.add(app)
  addOperations(app, environment, { baseUrl: () => nominalUrl })
  await app.ready()
  return app
}

/** Answers a request without a socket. */
export async function injectInto(app: FastifyInstance, request: WireRequest): Promise<WireResponse> {
  const response = await app.inject({
    method: request.method as 'GET',
    url: request.path,
    headers: { ...request.headers },
    ...(request.body !== undefined && { payload: request.body }),
  })
  const headers = Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), String(value)])
  return { status: response.statusCode, headers: Object.fromEntries(headers), body: response.body }
}
