import { randomUUID } from 'node:crypto'
import { parse } from 'node:querystring'
import type { Operation } from '../../contract/api/api.ts'
import { ApiError } from '../../contract/api/errors.ts'
import type { WireRequest, WireResponse } from '../../contract/api/wire.ts'
import { limits } from '../../contract/limits.ts'
import type { Environment } from '../environment.ts'
import { json, successBody } from './answers.ts'
import { admitted } from './authenticate.ts'
import { failureAnswer } from './failures.ts'
import { requestLine } from './log.ts'
import { perform } from './perform.ts'
import { type Route, routes } from './routes.ts'

/** Where a service that does not listen would be found. */
const nominalUrl = 'http://127.0.0.1:4100'

/** Answers a request to the API without a socket or a web server, as `app.ts` answers one from the network. */
export async function answer(environment: Environment, request: WireRequest): Promise<WireResponse> {
  const started = performance.now()
  const requestId = randomUUID()
  const told: Told = { notices: {} }
  const response = await attempt(environment, request, requestId, told)
  const { method, path: url } = request
  const { status } = response
  const milliseconds = performance.now() - started
  const { operation, error } = told
  environment.testing.journal.add({
    at: environment.clock(),
    method,
    url,
    status,
    milliseconds,
    requestId,
    operation,
    error,
  })
  environment.log?.(requestLine(method, url, status, milliseconds, requestId))
  return response
}

/** What is learnt of a request as it is answered. */
interface Told {
  readonly notices: Record<string, string>
  operation?: Operation
  error?: number | undefined
}

async function attempt(
  environment: Environment,
  request: WireRequest,
  requestId: string,
  told: Told,
): Promise<WireResponse> {
  try {
    const body = successBody(requestId, await operate(environment, request, told))
    return { status: 200, headers: { 'content-type': json, ...told.notices }, body }
  } catch (error) {
    const { status, headers, body, code } = failureAnswer(environment, error, requestId)
    told.error = code
    return { status, headers: { 'content-type': json, ...told.notices, ...headers }, body }
  }
}

async function operate(environment: Environment, request: WireRequest, told: Told) {
  const [path = '', ...query] = request.path.split('?')
  const { route, params } = found(request.method, path)
  told.operation = route.operation
  const headers = lowerCased(request.headers)
  const identity = admitted(route.row, headers, environment)
  if (route.row.method !== 'GET' && Buffer.byteLength(request.body ?? '') > limits.body) throw new ApiError('tooLarge')
  const exchange = {
    identity,
    params,
    query: parse(query.join('?')),
    body: request.body ?? '',
    files: request.files,
    ifNoneMatch: headers['if-none-match'],
    baseUrl: nominalUrl,
    notice: (name: string, text: string) => {
      told.notices[name] = text
    },
  }
  return await perform(route.operation, route.row, exchange, environment)
}

const lowerCased = (headers: WireRequest['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** The route of a path; repeated slashes count as one. */
function found(method: string, path: string): { route: Route; params: Record<string, string> } {
  const segments = path
    .replace(/\/{2,}/g, '/')
    .split('/')
    .map(decoded)
  for (const route of routes) {
    const params = route.row.method === method.toUpperCase() && matched(route.path.split('/'), segments)
    if (params) return { route, params }
  }
  throw new ApiError('unknownPath')
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new ApiError('invalid', `${segment} is not a valid part of a path`)
  }
}

/** The parameters of a path, if it is of this pattern. */
function matched(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? ''
    if (part.startsWith(':') && segment !== '') params[part.slice(1)] = segment
    else if (part !== segment) return undefined
  }
  return params
}
