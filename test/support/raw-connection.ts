import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A connection that sends what a test writes, byte by byte, and keeps what comes back. */
export interface RawConnection {
  readonly socket: Socket
  /** What has come back so far. */
  readonly received: () => string
  /** All that came back, once the connection is closed. */
  readonly closed: Promise<string>
  /** What has come back when this holds for it, or the connection is closed. */
  readonly until: (holds: (received: string) => boolean) => Promise<string>
}

/** Connects and sends; a connection that breaks off counts as closed, and the end of the test closes it. */
export function rawConnection(port: number, text = '', host = '127.0.0.1'): RawConnection {
  const socket = connect(port, host).on('error', () => {})
  onTestFinished(() => void socket.destroy())
  let received = ''
  socket.setEncoding('latin1').on('data', (part) => {
    received += part
  })
  if (text !== '') socket.write(text)
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(received)))
  const until = async (holds: (text: string) => boolean) => {
    while (!holds(received) && !socket.destroyed)
      await Promise.race([new Promise((resolve) => socket.once('data', resolve)), closed])
    return received
  }
  return { socket, received: () => received, closed, until }
}

/** Whether an answer with a JSON object is complete. */
export const isWhole = (received: string): boolean => /\r\n\r\n\{.*\}$/s.test(received)
