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

/** Behind proxies of some networks: the last address that is none of a proxy, whatever the caller wrote before it. */
export function callersBehind(proxies: readonly Network[]): Callers {
  if (proxies.length === 0) return direct
  const isProxy = networkCheck(proxies)
  return {
    of: ({ socket, headers }) => {
      let caller = socket.remoteAddress
      for (const address of lastOf([headers['x-forwarded-for'] ?? []].flat().join(), limits.proxies)) {
        if (caller === undefined || !isProxy(caller)) break
        if (address !== '') caller = address
      }
      return caller
    },
    areBehind: isProxy,
  }
}

/** The entries of a list with commas from the last one on, at most so many: a header has room for thousands. */
function* lastOf(list: string, most: number): Generator<string, void> {
  let rest = list
  for (let left = most; left > 0; left--) {
    const comma = rest.lastIndexOf(',')
    yield rest.slice(comma + 1).trim()
    if (comma < 0) return
    rest = rest.slice(0, comma)
  }
}
