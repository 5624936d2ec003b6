import type { IncomingMessage } from 'node:http'
import { request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { limits } from '../../contract/limits.ts'

/** What a handler answered. */
export interface HandlerAnswer {
  readonly status: number
  readonly text: string
}

/** A handler answered more than is read. */
export class AnswerTooLong extends Error {}

/** A handler answered with another protocol. */
export class OtherProtocol extends Error {}

/**
 * Sends JSON to a handler. No redirect is followed, no proxy used, and no more is read than `limits.handlerAnswer`:
 * throws `AnswerTooLong` beyond, `OtherProtocol`, the reason of the signal once that aborts, and what the network throws.
 */
export function exchange(url: URL, body: string, signal: AbortSignal): Promise<HandlerAnswer> {
  const request = url.protocol === 'https:' ? overHttps : overHttp
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    accept: 'application/json',
  }
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers, agent: false, signal }, (response) => {
      read(response).then(resolve, reject)
    })
    sent.on('error', reject)
    sent.on('upgrade', (_response, socket) => {
      socket.destroy()
      reject(new OtherProtocol())
    })
    // A connection that ends otherwise may end without an error.
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    sent.end(body)
  })
}

async function read(response: IncomingMessage): Promise<HandlerAnswer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length
    if (size > limits.handlerAnswer) throw new AnswerTooLong()
    parts.push(part)
  }
  return { status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }
}
