import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { ApiError } from '../../contract/errors.ts'
import { errorAnswer } from './answers.ts'

const reasons = { 400: 'Bad Request', 413: 'Payload Too Large' } as const

/** Answers what is not even HTTP, has too large a header or is too slow, and closes the connection. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const large = error.code === 'HPE_HEADER_OVERFLOW'
  const failure = large
    ? new ApiError('tooLarge', 'the request header is too large')
    : new ApiError('invalid', error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'the request took too long' : 'not HTTP')
  const { status, body } = errorAnswer(randomUUID(), failure)
  if (socket.writable)
    socket.write(
      `HTTP/1.1 ${status} ${large ? reasons[413] : reasons[400]}\r\n` +
        `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
        `Connection: close\r\n\r\n${body}`,
    )
  socket.destroySoon()
}
