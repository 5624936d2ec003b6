import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import { ApiError } from '../../contract/api/errors.ts'
import { isLoopback } from '../../contract/api/loopback.ts'

/** Names by which emulators and containers call the machine they run on. */
const fromWithin = ['10.0.2.2', 'host.docker.internal']

/** Whether a `Host` header names the service: requests that name other sites are refused. */
export function hostCheck(allowed: readonly string[]): (header: string | undefined) => boolean {
  const names = new Set([...fromWithin, ...allowed].map((name) => nameOf(name.toLowerCase())))
  return (header) => {
    const name = nameOf((header ?? '').toLowerCase())
    return name !== '' && (isLoopback(name) || names.has(name))
  }
}

/** A host without its port, with brackets around an IPv6 address; empty for what is not a host. */
function nameOf(host: string): string {
  // The first call of isIPv6 compiles a large expression.
  if (host.includes(':') && isIPv6(host)) return `[${host}]`
  const [, name = ''] = /^(\[[\da-f:.]+\]|[^:[\]]+)(?::\d*)?$/.exec(host) ?? []
  return name
}

/** Refuses a request from another machine with `hostRefused`. */
export function checkOwnMachine({ socket }: Pick<IncomingMessage, 'socket'>): void {
  if (!isLoopback(socket.remoteAddress ?? '')) throw new ApiError('hostRefused', 'only from this machine')
}
