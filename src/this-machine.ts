import type { LookupAddress } from 'node:dns'
import type { LookupFunction, TcpNetConnectOpts } from 'node:net'
import { isLoopback } from './contract/api/loopback.ts'

/** How the address of a host is found, and its addresses are tried, for a connection. */
export type Reach = Pick<TcpNetConnectOpts, 'lookup' | 'autoSelectFamilyAttemptTimeout'>

/** A look-up that finds addresses that are known already. */
export const finding =
  (known: readonly LookupAddress[]): LookupFunction =>
  (_host, { all }, callback) => {
    const [first] = known
    // As any look-up, it ends only after it has begun.
    process.nextTick(() => (all ? callback(null, [...known]) : callback(null, first?.address ?? '', first?.family)))
  }

const onThisMachine: Reach = {
  lookup: finding([
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]),
  // It accepts or refuses at once: a process that is busy for longer than usual must not give the first address up.
  autoSelectFamilyAttemptTimeout: 10_000,
}

/**
 * How a host is reached: `localhost`, and each name below it, at this machine's own addresses, without asking a name server,
 * which may not answer, or name another machine (RFC 6761); any other as the system finds it.
 */
export const reachOf = (host: string): Reach => (isLoopback(host) ? onThisMachine : {})
