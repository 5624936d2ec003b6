import type { Dispatcher } from 'undici'
import request from 'undici/lib/api/api-request.js'
import Agent from 'undici/lib/dispatcher/agent.js'
import { dryRunHeader } from '../contract/api/dry-run-header.ts'
import type { Files, WireRequest, WireResponse } from '../contract/api/wire.ts'
import { countedSigns, excessOf } from '../contract/json-shape.ts'
import { limits } from '../contract/limits.ts'
import { at } from '../contract/schema/path.ts'
import { messageOf, parseJson } from '../contract/unknown-values.ts'
import { codeOf } from '../file-system.ts'
import { reachOf } from '../this-machine.ts'
import { received } from './answer.ts'
import { type LongFailureError, UnreachableError } from './errors.ts'
import { HttpsPortError, httpsPort, speaksHttps } from './https-port.ts'
import { multipart } from './multipart.ts'
import { hasUser, isFaulty, ProxyError, type ProxyVariable, proxyFault, shownProxy, wayTo } from './proxies.ts'
import type { OnProxy } from './proxy.ts'
import type { Transport } from './transport.ts'

export interface NetworkOptions {
  readonly baseUrl: string
  /** Milliseconds for a request and all of its answer; an upload, or a long answer, may take longer while it progresses. */
  readonly timeout: number
  /** Aborts running requests. */
  readonly signal?: AbortSignal
  readonly env: Readonly<Record<string, string | undefined>>
}

/** A transport over HTTP; `close` ends its connections, so that the process can end. */
export async function networkTransport(
  options: NetworkOptions,
): Promise<{ send: Transport; close: () => Promise<void> }> {
  const line: { proxy?: ProxyVariable; isConnected: boolean; unread: number } = {
    isConnected: false,
    unread: limits.answer,
  }
  const dispatcher = await dispatcherFor(options, (proxy) => {
    line.proxy = proxy
  })
  const base = new URL(options.baseUrl)
  dispatcher.on('connect', () => {
    line.isConnected = true
  })
  const prefix = base.pathname.replace(/\/+$/, '')
  return {
    send: (wire) => sendOver(dispatcher, line, { ...wire, path: prefix + wire.path }, base.origin, options),
    close: () => dispatcher.destroy(),
  }
}

/** Connections to an address: through the proxies of the environment, but to this machine itself. */
export async function dispatcherFor(
  { baseUrl, env, timeout }: Omit<NetworkOptions, 'signal'>,
  onProxy: OnProxy = () => {},
): Promise<Dispatcher> {
  const settings = {
    connect: { timeout, ...reachOf(new URL(baseUrl).hostname) },
    headersTimeout: timeout,
    bodyTimeout: timeout,
    maxResponseSize: limits.answer,
  }
  const way = wayTo(baseUrl, env)
  if ('direct' in way) return new Agent(settings)
  const fault = isFaulty(way.proxy) ? proxyFault(env) : undefined
  if (fault) throw new UnreachableError(baseUrl, fault.message, { isMisconfigured: true, remedy: fault.remedy })
  const { proxyAgent } = await import('./proxy.ts')
  return proxyAgent(way.proxy, settings, onProxy)
}

/** Through which proxy an address is reached, if through any, and whether there was a connection to it. */
interface Line {
  readonly proxy?: ProxyVariable
  readonly isConnected: boolean
  /** Bytes of answers that may come besides those that are being read. */
  unread: number
}

async function sendOver(
  dispatcher: Dispatcher,
  line: Line,
  wire: WireRequest,
  origin: string,
  { timeout, signal, baseUrl }: NetworkOptions,
): Promise<WireResponse> {
  signal?.throwIfAborted()
  const deadline = deadlineIn(timeout)
  const interruption = signal && mayAnswer(wire) ? delayed(signal, line) : undefined
  const stop = interruption?.signal ?? signal
  const aborted = stop ? AbortSignal.any([stop, deadline.signal]) : deadline.signal
  try {
    const content = wire.files ? uploadOf(wire.files, deadline.restart) : { headers: {}, body: wire.body ?? null }
    const answer = await Promise.race([
      exchange(dispatcher, wire, { ...content, origin, signal: aborted }, line, deadline.restart),
      rejection(aborted),
    ])
    if (isPlainRefusal(answer) && (await isHttpsPort(origin, line))) throw new HttpsPortError()
    return passedOn(answer, line)
  } catch (cause) {
    const isMistaken = isClosed(cause) && !signal?.aborted && (await isHttpsPort(origin, line))
    const error = isMistaken ? new HttpsPortError('', { cause }) : cause
    const mayBeDone = wire.changes === true && line.isConnected && !isUnsent(error)
    if (signal?.aborted && !mayBeDone) throw signal.reason
    const isLate = deadline.signal.aborted || lateCodes.includes(codeOf(firstOf(error)))
    const reason = isLate ? `no answer within ${timeout / 1000} s` : reasonOf(error)
    const through = line.proxy && !(error instanceof ProxyError) ? `, through the proxy ${shownProxy(line.proxy)}` : ''
    throw new UnreachableError(baseUrl, `${reason}${through}`, {
      cause: error,
      isClosed: isClosed(error),
      isRefused: codeOf(firstOf(error)) === 'ECONNREFUSED',
      remedy: remedyOf(error),
      waited: isLate && line.isConnected ? timeout / 1000 : 0,
      mayBeDone,
    })
  } finally {
    deadline.end()
    interruption?.end()
  }
}

/** Milliseconds for which the answer to a change is waited for after an interruption: without it nobody knows what it did. */
const grace = 2_000

/** Whether the answer to a request says what it has changed. */
const mayAnswer = ({ changes, headers }: WireRequest): boolean => changes === true && !(dryRunHeader in headers)

/** A signal that aborts some time after another one; at once where nothing can have been sent. */
function delayed(signal: AbortSignal, line: Line) {
  const controller = new AbortController()
  const abort = () => controller.abort(signal.reason)
  let timer: NodeJS.Timeout | undefined
  const start = () => {
    timer = setTimeout(abort, line.isConnected ? grace : 0)
  }
  signal.addEventListener('abort', start, { once: true })
  const end = () => {
    signal.removeEventListener('abort', start)
    clearTimeout(timer)
  }
  return { signal: controller.signal, end }
}

/** Whether an answer may be that of a port which was to be spoken to in https: such as 400 of nginx, with a page. */
const isPlainRefusal = ({ status, body }: WireResponse) => status === 400 && parseJson(body) === undefined

/** Whether an address says http, and its port speaks https. */
const isHttpsPort = async (origin: string, { proxy }: Line): Promise<boolean> =>
  origin.startsWith('http:') && proxy === undefined && (await speaksHttps(origin))

/** An answer; a failure may be the proxy's. Throws ProxyError for a proxy that asks for a user and a password. */
function passedOn(answer: WireResponse, { proxy }: Line): WireResponse {
  if (answer.status === 200 || proxy === undefined) return answer
  if (answer.status !== 407) return { ...answer, through: shownProxy(proxy) }
  throw new ProxyError(proxy, { status: answer.status })
}

/** A time limit that can be restarted. Its end aborts, too: what waits for its signal, or one made of it, stays in memory. */
function deadlineIn(milliseconds: number) {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), milliseconds).unref()
  const end = () => {
    clearTimeout(timer)
    controller.abort()
  }
  return { signal: controller.signal, restart: () => void timer.refresh(), end }
}

/** The body of a request, and the headers that describe it. */
interface Content {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | AsyncIterable<Uint8Array> | null
  /** 0 switches undici's own limit off: the deadline is restarted while an upload is being sent. */
  readonly headersTimeout?: number
}

function uploadOf(files: Files, onProgress: () => void): Content {
  const { contentType, body } = multipart(files)
  return { headers: { 'content-type': contentType }, body: inPieces(body, onProgress), headersTimeout: 0 }
}

/** Bytes of an upload after which the deadline is restarted. */
const pieceSize = 16 * 1024

/** The same bytes in small pieces; `onProgress` is called when a piece was sent. */
async function* inPieces(body: AsyncIterable<Uint8Array>, onProgress: () => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of body)
    for (let start = 0; start < chunk.length; start += pieceSize) {
      yield chunk.subarray(start, start + pieceSize)
      onProgress()
    }
}

async function exchange(
  dispatcher: Dispatcher,
  wire: WireRequest,
  { headers, ...content }: Content & { readonly origin: string; readonly signal: AbortSignal },
  line: Pick<Line, 'unread'>,
  onProgress: () => void,
): Promise<WireResponse> {
  const response = await request.call(dispatcher, {
    path: wire.path,
    method: wire.method as Dispatcher.HttpMethod,
    headers: { ...wire.headers, ...headers, accept: 'application/json', 'accept-encoding': 'identity' },
    ...content,
  })
  const body = await textOf(response.body, line, onProgress).catch((cause: unknown) => {
    throw isClosed(cause) ? new AnswerError(answerCodes.cut, { cause }) : cause
  })
  if (response.statusCode === 200 && isEncoded(response.headers)) throw new AnswerError(answerCodes.encoded)
  const excess = looksLikeJson(body) ? excessOf(body, answerBounds) : undefined
  if (excess !== undefined) throw new Error(`the answer has more than ${answerBounds[excess]} ${excess}`)
  return received(wire, { status: response.statusCode, headers: plainHeaders(response.headers), body })
}

const answerCodes = { cut: 'CUT_ANSWER', encoded: 'ENCODED_ANSWER', large: 'LARGE_ANSWERS' } as const

/** The failure of an answer that cannot be read. */
class AnswerError extends Error {
  override readonly name = 'AnswerError'
  readonly code: (typeof answerCodes)[keyof typeof answerCodes]

  constructor(code: AnswerError['code'], options?: ErrorOptions) {
    super('', options)
    this.code = code
  }
}

/** Whether an answer is compressed all the same. */
const isEncoded = ({ 'content-encoding': encoding }: Readonly<Record<string, string | string[] | undefined>>) =>
  encoding !== undefined && encoding !== 'identity'

/** Bytes of an answer after which the deadline is restarted: one that comes slower is given up. */
const answerPiece = 1_048_576

/** The text of a body; `onProgress` is called when another piece has come. Other answers of the line may be read meanwhile. */
async function textOf(
  body: AsyncIterable<Uint8Array>,
  line: Pick<Line, 'unread'>,
  onProgress: () => void,
): Promise<string> {
  const parts: Uint8Array[] = []
  let length = 0
  let reported = 0
  try {
    for await (const part of body) {
      parts.push(part)
      length += part.length
      line.unread -= part.length
      if (line.unread < 0) throw new AnswerError(answerCodes.large)
      if (length - reported < answerPiece) continue
      reported = length
      onProgress()
    }
    return new TextDecoder().decode(Buffer.concat(parts))
  } finally {
    line.unread += length
  }
}

/**
 * What is read of an answer: values that fit into memory, each of which begins with or follows one of these signs, and levels
 * that can be walked.
 */
const answerBounds = { levels: limits.answerDepth, values: limits.answerValues, counted: countedSigns(',[{') }

/** Whether a text looks as if it is a JSON object or list: pages have signs of JSON, too. */
const looksLikeJson = (text: string) => /^\s*[[{]/.test(text)

/** Rejects as soon as the signal aborts: a request that waits for a proxy's tunnel does not notice it. */
const rejection = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))

const plainHeaders = (headers: Readonly<Record<string, string | string[] | undefined>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

/** Codes of a certificate that is self-signed, or of an authority that this machine does not know. */
const unknownAuthorityCodes = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]

/** Codes of an answer that is no TLS. */
const plainCodes = ['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG']

/** The code of a certificate that is for other hosts than the one of the address. */
const otherHosts = 'ERR_TLS_CERT_ALTNAME_INVALID'
/** How many of the hosts of a certificate are named. */
const hostsShown = 5

/** The hosts that a refused certificate is for, in a few words. */
function hostsOf(error: unknown): string {
  const names = String(at(error, 'cert', 'subjectaltname') ?? '').matchAll(/(?:DNS|IP Address):([^\s,"]+)/g)
  const [first, ...others] = [...names].map(([, name = '']) => name)
  const shown = [first ?? at(error, 'cert', 'subject', 'CN') ?? 'no host', ...others].slice(0, hostsShown)
  return `${shown.join(', ')}${others.length >= hostsShown ? ' …' : ''}`
}

/** The same text for each of some codes. */
function forCodes(codes: readonly string[], text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(codes.map((code) => [code, text]))
}

const reasons: Readonly<Record<string, string>> = {
  ...forCodes(['EMFILE', 'ENFILE'], 'too many files are open on this machine'),
  ECONNREFUSED: 'nothing listens there (connection refused)',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be looked up',
  ECONNRESET: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
  [answerCodes.cut]: 'the connection was closed in the middle of the answer',
  [answerCodes.encoded]: 'the answer is compressed, though one was asked for that is not',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_HEADERS_TIMEOUT: 'the answer did not come in time',
  UND_ERR_BODY_TIMEOUT: 'the answer did not come in time',
  ...forCodes(['UND_ERR_RES_EXCEEDED_MAX_SIZE', answerCodes.large], 'what it sends is too large'),
  ...forCodes(unknownAuthorityCodes, 'no known authority has issued its certificate'),
  ...forCodes(plainCodes, 'it does not speak https'),
  [httpsPort]: 'it speaks https',
  UND_ERR_HEADERS_OVERFLOW: 'the headers that it sends are too large',
}

/** The code of a LongFailureError. */
const longFailure: LongFailureError['code'] = 'LONG_FAILURE'

/** Codes of an answer that is not read to its end. */
const tooLargeCodes = ['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'UND_ERR_HEADERS_OVERFLOW', answerCodes.large]

/** Codes of an answer that did not come in time. */
const lateCodes: readonly unknown[] = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']

/** Codes of requests for which there was no connection. */
const unsentCodes: readonly unknown[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  httpsPort,
  'EMFILE',
  'ENFILE',
]

const isUnsent = (error: unknown) => error instanceof ProxyError || unsentCodes.includes(codeOf(firstOf(error)))

/** Codes of a connection that was closed before the whole answer came. */
const closedCodes: readonly unknown[] = ['ECONNRESET', 'UND_ERR_SOCKET', answerCodes.cut]

const isClosed = (error: unknown): boolean => closedCodes.includes(codeOf(firstOf(error)))

/** The first of several failures, such as one for each address of a host. */
const firstOf = (error: unknown): unknown => (error instanceof AggregateError ? error.errors[0] : error)

/** What to do about a failure of TLS, of a proxy, or of what answers; undefined for any other. */
function remedyOf(error: unknown): string | undefined {
  if (error instanceof ProxyError) return proxyRemedy(error)
  return remedies[String(codeOf(firstOf(error)))]
}

const remedies: Readonly<Record<string, string>> = {
  ...forCodes(
    unknownAuthorityCodes,
    "for a company's own authority: NODE_EXTRA_CA_CERTS=FILE, with its certificate in PEM",
  ),
  [otherHosts]:
    'write the address with a host that the certificate is for, or give the service a certificate for this one',
  [httpsPort]: 'write the address with https://',
  [answerCodes.encoded]: 'have what is between heed Accept-Encoding: identity, with which requests are sent',
  [answerCodes.cut]: 'see the logs of the service, and of what is between, for why it was cut off',
  ...forCodes(plainCodes, 'check the port, and whether it is http://'),
  [longFailure]: 'is this a vAtom service? check the address, and the logs of what is between for what it answers',
  ...forCodes(tooLargeCodes, 'is this a vAtom service? check the address, or ask for fewer at a time'),
}

const proxyRemedy = ({ status, proxy }: ProxyError): string => {
  if (status !== 407) return 'correct the variable, or name the host of the service in NO_PROXY'
  return hasUser(proxy)
    ? 'correct the user and the password in the variable; encode signs such as @ and : in them, as %40 and %3A'
    : 'write the user and the password into the variable: http://USER:PASSWORD@HOST:PORT'
}

/** Why a request failed, in a few words. */
export function reasonOf(error: unknown): string {
  if (error instanceof ProxyError) return `the proxy ${shownProxy(error.proxy)}: ${tunnelReason(error)}`
  const first = firstOf(error)
  if (codeOf(first) === otherHosts) return `its certificate is for ${hostsOf(first)}, not for ${at(first, 'host')}`
  return reasons[String(codeOf(first))] ?? messageOf(first)
}

function tunnelReason({ status, proxy, cause }: ProxyError): string {
  if (status === undefined) return reasonOf(cause)
  if (status !== 407) return `it opens no connection to the service (${status})`
  return hasUser(proxy)
    ? 'it does not accept the user and the password (407)'
    : 'it asks for a user and a password (407)'
}
