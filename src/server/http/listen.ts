import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../../contract/api/errors.ts'
import { isLoopback } from '../../contract/api/loopback.ts'
import { socketPath } from '../../contract/api/socket.ts'
import { limits } from '../../contract/limits.ts'
import { codeOf } from '../../file-system.ts'
import { portOf } from '../../listening-port.ts'
import { addConsole } from '../console/console-routes.ts'
import { finishDeletions } from '../domain/users/deletion.ts'
import type { Environment } from '../environment.ts'
import type { Listening, ServiceOptions } from '../service.ts'
import { ServiceFailure } from '../service-failure.ts'
import { addOperations, bareApp } from './app.ts'
import { addAssetRoutes } from './asset-routes.ts'
import { callersBehind } from './callers.ts'
import { connectionsOf } from './close-connections.ts'
import { boundConnections } from './connection-places.ts'
import { addCors, pagesFrom } from './cors.ts'
import { addEventSocket } from './event-socket.ts'
import {
  hasSeveralHosts,
  hasTooManyFields,
  hostCheck,
  isOfContainer,
  type MachineCheck,
  machineCheck,
  namesAddress,
  proxyHeaderOf,
  type TokenCheck,
  tokenCheck,
} from './hosts.ts'
import { addLocalRoutes, localAccess } from './local-routes.ts'
import { logMessages } from './message-log.ts'
import { parseInTurns } from './pipelined-requests.ts'
import { addScenarioHook } from './scenario-hook.ts'
import { boundUnread, collectEarly } from './unread-answers.ts'

/** Where to listen; port 0 takes a free one. */
export interface Address {
  readonly host: string
  readonly port: number
}

/**
 * Serves the API and the service's own routes over HTTP, and adds a function that stops it to `closers`. Throws what
 * `Service.listen` declares.
 */
export async function listenOn(
  environment: Environment,
  options: ServiceOptions,
  address: Address,
  closers: Set<() => Promise<void>>,
): Promise<Listening> {
  const known = isLoopback(address.host) ? [] : environment.seed.withDefaultPassword()
  if (known.length > 0)
    throw new ServiceFailure(
      'default_password_exposed',
      `refusing to listen on ${address.host} with the default password of ${known.join(', ')}`,
      'set a password of your own with VATOM_SERVE_PASSWORD',
    )
  environment.store.serveOthers()
  await environment.assets.tidy()
  void finishDeletions(environment)
  const { app, closeEvents, console } = networkApp(environment, options, address)
  const closeUnfinished = connectionsOf(app.server, environment.monitoring.open)
  const port = await bind(app, address)
  closers.add(async () => {
    const closed = app.close()
    closeEvents()
    console?.close()
    closeUnfinished()
    await closed
  })
  const authority = `${reachable(address.host)}:${port}`
  const baseUrl = `http://${authority}`
  const wsUrl = `ws://${authority}${socketPath}`
  return { host: address.host, port, baseUrl, wsUrl, ...(console && { consoleLink: () => console.newLink(baseUrl) }) }
}

function networkApp(environment: Environment, options: ServiceOptions, { host }: Address) {
  const callers = callersBehind(options.trustedProxies ?? [])
  const app = bareApp(environment, callers)
  noteProxies(app, environment, options)
  const isAllowed = hostCheck([host, ...(options.allowHosts ?? [])])
  const refused = hostRefusals(environment)
  const isOwnMachine = machineCheck(options.trustedNetworks ?? [])
  const hasToken = tokenCheck(options.metricsToken)
  app.addHook('onRequest', (request, _reply, done) => {
    const { rawHeaders } = request.raw
    if (hasTooManyFields(rawHeaders))
      throw new ApiError('invalid', `the request has ${limits.headerFields} or more header fields`)
    if (hasSeveralHosts(rawHeaders)) throw new ApiError('invalid', 'the request has several Host headers')
    if (!isAllowed(request.headers) && !takesOtherHosts(request, isOwnMachine, hasToken))
      throw refused(request.headers.host)
    done()
  })
  addCors(app, options.corsOrigins ?? [])
  addScenarioHook(app, environment)
  addOperations(app, environment)
  const endMessages = logMessages(environment)
  app.addHook('onClose', async () => endMessages())
  const isAllowedPage = pagesFrom(options.corsOrigins ?? [])
  addLocalRoutes(app, environment, { isOwnMachine, hasToken, isAllowedPage })
  addAssetRoutes(app, environment)
  const { pages, catalog } = options
  const console =
    pages === undefined
      ? undefined
      : addConsole(app, environment, {
          ...{ pages, isOwnMachine, catalog, host: reachable(host) },
          isLocal: options.isLocal === true,
        })
  // Requests take longer then. What runs within an app leaves the memory of its process to it.
  const onShort = options.maxMemory === undefined ? () => {} : collectEarly
  const { connections } = environment
  const noteFull = () =>
    environment.log?.(`${connections} connections are open, the most: one that waits is closed for each new one`)
  boundConnections(app.server, connections, noteFull, callers.of)
  // More are not kept: each short one takes several times as much memory as it has characters.
  app.server.maxHeadersCount = limits.headerFields
  parseInTurns(app.server, environment.memory, callers)
  const unfinished = boundUnread(app.server, environment.memory, onShort, callers.of)
  const closeEvents = addEventSocket(app, environment, isAllowedPage, unfinished)
  // A client that asks first whether to send its body (Expect) is answered like any other.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  return { app, closeEvents, console }
}

/** The most addresses that are logged as those of proxies. */
const loggedProxies = 10

/** Logs the addresses from which requests are sent on for others, whose callers cannot be told apart; anybody can write the header. */
function noteProxies(app: FastifyInstance, { log }: Environment, { trustedProxies }: ServiceOptions): void {
  if (!log || trustedProxies) return
  const logged = new Set<string>()
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const [address = ''] = (raw.socket.remoteAddress ?? '').split('%')
    const header = logged.size >= loggedProxies || logged.has(address) ? undefined : proxyHeaderOf(raw)
    if (header !== undefined) {
      logged.add(address)
      log(
        `${address} sends requests on for others (${header}); if that is your reverse proxy, to tell its callers apart: vatom serve --trust-proxy ${address}`,
      )
    }
    done()
  })
}

/** The most names that are logged as refused. */
const loggedHosts = 10

/** The refusal of a `Host` header; the first of each name is logged with the flag that accepts it. */
function hostRefusals({ log }: Environment) {
  const logged = new Set<string>()
  return (header = ''): ApiError => {
    const [name] = /^[\w.-]{1,253}(?=:\d+$|$)/.exec(header) ?? ['NAME']
    const remedy = `to accept it: vatom serve --allow-host ${name}`
    if (logged.size < loggedHosts && !logged.has(name)) {
      logged.add(name)
      log?.(`refused the Host header ${name}; ${remedy}`)
    }
    return new ApiError('hostRefused', `The service does not accept this Host header; ${remedy}`)
  }
}

/**
 * Whether a request is answered although no known name is in it: one to read what is no data of anybody, one of a trusted
 * network by an address or with a token, and one of a container for the API, which has tokens of its own. Any other name may
 * be of a page of another site, which reads what it is answered.
 */
function takesOtherHosts(request: FastifyRequest, isOwnMachine: MachineCheck, hasToken: TokenCheck): boolean {
  const from = localAccess(request)
  if (from === undefined) return isOfContainer(request.headers)
  if (from === 'anywhere') return request.method === 'GET'
  const isElsewhere = !isLoopback(request.socket.remoteAddress ?? '') && namesAddress(request.headers)
  return (isElsewhere && isOwnMachine(request)) || (from === 'own-machine-or-token' && hasToken(request))
}

/** Connections that wait to be accepted, as far as the system allows: one is accepted in each turn of the event loop. */
const backlog = 1024

async function bind(app: FastifyInstance, { host, port }: Address): Promise<number> {
  try {
    await app.listen({ host, port, backlog })
    return portOf(app.server)
  } catch (error) {
    await app.close()
    throw explained(error, host, port)
  }
}

function explained(error: unknown, host: string, port: number): unknown {
  const code = codeOf(error)
  if (code === 'EADDRINUSE')
    return new ServiceFailure(
      'port_taken',
      `port ${port} on ${host} is taken`,
      'choose another, or --port 0 for a free one',
    )
  if (['EADDRNOTAVAIL', 'EACCES', 'ENOTFOUND', 'EAI_AGAIN', 'ERR_SOCKET_BAD_PORT'].includes(String(code)))
    return new ServiceFailure('address_unusable', `cannot listen on ${host}:${port}: ${code}`, 'choose another address')
  return error
}

/** The host by which a service on this machine is called. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
