import type { Dispatcher } from 'undici'
import request from 'undici/lib/api/api-request.js'
import Agent from 'undici/lib/dispatcher/agent.js'
import type { WireRequest, WireResponse } from '../contract/wire.ts'
import { UnreachableError } from './errors.ts'
import { isLoopback } from './loopback.ts'
import type { Transport } from './transport.ts'

export interface NetworkOptions {
  readonly baseUrl: string
  /** Milliseconds until a request without an answer is given up. */
  readonly timeout: number
  /** Aborts what is under way. */
  readonly signal?: AbortSignal
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Bytes of an answer at most. */
const maxResponseSize = 256 * 1024 * 1024

/** A transport over HTTP; `close` drops its connections, so that the process can end. */
export async function networkTransport(
  options: NetworkOptions,
): Promise<{ send: Transport; close: () => Promise<void> }> {
  const dispatcher = await createDispatcher(options)
  const base = new URL(options.baseUrl)
  const prefix = base.pathname.replace(/\/+$/, '')
  return {
    send: (wire) => sendOver(dispatcher, { ...wire, path: prefix + wire.path }, base.origin, options),
    close: () => dispatcher.destroy(),
  }
}

async function createDispatcher({ baseUrl, env, timeout }: NetworkOptions): Promise<Dispatcher> {
  const settings = { connect: { timeout }, headersTimeout: timeout, bodyTimeout: timeout, maxResponseSize }
  const proxies = [env.HTTP_PROXY, env.http_proxy, env.HTTPS_PROXY, env.https_proxy]
  if (isLoopback(baseUrl) || !proxies.some(Boolean)) return new Agent(settings)
  const { proxyAgent } = await import('./proxy.ts')
  try {
    return proxyAgent(env, settings)
  } catch (cause) {
    throw new UnreachableError(baseUrl, `the proxy of the environment cannot be used: ${reasonOf(cause)}`, { cause })
  }
}

async function sendOver(
  dispatcher: Dispatcher,
  wire: WireRequest,
  origin: string,
  { timeout, signal, baseUrl }: NetworkOptions,
): Promise<WireResponse> {
  const deadline = AbortSignal.timeout(timeout)
  const aborted = signal ? AbortSignal.any([signal, deadline]) : deadline
  try {
    return await Promise.race([exchange(dispatcher, wire, origin, aborted), rejection(aborted)])
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    const reason = deadline.aborted ? `no answer within ${timeout / 1000} s` : reasonOf(error)
    throw new UnreachableError(baseUrl, reason, { cause: error })
  }
}

async function exchange(
  dispatcher: Dispatcher,
  wire: WireRequest,
  origin: string,
  signal: AbortSignal,
): Promise<WireResponse> {
  const response = await request.call(dispatcher, {
    origin,
    path: wire.path,
    method: wire.method as Dispatcher.HttpMethod,
    headers: { ...wire.headers, accept: 'application/json' },
    body: wire.body ?? null,
    signal,
  })
  return { status: response.statusCode, headers: plainHeaders(response.headers), body: await response.body.text() }
}

/** Rejects as soon as the signal aborts: a request that waits for a tunnel does not notice by itself. */
const rejection = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))

const plainHeaders = (headers: Readonly<Record<string, string | string[] | undefined>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there (connection refused)',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be looked up',
  ECONNRESET: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_HEADERS_TIMEOUT: 'the answer did not come in time',
  UND_ERR_BODY_TIMEOUT: 'the answer did not come in time',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'the answer is too large',
}

function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error
  if (!(first instanceof Error)) return String(first)
  const code = (first as NodeJS.ErrnoException).code ?? ''
  return reasons[code] ?? first.message
}
