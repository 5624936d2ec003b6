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
    const { 'transfer-encoding': chunks, 'content-type': type = '' } = request.headers
    // An upload is read by its handler.
    if (chunks === undefined || /^multipart\/form-data/i.test(type)) done(null, payload)
    else done(null, joined(payload))
  })
}

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
