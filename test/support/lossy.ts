import type { IncomingMessage } from 'node:http'
import type { Service } from '../../src/server/service.ts'
import { serverOf } from './servers.ts'

/**
 * What becomes of a request: whether it gets there, and whether its answer comes back, or another one `instead`. One with
 * a status does not get there, and is answered with a `page` or with JSON.
 */
export type Fate =
  | 'answered'
  | 'lost'
  | 'unanswered'
  | {
      readonly status: number
      readonly error?: number
      readonly headers?: Record<string, string>
      readonly page?: string
    }
  | { readonly instead: string }

/** A way to a service on which things get lost; `env` is for a run that takes it. */
export async function lossy(
  service: Service,
  fateOf: (request: IncomingMessage) => Fate | Promise<Fate>,
  heard: (status: number, request: IncomingMessage, body: string) => void = () => {},
  /** Headers of answers that get through: without its own, the service looks like one that is not vatom's. */
  passed: readonly string[] = [],
) {
  const { url, server, port } = await serverOf(async (request, response) => {
    const fate = await fateOf(request)
    if (fate === 'lost') return request.socket.destroy()
    if (typeof fate === 'object' && 'status' in fate)
      return response
        .writeHead(fate.status, fate.headers)
        .end(fate.page ?? JSON.stringify({ error: fate.error ?? 11, message: 'no' }))
    const { method = '', url: path = '', headers } = request
    const body = Buffer.concat(await request.toArray()).toString()
    const answer = await service.inject({
      method,
      path,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      ...(body !== '' && { body }),
    })
    heard(answer.status, request, body)
    if (fate === 'unanswered') return request.socket.destroy()
    if (typeof fate === 'object') return response.end(fate.instead)
    const own = Object.entries(answer.headers).filter(([name]) => passed.includes(name))
    response
      .writeHead(answer.status, { ...Object.fromEntries(own), 'content-type': 'application/json' })
      .end(answer.body)
  })
  const env = {
    VATOM_BASE_URL: url,
    VATOM_APP_ID: service.appId,
    VATOM_ACCESS_TOKEN: service.localToken(),
    VATOM_PUBLISHER: service.publisher.fqdn,
  }
  return { env, server, port }
}
