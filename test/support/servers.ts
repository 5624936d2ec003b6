import { createServer, type RequestListener, type Server } from 'node:http'
import { type Server as Connections, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { onTestFinished } from 'vitest'
import { portOf } from '../../src/listening-port.ts'

/** Whether this machine can be reached at `::1`, as some containers cannot. */
export const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))

/** A server that answers nobody. */
const silent: RequestListener = () => {}

/** An HTTP server on a free port of this machine, for as long as the test takes. */
export const serverOf = (handle: RequestListener = silent) => started(createServer(handle))

/** Starts a server on a free port of this machine, for as long as the test takes. */
export async function started<S extends Server | Connections>(server: S, host = '127.0.0.1') {
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  onTestFinished(() => {
    server.close()
    if ('closeAllConnections' in server) server.closeAllConnections()
  })
  const port = portOf(server)
  return { server, port, url: `http://${isIPv6(host) ? `[${host}]` : host}:${port}` }
}
