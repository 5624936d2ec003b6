import type { IncomingMessage } from 'node:http'
import type { Upload } from '../../contract/api/endpoint.ts'
import type { WireFile } from '../../contract/api/wire.ts'
import { limits } from '../../contract/limits.ts'
import type { SentParts } from '../testing/sent-parts.ts'
import { answerTooSlow, unhurried } from './malformed-requests.ts'
import { multipartFiles } from './multipart.ts'

/** How an upload is read; waits are in milliseconds. */
interface Reading {
  readonly idle?: number
  readonly rest?: number
  /** Gets the parts that were read. */
  readonly parts?: SentParts | undefined
}

/** The files of a request, as they arrive. Throws as `multipartFiles` does. */
export async function* uploadedFiles(
  request: IncomingMessage,
  { files, bytes }: Upload,
  { idle = limits.uploadIdle, rest = limits.uploadRest, parts }: Reading = {},
): AsyncGenerator<WireFile> {
  const { socket } = request
  unhurried.add(socket)
  request.setTimeout(idle, () => answerTooSlow(socket))
  try {
    const most = { files, bytes: files * bytes + limits.uploadOverhead }
    yield* multipartFiles(request, request.headers['content-type'] ?? '', most, parts)
  } finally {
    request.setTimeout(0)
    if (request.complete) unhurried.delete(socket)
    else endIn(rest, request)
  }
}

/** Closes a connection unless the rest of its request arrives in time. */
function endIn(milliseconds: number, request: IncomingMessage): void {
  const { socket } = request
  const timer = setTimeout(() => socket.destroy(), milliseconds).unref()
  const over = () => {
    clearTimeout(timer)
    unhurried.delete(socket)
  }
  request.once('end', over).once('close', over)
}
