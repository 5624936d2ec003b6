import type { IncomingMessage } from 'node:http'
import type { Upload } from '../../contract/api/endpoint.ts'
import type { WireFile } from '../../contract/api/wire.ts'
import { answerTooSlow, unhurried } from './malformed-requests.ts'
import { multipartFiles } from './multipart.ts'

/** How long an upload is waited for, in milliseconds. */
interface Waits {
  /** Without a byte, until it is given up. */
  readonly patience: number
  /** For one that was answered before its end: a client that is cut off while sending never reads the answer. */
  readonly grace: number
}
const usualWaits: Waits = { patience: 30_000, grace: 5000 }

/** Bytes of a request beside its files. */
const frame = 2 ** 20

/** The files that a request brings, as they arrive; throws as `multipartFiles` does. */
export async function* uploadedFiles(
  request: IncomingMessage,
  { files, bytes }: Upload,
  { patience, grace } = usualWaits,
): AsyncGenerator<WireFile> {
  const { socket } = request
  unhurried.add(socket)
  request.setTimeout(patience, () => answerTooSlow(socket))
  try {
    const most = { files, bytes: files * bytes + frame }
    yield* multipartFiles(request, request.headers['content-type'] ?? '', most)
  } finally {
    request.setTimeout(0)
    if (request.complete) unhurried.delete(socket)
    else endIn(grace, request)
  }
}

/** Ends a connection unless the rest of its request comes. */
function endIn(milliseconds: number, request: IncomingMessage): void {
  const { socket } = request
  const timer = setTimeout(() => socket.destroy(), milliseconds).unref()
  const over = () => {
    clearTimeout(timer)
    unhurried.delete(socket)
  }
  request.once('end', over).once('close', over)
}
