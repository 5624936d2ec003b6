import type { IncomingMessage } from 'node:http'
import type { Network } from '../service.ts'
import { networkCheck } from './hosts.ts'

/** The address of who sent a request. */
export type CallerOf = (request: IncomingMessage) => string | undefined

/** Where nobody sends requests on for others. */
export const connected: CallerOf = ({ socket }) => socket.remoteAddress

/** Behind proxies of some networks: the last address that is none of a proxy, whatever the caller wrote before it. */
export function callersBehind(proxies: readonly Network[]): CallerOf {
  if (proxies.length === 0) return connected
  const isProxy = networkCheck(proxies)
  return ({ socket, headers }) => {
    const named = [headers['x-forwarded-for'] ?? []].flat().join().split(',')
    const addresses = [...named.map((address) => address.trim()).filter(Boolean), socket.remoteAddress ?? '']
    return addresses.findLast((address) => !isProxy(address)) ?? addresses[0]
  }
}
