import { Transform } from 'node:stream'
import type { Source } from '../host.ts'

/**
 * What is typed at a terminal, a byte in each turn of the event loop, however many one read brings: the library's list in
 * which one searches knows what a text finds only in the turn after it, and Enter would choose from what was found before.
 * What was typed before the question is shown comes at once, and the library drops it: nobody answers what was not seen.
 */
export function keyByKey(terminal: Source) {
  let isShown = false
  setImmediate(() => {
    isShown = true
  })
  const keys = new Transform({
    transform(typed: Buffer, _encoding, done) {
      if (!isShown) return done(null, typed)
      const passOn = (at: number) => {
        if (at === typed.length) return done()
        this.push(typed.subarray(at, at + 1))
        setImmediate(passOn, at + 1)
      }
      passOn(0)
    },
  })
  const setRawMode = (isRaw: boolean) => terminal.setRawMode?.(isRaw)
  return terminal.pipe(Object.assign(keys, { isTTY: true, setRawMode }))
}
