import { Readable, Writable } from 'node:stream'
import type { Source } from '../../src/cli/host.ts'

/** A stream that keeps what is written to it; a terminal if told so. */
export class Capture extends Writable {
  text = ''
  constructor(
    readonly isTTY = false,
    readonly columns = 80,
    readonly rows?: number,
  ) {
    super()
  }
  /** What a terminal has for a line that changes; nothing moves here. */
  cursorTo = () => true
  clearLine = () => true
  moveCursor = () => true
  override _write(chunk: Buffer | string, _encoding: string, done: () => void): void {
    this.text += chunk.toString()
    done()
  }
}

/** Standard input that holds a text and ends. */
export const input = (content: string | Uint8Array = '', isTTY = false): Source =>
  Object.assign(Readable.from(content.length > 0 ? [Buffer.from(content)] : []), { isTTY })
