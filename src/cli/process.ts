import { homedir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { exit } from './failure/failure.ts'
import type { Host } from './host.ts'

/** This process as a host. Ctrl-C aborts its signal; a second one ends it at once. */
export function processHost(build: string | undefined): Host {
  endQuietlyOnClosedPipe()
  return {
    // Setting standard input up takes milliseconds, and most commands never look at it.
    get stdin() {
      return process.stdin
    },
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    home: homedir(),
    build,
    now: () => new Date(),
    sleep: async (milliseconds) => void (await sleep(milliseconds)),
    random: Math.random,
    signal: interruptSignal(),
    termination: terminationSignal,
    openService: async (options) => (await import('../server/service.ts')).openService(options),
  }
}

function interruptSignal(): AbortSignal {
  const controller = new AbortController()
  process.on('SIGINT', () => {
    if (controller.signal.aborted) process.exit(exit.interrupted)
    controller.abort()
  })
  return controller.signal
}

function terminationSignal(): AbortSignal {
  const controller = new AbortController()
  process.once('SIGTERM', () => controller.abort())
  return controller.signal
}

/** A reader that has seen enough, as in `vatom … | head`, is no failure. */
function endQuietlyOnClosedPipe(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      process.exit(exit.done)
    })
}
