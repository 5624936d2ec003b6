import { request as httpRequest } from 'node:http'
import { Readable } from 'node:stream'
import { onTestFinished } from 'vitest'
import { multipart } from '../../src/client/multipart.ts'
import { api, type Operation } from '../../src/contract/api/table.ts'
import { type Warning, warningsIn } from '../../src/contract/api/warnings.ts'
import type { WireFile, WireRequest, WireResponse } from '../../src/contract/api/wire.ts'
import { isObject } from '../../src/contract/schema/path.ts'
import { openService, type Service, type ServiceOptions } from '../../src/server/service.ts'
import { template } from '../fixtures/bodies.ts'
import { noon } from '../fixtures/records.ts'

/** What a test looks at in an answer. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
  readonly body: any
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
  readonly payload: any
}

export interface Sent {
  readonly body?: unknown
  readonly raw?: string
  readonly files?: readonly WireFile[]
  readonly headers?: Readonly<Record<string, string>>
}

/** Someone who calls a service. */
export interface Caller {
  readonly id: string
  readonly token: string
  readonly call: (method: string, path: string, sent?: Sent) => Promise<Answer>
}

/** A clock that stands still until it is moved. */
function testClock() {
  let now = new Date(noon)
  return {
    clock: () => now,
    advance: (seconds: number) => {
      now = new Date(now.getTime() + seconds * 1000)
    },
  }
}

/** How requests reach a service. */
export const doors = ['in process', 'over HTTP'] as const
type Door = (typeof doors)[number]
/** Has something closed at the end of a test, or of several. */
export type WhenFinished = (close: () => Promise<void>) => void
/** What requests are sent through. */
export type Reachable = Pick<Service, 'appId' | 'inject'>

async function through(service: Service, door: Door): Promise<Reachable> {
  if (door === 'in process') return service
  const { port } = await service.listen({ host: '127.0.0.1', port: 0 })
  return { appId: service.appId, inject: (request) => overHttp(port, request) }
}

/** Sends a request to a port of this machine, from one of its addresses. */
export function overHttp(
  port: number,
  { method, path, headers, body, files }: WireRequest,
  localAddress = '127.0.0.1',
): Promise<WireResponse> {
  return new Promise((resolve, reject) => {
    const form = files && multipart(files)
    const sent = {
      ...headers,
      ...(form && { 'content-type': form.contentType }),
      ...(!form && body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
    }
    const request = httpRequest({ host: '127.0.0.1', port, localAddress, method, path, headers: sent }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => {
        const named = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
        const text = Buffer.concat(parts).toString()
        resolve({ status: response.statusCode ?? 0, headers: Object.fromEntries(named), body: text })
      })
    })
    request.on('error', reject)
    if (form) Readable.from(form.body).on('error', reject).pipe(request)
    else request.end(body)
  })
}

/** An open service in memory, its seeded publisher, and more callers on request; it is closed when the test is finished. */
export async function testService(
  options: Partial<ServiceOptions> = {},
  door: Door = 'in process',
  whenFinished: WhenFinished = onTestFinished,
) {
  const { clock, advance } = testClock()
  const lines: string[] = []
  const service = await openService({
    db: ':memory:',
    scryptCost: 16,
    clock,
    log: (line) => lines.push(line),
    ...options,
  })
  whenFinished(() => service.close())
  const reachable = await through(service, door)
  const as = (id: string, token: string): Caller => ({ id, token, call: callerOf(reachable, token) })
  const first = as('', service.localToken())
  const { payload } = await first.call('GET', '/v1/user')
  return {
    service,
    lines,
    advance,
    clock,
    as,
    publisher: { ...first, id: String(payload?.id) },
    /** Registers a user with an e-mail address and the password `secret`. */
    register: async (email: string): Promise<Caller> => {
      const { payload } = await send(reachable, 'POST', '/v1/users', { body: registration(email) })
      return as(payload.user.id, payload.access_token.token)
    },
    /** Sends a request that carries nothing but what it says. */
    send: (method: string, path: string, sent?: Sent) => send(reachable, method, path, sent),
  }
}

export const registration = (email: string) => ({
  password: 'secret',
  user_tokens: [{ token: email, token_type: 'email' }],
})

const callerOf =
  (service: Reachable, token: string) =>
  (method: string, path: string, sent: Sent = {}): Promise<Answer> =>
    send(service, method, path, { ...sent, headers: { authorization: `Bearer ${token}`, ...sent.headers } })

/** Sends a request with the application id. */
export async function send(service: Reachable, method: string, path: string, sent: Sent = {}): Promise<Answer> {
  const body = sent.raw ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body))
  const response = await service.inject({
    method,
    path,
    headers: { 'app-id': service.appId, ...sent.headers },
    ...(body !== undefined && { body }),
    ...(sent.files && { files: sent.files }),
  })
  return answerOf(response.status, response.headers, response.body)
}

export function answerOf(status: number, headers: Readonly<Record<string, string>>, text: string): Answer {
  const isJson = text !== '' && !headers['content-type']?.startsWith('text/plain')
  const body: unknown = isJson ? JSON.parse(text) : undefined
  return { status, headers, text, body, payload: isObject(body) ? body.payload : undefined }
}

/** The warnings of an answer. */
export const warningsOf = ({ headers }: Pick<Answer, 'headers'>): readonly Warning[] =>
  warningsIn(headers['vatom-warning'])

/** A message to a user, as the outbox shows it. */
export interface Message {
  readonly to: string
  readonly token_type: string
  readonly kind: string
  readonly code: string
  readonly when: string
}

/** Messages that were sent, newest last. */
export async function outbox(service: Service): Promise<readonly Message[]> {
  const { baseUrl } = await service.listen({ host: '127.0.0.1', port: 0 })
  const response = await fetch(`${baseUrl}/__vatom/outbox`)
  const { payload } = (await response.json()) as { readonly payload: readonly Message[] }
  return payload
}

/** The latest code that was sent to a token. */
export async function codeFor(service: Service, token: string): Promise<string> {
  const sent = (await outbox(service)).filter(({ to }) => to === token)
  return sent.at(-1)?.code ?? ''
}

/** The path of an operation with its parameters filled in. */
export const pathOf = (operation: Operation, name = 'x'): string =>
  api[operation].path.replace(/:\w+/, encodeURIComponent(name))

/** Calls that must succeed, one after the other. */
export async function made(caller: Caller, ...calls: readonly (readonly [string, string, unknown?])[]) {
  let last: Answer | undefined
  for (const [method, path, body] of calls) {
    last = await caller.call(method, path, { body })
    if (last.status !== 200) throw new Error(`${method} ${path}: ${last.text}`)
  }
  return last?.payload
}

/** Emits vAtoms of a published variation made for it; answers their ids. */
export async function emitted(caller: Caller, name: string, num: number, type: object = {}, custom?: object) {
  const { ids } = await made(
    caller,
    ['POST', '/v1/templates', template({ template: name, unpublished: false }, type, custom)],
    ['POST', '/v1/template_variations', { template: name, template_variation: `${name}::V`, unpublished: false }],
    ['POST', '/v1/vatoms', { template_variation: `${name}::V`, num }],
  )
  return ids as string[]
}
