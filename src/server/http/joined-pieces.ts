import type { IncomingHttpHeaders } from 'node:http'
import { pipeline, type Readable, Transform } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/** Bytes that are joined to one piece. */
const size = 16_384

/**
 * Joins the pieces of bodies that arrive in chunks before they are collected: each piece takes memory of its own, however
 * small it is, and a client chooses their size.
 */
export function joinPieces(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { headers } = request
    if (headers['transfer-encoding'] === undefined || isUpload(headers)) done(null, payload)
    else done(null, joined(payload))
  })
}

/** Whether a request has a body. */
export const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Whether a body is read by its handler, as it arrives. */
export const isUpload = ({ 'content-type': type = '' }: IncomingHttpHeaders): boolean =>
  /^multipart\/form-data/i.test(type)

function joined(body: Readable): Transform {
  const block = Buffer.allocUnsafeSlow(size)
  let length = 0
  const full = () => {
    const piece = Buffer.from(block.subarray(0, length))
    length = 0
    return piece
  }
  const joining = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (length + chunk.length > size) this.push(full())
      if (chunk.length > size) this.push(chunk)
      else length += chunk.copy(block, length)
      done()
    },
    flush(done) {
      done(null, full())
    },
  })
  // What fails here, fails where the body is read.
  return pipeline(body, joining, () => undefined)
}
