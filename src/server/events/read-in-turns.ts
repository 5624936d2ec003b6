import type { WebSocket } from 'ws'
import { limits } from '../../contract/limits.ts'
import type { LoopTurns } from '../store/loop-turns.ts'
import { closeCodes } from './close-codes.ts'
import type { Visitor } from './visitor.ts'

/**
 * Reads the messages of a client when it is their turn, and answers its pings: those of many connections can arrive at the same
 * moment. Addresses share the time, and so do the users of each. While a message waits, nothing more is received; what arrived
 * with it waits, too, and a client of which that is too much is disconnected. `read` is given an empty text for a binary
 * message.
 */
export function readInTurns(
  connection: WebSocket,
  turns: LoopTurns,
  { place, user }: Visitor,
  read: (text: string) => void,
): void {
  const waiting: (() => void)[] = []
  const isOpen = () => connection.readyState === connection.OPEN
  const wait = () => turns.wait([place, user], next, () => waiting.length === 0)
  const next = () => {
    const work = waiting.shift()
    if (waiting.length > 0) wait()
    else connection.resume()
    if (isOpen()) work?.()
  }
  const inTurn = (work: () => void) => {
    if (!isOpen()) return
    if (waiting.length === 0 && turns.hasTime()) work()
    else if (waiting.length === limits.socketWaiting) connection.close(closeCodes.misused, 'too many messages at once')
    else if (waiting.push(work) === 1) {
      connection.pause()
      wait()
    }
  }
  connection.on('message', (data, isBinary) => inTurn(() => read(isBinary ? '' : data.toString())))
  connection.on('ping', (data) => inTurn(() => connection.pong(data)))
  // What a client says without having been asked takes time, too.
  connection.on('pong', () => inTurn(() => {}))
  connection.on('close', () => {
    waiting.length = 0
  })
}
