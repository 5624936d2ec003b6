import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import { ApiError } from '../../contract/api/errors.ts'
import { isLoopback } from '../../contract/api/loopback.ts'

/** Names under which emulators and containers reach the machine they run on. */
const fromWithin = ['10.0.2.2', 'host.docker.internal']

/** Whether a `Host` header is one that the service answers to: requests under other sites' names are refused. */
export function hostCheck(allowed: readonly string[]): (header: string | undefined) => boolean {
  const names = new Set([...fromWithin, ...allowed].map((name) => nameOf(name.toLowerCase())))
  return (header) => {
    const name = nameOf((header ?? '').toLowerCase())
    return name !== '' && (isLoopback(name) || names.has(name))
  }
}

/** A host without its port, empty for what is no host; an IPv6 address has brackets. */
function nameOf(host: string): string {
  // Node compiles a large expression for the first of these.
  if (host.includes(':') && isIPv6(host)) return `[${host}]`
  const [, name = ''] = /^(\[[\da-f:.]+\]|[^:[\]]+)(?::\d*)?$/.exec(host) ?? []
  return name
}

/** Refuses with `hostRefused` a request from another machine: what changes the service itself is for its own. */
export function checkOwnMachine({ socket }: Pick<IncomingMessage, 'socket'>): void {
  if (!isLoopback(socket.remoteAddress ?? '')) throw new ApiError('hostRefused', 'only from this machine')
}
