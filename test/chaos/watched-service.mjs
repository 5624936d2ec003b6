import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { plainEnv } from '../bench/measure.mjs'
import { entry } from '../bench/vatom.mjs'

const probe = fileURLToPath(new URL('hold.cjs', import.meta.url))

/** Serves a database in a process of its own that reports how long its event loop was held, and its memory. */
export async function watchedService(db, args = []) {
  const options = ['--require', probe, entry, 'serve', '--port', '0', '--json', '--db', db, ...args]
  const child = spawn(process.execPath, options, {
    env: plainEnv({ HOME: path.dirname(db) }),
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  })
  process.once('exit', () => child.kill('SIGKILL'))
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const measured = async () => {
    const answer = once(child, 'message')
    child.send('measure')
    return (await answer)[0]
  }
  return {
    ready: JSON.parse(line),
    pid: child.pid,
    /** `{hold, elapsed, memory}`: the longest hold since the last call in milliseconds of processor time and of the clock, and resident bytes. */
    measured,
    stop: async () => {
      child.kill()
      await once(child, 'exit')
    },
  }
}
