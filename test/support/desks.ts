import type { RequestListener } from 'node:http'
import { expect } from 'vitest'
import { parse } from 'yaml'
import type { ServiceOptions } from '../../src/server/service.ts'
import { coupon, red, template, variation } from '../fixtures/yaml.ts'
import { serverOf } from './servers.ts'
import { type Desk, type DeskOptions, publisher } from './vatom.ts'

/** Both ways to a service: a command works the same on each. */
export const transports = ['local', 'network'] as const

/** A publisher's desk that tells which requests were made, each once. */
export async function watchedDesk(transport: (typeof transports)[number], options: Partial<ServiceOptions> = {}) {
  const lines: string[] = []
  const service = { ...options, publishers: ['local.vatom', 'rival.example'], log: (line: string) => lines.push(line) }
  const desk = await publisher({ transport, service })
  /** Methods and paths of the requests since the last time that were to change something. */
  const changes = () =>
    lines
      .splice(0)
      .filter((line) => !/^message to | dry run$/.test(line))
      .map((line) => line.split(' ').slice(0, 2).join(' '))
      .filter((request) => !/^GET |login|access_token|^POST \/(__vatom\/dry-run|v1\/vatom\/discover)$/.test(request))
  return { ...desk, changes }
}
export type WatchedDesk = Awaited<ReturnType<typeof watchedDesk>>

/** A desk with a created draft of a template, its document in coupon.yaml. */
export async function draftedTemplate(transport: (typeof transports)[number], more = ''): Promise<WatchedDesk> {
  const desk = await watchedDesk(transport)
  desk.file('coupon.yaml', template(undefined, more))
  await desk.json('template', 'create', 'coupon.yaml', '--accept-charges')
  desk.changes()
  return desk
}

/** A desk with a draft of a template, and with actions or faces of it registered from a file. */
export async function registered(
  transport: (typeof transports)[number],
  kind: 'action' | 'face',
  file: string,
  documents: string,
): Promise<WatchedDesk> {
  const desk = await draftedTemplate(transport)
  desk.file(file, documents)
  await desk.json(kind, 'register', file)
  desk.changes()
  return desk
}

/** A desk with a published template and a published variation of it. */
export async function stocked(transport: (typeof transports)[number], options: DeskOptions = {}): Promise<Desk> {
  const desk = await publisher({ ...options, transport })
  desk.file('coupon.yaml', template())
  desk.file('red.yaml', variation())
  await desk.json('template', 'create', 'coupon.yaml')
  await desk.json('variation', 'create', 'red.yaml')
  for (const [kind, name] of [
    ['template', coupon],
    ['variation', red],
  ] as const)
    await desk.json(kind, 'publish', name, '--confirm', name)
  return desk
}

/** Requests of another publisher on a desk's service, which must succeed; answers their payloads. */
export async function rival({ service }: Desk) {
  const send = async (method: string, path: string, body?: unknown, token?: string) => {
    const headers = { 'app-id': service.appId, ...(token !== undefined && { authorization: `Bearer ${token}` }) }
    const response = await service.inject({
      method,
      path,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    expect({ path, status: response.status }).toEqual({ path, status: 200 })
    return JSON.parse(response.body).payload
  }
  const login = { token: 'publisher@rival.example', token_type: 'email', auth_data: { password: 'vatom-local' } }
  const { access_token } = await send('POST', '/v1/user/login', login)
  return (method: string, path: string, body?: unknown) => send(method, path, body, access_token.token)
}

/** A service on a port, and a machine that does not know it yet. */
export async function served(clock?: () => Date) {
  const desk = await publisher({ ...(clock && { clock }) })
  const { baseUrl } = await desk.service.listen({ host: '127.0.0.1', port: 0 })
  const credentials = ['--email', 'publisher@local.vatom', '--password-stdin']
  const login = (args: readonly string[] = [], stdin = 'vatom-local\n') =>
    desk.run(['login', '--base-url', baseUrl, '--app-id', desk.service.appId, ...credentials, ...args], { stdin })
  return { ...desk, baseUrl, login }
}

/** A service that answers as it is told, and a signed-in context for it. */
export async function facing(handle: RequestListener) {
  const { url } = await serverOf(handle)
  const desk = await publisher()
  const env = {
    VATOM_BASE_URL: url,
    VATOM_APP_ID: 'x',
    VATOM_ACCESS_TOKEN: 'y',
    VATOM_PUBLISHER: 'acme.com',
  }
  return { ...desk, env }
}

/** Registers faces as a client does that asks for no condition: doubles of what is there, too. */
export async function registerAnyway({ service }: Desk, ...documents: readonly string[]): Promise<void> {
  const headers = { 'app-id': service.appId, authorization: `Bearer ${service.localToken()}` }
  for (const document of documents) {
    const body = JSON.stringify(parse(document.replace('$publisher', 'local.vatom')))
    const { status } = await service.inject({ method: 'POST', path: '/v1/publisher/face', headers, body })
    expect(status).toBe(200)
  }
}
