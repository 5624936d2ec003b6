import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError } from '../../contract/api/errors.ts'
import { limits } from '../../contract/limits.ts'
import { errorAnswer } from '../request/answers.ts'
import { requestIdHeader } from '../request/request-id.ts'
import { afterAnswers } from './answers-under-way.ts'

/** Connections with a request that has no time limit: an upload, or one that a scenario delays. */
export const unhurried = new WeakSet<Socket>()

/**
 * Answers what is not HTTP, has too large a header or is too slow, and closes the connection. The requests before it are
 * answered first: clients take the first answer for that of the first request.
 */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  const isLate = error.code === lateness
  if (error.code === 'ECONNRESET' || (isLate && unhurried.has(socket))) return
  afterAnswers(socket, () => answerAndClose(socket, failureOf(error)))
}

const lateness = 'ERR_HTTP_REQUEST_TIMEOUT'

function failureOf({ code }: { readonly code?: string }): ApiError {
  if (code === lateness) return tooSlow()
  if (code === 'HPE_HEADER_OVERFLOW') return new ApiError('tooLarge', 'the request header is too large')
  return new ApiError('invalid', 'not HTTP')
}

const tooSlow = () => new ApiError('invalid', 'the request took too long')

/** Answers a request that takes too long to arrive, and closes the connection. */
export const answerTooSlow = (socket: Socket): void => answerAndClose(socket, tooSlow())

/** Answers a request before it is complete, and closes its connection. */
export function answerAndClose(socket: Socket, failure: ApiError): void {
  if (socket.destroyed) return
  const id = randomUUID()
  const { status, body } = errorAnswer(id, failure)
  if (socket.writable)
    socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n` +
        `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
        `${requestIdHeader}: ${id}\r\n` +
        `Connection: close\r\n\r\n${body}`,
    )
  // That waits for the client to read what is before it, too.
  socket.setTimeout(limits.answerIdle, () => socket.destroy())
  socket.destroySoon()
}
