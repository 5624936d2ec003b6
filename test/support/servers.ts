import { createServer, type RequestListener, type Server } from 'node:http'
import type { Server as Connections } from 'node:net'
import { onTestFinished } from 'vitest'
import { portOf } from '../../src/listening-port.ts'

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
  const port = portOf(server)
  return { server, port, url: `http://127.0.0.1:${port}` }
}
