import { randomUUID } from 'node:crypto'
import { parse } from 'node:querystring'
import { ApiError } from '../../contract/api/errors.ts'
import type { WireRequest, WireResponse } from '../../contract/api/wire.ts'
import { defaults } from '../../contract/defaults.ts'
import { limits } from '../../contract/limits.ts'
import type { Environment } from '../environment.ts'
import type { Answer } from './answers.ts'
import { RequestLife } from './life.ts'
import { findRoute } from './routes.ts'

/** Where a service that does not listen would be found. */
const nominalUrl = `http://${defaults.host}:${defaults.port}`

/** The door for requests of this process: answers them without a socket or a web server. */
export async function inject(environment: Environment, request: WireRequest): Promise<WireResponse> {
  const life = new RequestLife(environment, { id: randomUUID(), method: request.method, url: request.path })
  const { status, headers, body } = await answer(life, request).catch((error: unknown) => life.fail(error))
  life.record(status)
  life.log(status)
  return { status, headers, body }
}

async function answer(life: RequestLife, request: WireRequest): Promise<Answer> {
  const [path = '', ...query] = request.path.split('?')
  const { route, params } = findRoute(request.method, path)
  life.operation = route.operation
  const headers = lowerCased(request.headers)
  const { body = '', files } = request
  life.authenticate(route, headers)
  if (route.row.method !== 'GET' && Buffer.byteLength(body) > limits.body) throw new ApiError('tooLarge')
  const ifNoneMatch = headers['if-none-match']
  return await life.perform(route, {
    params,
    query: parse(query.join('?')),
    body,
    files,
    ifNoneMatch,
    baseUrl: nominalUrl,
  })
}

const lowerCased = (headers: WireRequest['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
