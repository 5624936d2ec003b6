import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { plainEnv, timeProcess } from './measure.mjs'

/** The package's root. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** The built command line. */
export const entry = path.join(root, 'bin/vatom.js')

/** What the end of this process ends and removes with it. */
const cleanups = []
process.once('exit', () => {
  for (const clean of cleanups) clean()
})

/** One run of the smallest process there is. */
export const floor = () => timeProcess({ command: process.execPath, args: ['-e', '0'] })

/** A folder that is gone when the benchmark ends. */
export function scratchFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), 'vatom-bench-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** What makes a folder the home of a command line, with nothing of this machine's settings. */
export const homeEnv = (home) => ({ HOME: home, XDG_CACHE_HOME: '', XDG_CONFIG_HOME: '', XDG_DATA_HOME: '' })

/** Times runs of the built command line in a home of its own. */
export function machine() {
  const home = scratchFolder()
  const env = homeEnv(home)
  return {
    home,
    env,
    time: (args, options = {}) =>
      timeProcess({
        command: process.execPath,
        args: [entry, ...args],
        cwd: home,
        ...options,
        env: { ...env, ...options.env },
      }),
  }
}

/** Starts a process and resolves with it, its first line on stdout and a function that ends it; `more` are stdio channels. */
export function startServer(command, args, env = {}, more = []) {
  const child = spawn(command, args, { env: plainEnv(env), stdio: ['ignore', 'pipe', 'ignore', ...more] })
  cleanups.push(() => child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  const stop = (signal = 'SIGTERM') => {
    child.kill(signal)
    return ended
  }
  return new Promise((resolve, reject) => {
    ended.then(([code]) => reject(new Error(`${command} ended with ${code}`)))
    createInterface({ input: child.stdout }).once('line', (line) => resolve({ line, stop, child }))
  })
}

/** The built service on a free port, what it says when it is ready, its process and a function that ends it. */
export async function startService(args, env) {
  const { line, stop, child } = await startServer(
    process.execPath,
    [entry, 'serve', '--port', '0', '--json', ...args],
    env,
  )
  return { ready: JSON.parse(line), stop, pid: child.pid }
}

/** The words with which a command line signs in as the publisher of a service; the password comes on standard input. */
export const loginWords = ({ base_url, app_id, publisher }) => {
  const options = ['--base-url', base_url, '--app-id', app_id, '--email', publisher.email, '--password-stdin']
  return ['login', ...options]
}
