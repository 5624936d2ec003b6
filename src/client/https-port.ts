import { connect } from 'node:tls'
import { hostOf } from '../contract/api/loopback.ts'
import { portOf } from '../contract/schema/parsed-url.ts'
import { reachOf } from '../this-machine.ts'

/** Milliseconds to wait for a port to speak https. */
const longest = 2_000

/** The code of an HttpsPortError. */
export const httpsPort = 'HTTPS_PORT'

/** The failure of requests that are sent as http to a port that speaks https. */
export class HttpsPortError extends Error {
  override readonly name = 'HttpsPortError'
  readonly code = httpsPort
}

/** Whether the port of an `http://` address speaks https, whatever its certificate: nothing is sent to it. */
export function speaksHttps(origin: string): Promise<boolean> {
  const url = new URL(origin)
  const host = hostOf(url)
  const socket = connect({
    host,
    port: Number(portOf(url)),
    rejectUnauthorized: false,
    timeout: longest,
    ...reachOf(host),
  })
  return new Promise((resolve) => {
    const end = (speaks: boolean) => () => {
      socket.destroy()
      resolve(speaks)
    }
    socket
      .once('secureConnect', end(true))
      .once('timeout', end(false))
      .once('error', end(false))
      .once('close', end(false))
  })
}
