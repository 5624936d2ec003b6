import { createServer, type RequestListener, type Server } from 'node:http'
import type { Server as Connections } from 'node:net'
import { onTestFinished } from 'vitest'

/** A server that answers nobody. */
const silent: RequestListener = () => {}

/** An HTTP server on a free port of this machine, for as long as the test takes. */
export const serverOf = (handle: RequestListener = silent) => started(createServer(handle))

/** Starts a server on a free port of this machine, for as long as the test takes. */
export async function started<S extends Server | Connections>(server: S) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    if ('closeAllConnections' in server) server.closeAllConnections()
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port')
  return { server, port: address.port, url: `http://127.0.0.1:${address.port}` }
}
