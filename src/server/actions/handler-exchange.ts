import type { IncomingMessage } from 'node:http'
import { request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { limits } from '../../contract/limits.ts'

/** What a handler answered. */
export interface HandlerAnswer {
  readonly status: number
  readonly text: string
}

/** The handler answered, but the answer cannot be used; the message says why. */
export class UnusableAnswer extends Error {}

/**
 * Sends JSON to a handler. No redirect is followed, no proxy used, and no more is read than `limits.handlerAnswer`.
 * Throws `UnusableAnswer`, the reason of the signal if it aborts, and errors of the network.
 */
export function exchange(url: URL, body: string, signal: AbortSignal): Promise<HandlerAnswer> {
  const request = url.protocol === 'https:' ? overHttps : overHttp
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    accept: 'application/json',
    // A service of this machine does not take it for a request of its owner.
    via: '1.1 vatom',
  }
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers, agent: false, signal }, (response) => {
      read(response).then(resolve, reject)
    })
    sent.on('error', reject)
    sent.on('upgrade', (_response, socket) => {
      socket.destroy()
      reject(new UnusableAnswer('it answered with a protocol other than HTTP'))
    })
    // An aborted request does not always emit an error.
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    sent.end(body)
  })
}

async function read(response: IncomingMessage): Promise<HandlerAnswer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length
    if (size > limits.handlerAnswer) throw new UnusableAnswer(`it answered more than ${limits.handlerAnswer} bytes`)
    parts.push(part)
  }
  return { status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }
}
