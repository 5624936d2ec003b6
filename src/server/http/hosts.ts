import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'
import { ApiError, errorCatalogue } from '../../contract/api/errors.ts'
import { isLoopback } from '../../contract/api/loopback.ts'
import { limits } from '../../contract/limits.ts'
import type { Network } from '../service.ts'
import { withoutPort } from '../store/places.ts'

/** The address by which emulators call the machine they run on. */
const fromEmulators = '10.0.2.2'

/** The name by which containers do. */
const fromContainers = 'host.docker.internal'

/** Whether the `Host` header of a request names the service: a page of another site can have led others here. */
export function hostCheck(allowed: readonly string[]): (headers: IncomingHttpHeaders) => boolean {
  const names = new Set([fromEmulators, ...allowed].map((name) => nameOf(name.toLowerCase())))
  let accepted: string | undefined
  return (headers) => {
    const { host } = headers
    if (host === undefined || host === accepted) return host !== undefined
    const name = nameOf(host.toLowerCase())
    const isAccepted = name !== '' && (isLoopback(name) || names.has(name))
    if (isAccepted) accepted = host
    return isAccepted
  }
}

/**
 * Whether a request has the name by which programs in containers call this machine. Whoever answers for names on its network
 * can be it for a browser, too: what a page cannot hide tells most of those, but not all.
 */
export const isOfContainer = (headers: IncomingHttpHeaders): boolean =>
  nameOf(headers.host?.toLowerCase() ?? '') === fromContainers && !isOfBrowser(headers)

/** Whether a request names an address: no page of another site has one of ours. */
export const namesAddress = ({ host = '' }: IncomingHttpHeaders): boolean =>
  isIP(nameOf(host).replace(/^\[(.*)\]$/, '$1')) !== 0

/** Whether a request shows that it is of a page in a browser. */
const isOfBrowser = (headers: IncomingHttpHeaders): boolean =>
  pageHeaders.some((name) => headers[name] !== undefined) || /^Mozilla\//.test(headers['user-agent'] ?? '')

const pageHeaders = ['origin', 'referer', 'sec-fetch-site'] as const

/**
 * Whether a request has more header fields than are accepted. Node leaves out those after some more, among which may be what
 * a proxy has added.
 */
export const hasTooManyFields = (rawHeaders: readonly string[]): boolean => rawHeaders.length >= 2 * limits.headerFields

/** Whether a request names several hosts: a proxy before the service may have judged another than this one does. */
export function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hosts++
  return hosts > 1
}

/** A host without its port, with brackets around an IPv6 address; empty for what is not a host. */
function nameOf(host: string): string {
  const [, name] = /^(\[[\da-f:.]+\]|[^:[\]]+)(?::\d*)?$/.exec(host) ?? []
  if (name !== undefined) return name
  // The first call compiles a large expression, which takes milliseconds.
  return isIPv6(host) ? `[${host}]` : ''
}

/** Whether a request comes from this machine, or from a network that is trusted like it. */
export type MachineCheck = (request: Pick<IncomingMessage, 'socket' | 'headers'>) => boolean

/** What is added to a request that a proxy on this machine, or this service to a handler, sends on for somebody else. */
const proxyHeaders = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'x-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
]

/** The header by which a request is sent on for somebody else, if it has one. */
export const proxyHeaderOf = ({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined =>
  proxyHeaders.find((name) => headers[name] !== undefined)

/** The error for a request that is not from this machine. */
export function otherMachine(request: Pick<IncomingMessage, 'headers'>): ApiError {
  const header = proxyHeaderOf(request)
  return new ApiError(
    'otherMachine',
    header && `${errorCatalogue.otherMachine.title}: this one was sent on for another, it has ${header}`,
  )
}

/** Checks the address of a connection; a request that was sent on for another is from elsewhere. */
export function machineCheck(trusted: readonly Network[]): MachineCheck {
  const isTrusted = networkCheck(trusted)
  return (request) => {
    const { remoteAddress = '' } = request.socket
    if (proxyHeaderOf(request) !== undefined) return false
    return isLoopback(remoteAddress) || isTrusted(remoteAddress)
  }
}

/** Whether an address, with or without a port, is in one of some networks; what is not an address is in none. */
export function networkCheck(networks: readonly Network[]): (address: string) => boolean {
  if (networks.length === 0) return () => false
  const list = new BlockList()
  for (const { address, prefix, family } of networks) list.addSubnet(address, prefix, family)
  return (given) => {
    // An address of one link ends with the name of an interface.
    const [address = ''] = withoutPort(given).split('%')
    const family = isIP(address)
    return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4')
  }
}

/** Whether a request has a token. */
export type TokenCheck = (request: Pick<IncomingMessage, 'headers'>) => boolean

/** Checks the bearer token of requests; without a token nobody has it. */
export function tokenCheck(token: string | undefined): TokenCheck {
  if (!token) return () => false
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const wanted = digest(`Bearer ${token}`)
  return ({ headers: { authorization = '' } }) => timingSafeEqual(digest(authorization), wanted)
}
