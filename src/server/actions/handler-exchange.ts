import type { ClientRequest, ClientRequestArgs, IncomingMessage } from 'node:http'
import { request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { limits } from '../../contract/limits.ts'
import type { Reach } from '../../this-machine.ts'
import { connectInPieces, connectSecurely } from './handler-connections.ts'

/** What a handler answered. */
export interface HandlerAnswer {
  readonly status: number
  readonly text: string
}

/** The handler answered, but the answer cannot be used; the message says why. */
export class UnusableAnswer extends Error {}

/**
 * Sends JSON to a handler. No redirect is followed, no proxy used, and no more is read than `limits.handlerAnswer`, in
 * `limits.handlerPieces`. Throws `UnusableAnswer`, the reason of the signal if it aborts, and errors of the network.
 */
export function exchange(url: URL, reach: Reach, body: string, signal: AbortSignal): Promise<HandlerAnswer> {
  const isSecure = url.protocol === 'https:'
  const [request, connect] = isSecure ? [overHttps, connectSecurely] : [overHttp, connectInPieces]
  // Without an agent, no port is the usual one, of which the header `Host` has none.
  const connection = {
    createConnection: (to: ClientRequestArgs) => connect(to, reach),
    defaultPort: isSecure ? 443 : 80,
  }
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    accept: 'application/json',
    // A service of this machine does not take it for a request of its owner.
    via: '1.1 vatom',
  }
  return new Promise((resolve, reject) => {
    const sent = request(url, { ...connection, method: 'POST', headers, signal }, (response) => {
      read(response).then(resolve, reject)
    })
    sent.on('error', reject)
    boundNotices(sent)
    sent.on('upgrade', (_response, socket) => {
      socket.destroy()
      reject(new UnusableAnswer('it answered with a protocol other than HTTP'))
    })
    // An aborted request does not always emit an error.
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    sent.end(body)
  })
}

/** Ends an exchange with notices without end before the answer: each is parsed, and none is of use. */
function boundNotices(sent: ClientRequest): void {
  let notices = 0
  sent.on('information', () => {
    if (++notices > limits.handlerNotices)
      sent.destroy(
        new UnusableAnswer(`it sent more than ${limits.handlerNotices} answers of status 1xx before its answer`),
      )
  })
}

/** Reads an answer piece by piece: those of one read of the socket are not yet one. */
function read(response: IncomingMessage): Promise<HandlerAnswer> {
  const parts: Buffer[] = []
  let size = 0
  return new Promise((resolve, reject) => {
    response.on('data', (part: Buffer) => {
      size += part.length
      if (size > limits.handlerAnswer)
        response.destroy(new UnusableAnswer(`it answered more than ${limits.handlerAnswer} bytes`))
      else if (parts.push(part) > limits.handlerPieces)
        response.destroy(new UnusableAnswer(`it answered in more than ${limits.handlerPieces} pieces`))
    })
    response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }))
    response.on('error', reject)
  })
}
