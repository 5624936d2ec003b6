import { PassThrough, Readable, Writable } from 'node:stream'
import type { Source } from '../../src/cli/host.ts'

/** A stream that keeps what is written to it; a terminal if told so. */
export class Capture extends Writable {
  text = ''
  /** Is told what was written so far. */
  heard: ((text: string) => void) | undefined
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
    this.heard?.(this.text)
    done()
  }
}

/** Standard input that holds a text and ends. */
export const input = (content: string | Uint8Array = '', isTTY = false): Source =>
  Object.assign(Readable.from(content.length > 0 ? [Buffer.from(content)] : []), { isTTY })

/** What a person types, at once or after something else has happened. */
export type TypedAnswer = string | (() => Promise<string>)

/** A terminal's input on which a person answers questions, each once, when it was asked; on an unknown one nobody does. */
export function answering(screen: Capture, answers: Readonly<Record<string, TypedAnswer>>): Source {
  const keyboard = Object.assign(new PassThrough(), { isTTY: true })
  const open = new Map(Object.entries(answers))
  // A question closes what it was asked on, unless that is a process's own stream.
  screen.end = () => screen
  screen.heard = (text) => {
    for (const [question, answer] of open) {
      if (!text.includes(question)) continue
      open.delete(question)
      setImmediate(async () => keyboard.write(`${typeof answer === 'string' ? answer : await answer()}\n`))
    }
  }
  return keyboard
}
