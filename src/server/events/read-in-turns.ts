import type { WebSocket } from 'ws'
import { limits } from '../../contract/limits.ts'
import type { LoopTurns } from '../store/loop-turns.ts'
import { closeCodes } from './close-codes.ts'
import type { Visitor } from './visitor.ts'

/**
 * Reads the messages of a client when it is their turn: those of many connections can arrive at the same moment. Addresses
 * share the time, and so do the users of each. While a message waits, nothing more is received; what arrived with it waits,
 * too, and a client of which that is too much is disconnected. `read` is given an empty text for a binary message.
 */
export function readInTurns(
  connection: WebSocket,
  turns: LoopTurns,
  { place, user }: Visitor,
  read: (text: string) => void,
): void {
  const waiting: string[] = []
  const isOpen = () => connection.readyState === connection.OPEN
  const wait = () => turns.wait([place, user], next, () => waiting.length === 0)
  const next = () => {
    const text = waiting.shift()
    if (waiting.length > 0) wait()
    else connection.resume()
    if (text !== undefined && isOpen()) read(text)
  }
  connection.on('message', (data, isBinary) => {
    if (!isOpen()) return
    const text = isBinary ? '' : data.toString()
    if (waiting.length === 0 && turns.hasTime()) read(text)
    else if (waiting.length === limits.socketWaiting) connection.close(closeCodes.misused, 'too many messages at once')
    else if (waiting.push(text) === 1) {
      connection.pause()
      wait()
    }
  })
  connection.on('close', () => {
    waiting.length = 0
  })
}
