import { Transform } from 'node:stream'
import type { Source } from '../host.ts'

/** What Ctrl-Z is while a terminal passes on every key. */
const ctrlZ = 26

/** What a question has received so far, and what Ctrl-Z does at it. */
interface Typing {
  /** Bytes that come before those of the terminal; those of both are added to it. */
  readonly typed: number[]
  readonly onCtrlZ: () => void
}

/**
 * What is typed at a terminal, a byte in each turn of the event loop, however many one read brings: the library's list in
 * which one searches knows what a text finds only in the turn after it, and Enter would choose from what was found before.
 * What was typed before the question is shown comes at once, and the library drops it: nobody answers what was not seen.
 */
export function keyByKey(terminal: Source, { typed, onCtrlZ }: Typing) {
  const earlier = Uint8Array.from(typed.splice(0))
  let isShown = false
  const keys = new Transform({
    transform(bytes: Buffer, _encoding, done) {
      if (!isShown) return done(null, bytes)
      const passOn = (at: number) => {
        const byte = bytes[at]
        if (byte === undefined) return done()
        if (byte === ctrlZ) return onCtrlZ()
        typed.push(byte)
        this.push(bytes.subarray(at, at + 1))
        setImmediate(passOn, at + 1)
      }
      setImmediate(passOn, 0)
    },
  })
  setImmediate(() => {
    isShown = true
    if (keys.writable) keys.write(earlier)
  })
  const setRawMode = (isRaw: boolean) => terminal.setRawMode?.(isRaw)
  return terminal.pipe(Object.assign(keys, { isTTY: true, setRawMode }))
}
