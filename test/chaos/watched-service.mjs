import { once } from 'node:events'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { entry, startServer } from '../bench/vatom.mjs'
import { ask } from './serve.mjs'

const probe = fileURLToPath(new URL('hold.cjs', import.meta.url))

/** Serves a database in a process of its own that reports how long its event loop was held, and its memory. */
export async function watchedService(db, args = []) {
  const options = ['--require', probe, entry, 'serve', '--port', '0', '--json', '--db', db, ...args]
  const { line, stop, child } = await startServer(process.execPath, options, { HOME: path.dirname(db) }, ['ipc'])
  const measured = async () => {
    const answer = once(child, 'message')
    child.send('measure')
    return (await answer)[0]
  }
  return {
    ready: JSON.parse(line),
    /**
     * `{hold, elapsed, processor, memory}`: the longest hold since the last call in milliseconds of processor time and of
     * the clock, the processor time of the event loop so far, and resident bytes.
     */
    measured,
    stop,
  }
}

/** What other users ask for, if nothing else is said. */
export const profile = { method: 'GET', path: '/v1/user' }

/**
 * Asks for a profile, or what is `asked`, over and over until the function that it returns is called, which resolves with
 * the slowest answer in milliseconds; `look` is called between two questions, with so many milliseconds of `pause`.
 */
export function otherUser(
  ready,
  token,
  { pause = 2, look = async () => {}, asked: { method, path, body } = profile } = {},
) {
  let slowest = 0
  let isOver = false
  const asked = (async () => {
    while (!isOver) {
      await look()
      const start = performance.now()
      await ask(ready, method, path, { token, body })
      slowest = Math.max(slowest, performance.now() - start)
      await setTimeout(pause)
    }
  })()
  return async () => {
    isOver = true
    await asked
    return slowest
  }
}

/**
 * Asks for the profile of a user over and over, and measures the service meanwhile. `begin` forgets the holds so far; `end`
 * resolves with the longest hold in milliseconds of processor time, the most bytes of memory, and the slowest answer.
 */
export function watchedBeside(service, token) {
  let [hold, peak] = [0, 0]
  const asked = otherUser(service.ready, token, {
    pause: 20,
    look: async () => {
      const found = await service.measured()
      hold = Math.max(hold, found.hold)
      peak = Math.max(peak, found.memory)
    },
  })
  return {
    begin: () => {
      hold = 0
    },
    end: async () => {
      const slowest = await asked()
      return { hold, peak, slowest }
    },
  }
}
