import type { IncomingMessage } from 'node:http'
import { limits } from '../../contract/limits.ts'
import type { Network } from '../service.ts'
import { networkCheck } from './hosts.ts'

/** The address of who sent a request. */
export type CallerOf = (request: IncomingMessage) => string | undefined

/** Where nobody sends requests on for others. */
export const connected: CallerOf = ({ socket }) => socket.remoteAddress

/** Who sends requests, and by which connections. */
export interface Callers {
  readonly of: CallerOf
  /** Whether a connection from an address is of a proxy, so that its caller is known with its first header. */
  readonly areBehind: (address: string) => boolean
}

export const direct: Callers = { of: connected, areBehind: () => false }

/**
 * Whether an address is that of a proxy of some networks, by which a request came; `hops` later proxies have been told from
 * its caller already. Each look takes some microseconds, and a header has room for a thousand addresses.
 */
export function proxyCheck(networks: readonly Network[]): (address: string, hops: number) => boolean {
  const isProxy = networkCheck(networks)
  return (address, hops) => hops < limits.proxies && isProxy(address)
}

/** Behind proxies of some networks: the last address that is none of a proxy, whatever the caller wrote before it. */
export function callersBehind(proxies: readonly Network[]): Callers {
  if (proxies.length === 0) return direct
  const isProxy = proxyCheck(proxies)
  return {
    of: ({ socket, headers }) => {
      const named = [headers['x-forwarded-for'] ?? []].flat().join().split(',')
      const addresses = [...named.map((address) => address.trim()).filter(Boolean), socket.remoteAddress ?? '']
      const latestFirst = addresses.reverse()
      return latestFirst.find((address, hops) => !isProxy(address, hops)) ?? latestFirst.at(-1)
    },
    areBehind: (address) => isProxy(address, 0),
  }
}
