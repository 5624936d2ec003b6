import { once } from 'node:events'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { entry, startServer } from '../bench/vatom.mjs'

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
    /** `{hold, elapsed, memory}`: the longest hold since the last call in milliseconds of processor time and of the clock, and resident bytes. */
    measured,
    stop,
  }
}
