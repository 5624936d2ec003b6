import type { FastifyCorsOptions } from '@fastify/cors'
import type { FastifyRequest } from 'fastify'
import { isLoopbackUrl } from '../../contract/api/loopback.ts'

type Decide = (error: Error | null, options?: FastifyCorsOptions) => void

/** Which pages may call: those of this machine and of the origins given. A preflight needs no authorization. */
export const corsFor = (origins: readonly string[]) => (request: FastifyRequest, decide: Decide) => {
  if (assetPath.test(request.url)) return decide(null, assetCors)
  const { origin } = request.headers
  const preflight = request.headers['access-control-request-method'] !== undefined
  const wanted = request.method !== 'OPTIONS' || preflight
  decide(null, {
    origin: wanted && origin !== undefined && isAllowed(origin, origins),
    methods: ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'],
    allowedHeaders: ['App-Id', 'Authorization', 'Authentication', 'Content-Type', 'Vatom-Dry-Run'],
    exposedHeaders: ['Vatom-Assumed', 'Vatom-Ignored', 'Vatom-Warning', 'Vatom-Dry-Run', 'Retry-After'],
    maxAge: 600,
  })
}

const assetPath = /^\/+assets\//

/** Assets are there for pages of any origin, as what a viewer shows comes from anywhere. */
const assetCors: FastifyCorsOptions = {
  origin: '*',
  methods: ['GET', 'HEAD'],
  exposedHeaders: ['Accept-Ranges', 'Content-Range', 'ETag'],
  maxAge: 600,
}

/** Which pages may connect, who are not asked before: besides those that may call, those of the service's own address. */
export const connectFor =
  (origins: readonly string[]) =>
  ({ origin, host }: FastifyRequest['headers']): boolean =>
    origin === undefined || isAllowed(origin, origins) || (URL.canParse(origin) && new URL(origin).host === host)

function isAllowed(origin: string, origins: readonly string[]): boolean {
  if (origins.includes(origin)) return true
  if (!URL.canParse(origin)) return false
  return isLoopbackUrl(origin)
}
