import type { Server } from 'node:net'

/** The port on which a server listens; 0 before it does. */
export function portOf(server: Pick<Server, 'address'>): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
