import type { IncomingMessage } from 'node:http'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { WireFile } from '../../contract/wire.ts'
import { multipartFiles } from './multipart.ts'
import { answerTooSlow, unhurried } from './sockets.ts'

/** Milliseconds without a byte after which an upload is given up. */
const usualPatience = 30_000
/** Milliseconds in which one that was answered before its end may still send: who is cut off never reads the answer. */
const grace = 5000
/** Bytes of a request beside its files. */
const frame = 2 ** 20

/** The files that a request brings, as they arrive; throws as `multipartFiles` does. */
export async function* uploadedFiles(
  request: IncomingMessage,
  { files, bytes }: NonNullable<Endpoint['upload']>,
  patience = usualPatience,
): AsyncGenerator<WireFile> {
  const { socket } = request
  unhurried.add(socket)
  request.setTimeout(patience, () => answerTooSlow(socket))
  try {
    yield* multipartFiles(request, request.headers['content-type'] ?? '', files * bytes + frame)
  } finally {
    unhurried.delete(socket)
    request.setTimeout(0)
    if (!request.complete) endSoon(request)
  }
}

function endSoon(request: IncomingMessage): void {
  const timer = setTimeout(() => request.socket.destroy(), grace).unref()
  request.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
}
