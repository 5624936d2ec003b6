import { ApiError } from '../../contract/api/errors.ts'
import type { WireRequest, WireResponse } from '../../contract/api/wire.ts'
import { defaults } from '../../contract/defaults.ts'
import { limits } from '../../contract/limits.ts'
import type { Environment } from '../environment.ts'
import { type Answer, textOf } from './answers.ts'
import { missingKey } from './authenticate.ts'
import { pathIn, queryIn } from './parse.ts'
import { requestIdHeader, requestIdOf } from './request-id.ts'
import { RequestLife } from './request-life.ts'
import { findRoute, type Route } from './routes.ts'

/** Address of a service that does not listen. */
const nominalUrl = `http://${defaults.host}:${defaults.port}`

/** Where a request of this process comes from. */
interface Door {
  readonly address: string
  readonly baseUrl: string
  /** Whether nobody waits for the answer any more. */
  readonly isGone: () => boolean
  /** Throws the error that refuses an operation here. */
  readonly check?: (route: Route) => void
}

/** The door of this process itself. */
export const ownDoor = (baseUrl = nominalUrl): Door => ({ address: 'this process', baseUrl, isGone: () => false })

/** Answers a request of this process, without a socket or a web server. */
export async function inject(
  environment: Environment,
  request: WireRequest,
  { address, baseUrl, isGone, check }: Door = ownDoor(),
): Promise<WireResponse> {
  const { method, path: url, body: text = '', files } = request
  const headers = lowerCased(request.headers)
  const id = requestIdOf(headers)
  const life = new RequestLife(environment, { id, method, url, headers, address, isGone })
  let answer: Answer
  try {
    const { value: route, params } = findRoute(method, pathIn(url))
    life.operation = route.operation
    check?.(route)
    await missingKey(headers, environment)
    life.authenticate(route, headers)
    if (route.row.method !== 'GET' && Buffer.byteLength(text) > limits.body) throw new ApiError('tooLarge')
    const ifNoneMatch = headers['if-none-match']
    const followed = files && (life.parts?.followAll(files) ?? files)
    const contents = { params, query: queryIn(url), body: text, files: followed, ifNoneMatch, baseUrl }
    answer = await life.perform(route, contents)
  } catch (error) {
    answer = life.fail(error)
  }
  const { status, body } = answer
  const answered = textOf(body)
  life.record(status, { sent: text === '' ? undefined : text, answered, parts: life.parts?.all })
  life.log(status)
  return { status, headers: { ...answer.headers, [requestIdHeader]: id }, body: answered }
}

const lowerCased = (headers: WireRequest['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
