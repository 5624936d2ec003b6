import type { FastifyCorsOptions } from '@fastify/cors'
import type { FastifyRequest } from 'fastify'
import { isLoopbackUrl } from '../../contract/api/loopback.ts'

type Decide = (error: Error | null, options?: FastifyCorsOptions) => void

/** Which pages may call: those of this machine and of the given origins. A preflight needs no authorization. */
export const corsFor = (origins: readonly string[]) => (request: FastifyRequest, decide: Decide) => {
  if (assetPath.test(request.url)) return decide(null, assetCors)
  const { origin } = request.headers
  const isPreflight = request.headers['access-control-request-method'] !== undefined
  const isCall = request.method !== 'OPTIONS' || isPreflight
  decide(null, {
    origin: isCall && origin !== undefined && isAllowed(origin, origins),
    methods: ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'],
    allowedHeaders: ['App-Id', 'Authorization', 'Authentication', 'Content-Type', 'Vatom-Dry-Run'],
    exposedHeaders: ['Vatom-Assumed', 'Vatom-Ignored', 'Vatom-Warning', 'Vatom-Dry-Run', 'Retry-After'],
    maxAge: 600,
  })
}

const assetPath = /^\/+assets\//

/** Pages of any origin may load assets, as viewers of vAtoms may be anywhere. */
const assetCors: FastifyCorsOptions = {
  origin: '*',
  methods: ['GET', 'HEAD'],
  exposedHeaders: ['Accept-Ranges', 'Content-Range', 'ETag'],
  maxAge: 600,
}

/** Which pages may open a WebSocket, for which browsers send no preflight: those that may call, and the service's own. */
export const connectFor =
  (origins: readonly string[]) =>
  ({ origin, host }: FastifyRequest['headers']): boolean =>
    origin === undefined || isAllowed(origin, origins) || (URL.canParse(origin) && new URL(origin).host === host)

const isAllowed = (origin: string, origins: readonly string[]): boolean =>
  origins.includes(origin) || (URL.canParse(origin) && isLoopbackUrl(origin))
