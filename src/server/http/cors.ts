import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isLoopbackUrl } from '../../contract/api/loopback.ts'
import { methods } from '../../contract/api/methods.ts'
import { parsedUrl } from '../../contract/schema/parsed-url.ts'

/** The headers that let pages of other origins call: those of an answer, and of the answer to a preflight. */
interface Policy {
  readonly answer: Readonly<Record<string, string>>
  readonly preflight: Readonly<Record<string, string>>
}

const policy = (exposed: readonly string[], preflight: Policy['preflight']): Policy => ({
  answer: { 'access-control-expose-headers': exposed.join(', ') },
  preflight: { ...preflight, 'access-control-max-age': '600', 'content-length': '0' },
})

const exposed = ['Vatom-Assumed', 'Vatom-Ignored', 'Vatom-Warning', 'Vatom-Dry-Run', 'Retry-After', 'X-Request-Id']

const calls = policy(exposed, {
  'access-control-allow-methods': methods.join(', '),
  'access-control-allow-headers':
    'App-Id, Authorization, Authentication, Content-Type, Vatom-Dry-Run, X-Request-Id, Traceparent',
})

const assets = policy(['Accept-Ranges', 'Content-Range', 'ETag'], { 'access-control-allow-methods': 'GET, HEAD' })
const assetPath = /^\/+assets\//

/**
 * Lets pages of this machine and of the given origins call, and pages of any origin load assets, as viewers of vAtoms may
 * be anywhere. A preflight needs no authorization.
 */
export function addCors(app: FastifyInstance, origins: readonly string[]): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('vary', 'Origin')
    const isAsset = assetPath.test(request.url)
    const { origin } = request.headers
    const allowed = isAsset ? '*' : origin
    if (allowed === undefined || !(isAsset || isAllowed(allowed, origins))) return done()
    const { answer, preflight } = isAsset ? assets : calls
    reply.header('access-control-allow-origin', allowed).headers(answer)
    if (isPreflight(request)) reply.code(204).headers(preflight).send()
    else done()
  })
}

const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined

/** Whether a request is from no page, or from one of an allowed origin. */
export type OriginCheck = (headers: FastifyRequest['headers']) => boolean

/**
 * Which pages may send what browsers send no preflight for, as to open a WebSocket: those that may call, and the
 * service's own.
 */
export const pagesFrom =
  (origins: readonly string[]): OriginCheck =>
  ({ origin, host }) =>
    origin === undefined || isAllowed(origin, origins) || (host !== undefined && parsedUrl(origin)?.host === host)

const isAllowed = (origin: string, origins: readonly string[]): boolean =>
  origins.includes(origin) || (parsedUrl(origin) !== undefined && isLoopbackUrl(origin))
