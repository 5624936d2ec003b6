import { homedir, userInfo } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { exit } from './failure/failure.ts'
import type { Host } from './host.ts'

/** This process as a host. Ctrl-C aborts its signal, and so does a request to terminate; a second one ends it at once. */
export function processHost(build: string | undefined): Host {
  const { signal, withoutIt, termination } = interruptions()
  return {
    // Setting standard input up takes milliseconds, and most commands never look at it.
    get stdin() {
      return process.stdin
    },
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    home: homedir() || userInfo().homedir,
    build,
    now: () => new Date(),
    sleep: async (milliseconds) => void (await sleep(milliseconds, undefined, { signal })),
    random: Math.random,
    signal,
    termination,
    runProgram: (command, env, input) =>
      withoutIt(async () => (await import('./run-program.ts')).runProgram(command, env, input)),
    openService: async (options) => (await import('../server/service.ts')).openService(options),
  }
}

/**
 * A signal that Ctrl-C and a request to terminate abort, but not while work is done without it; the request has a signal
 * of its own once that is asked for.
 */
function interruptions() {
  const controller = new AbortController()
  let isOff = false
  let terminator: AbortController | undefined
  const interrupt = () => {
    if (isOff) return
    if (controller.signal.aborted) process.exit(exit.interrupted)
    controller.abort()
  }
  process.on('SIGINT', interrupt)
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => (terminator ? terminator.abort() : interrupt()))
  const termination = () => {
    terminator ??= new AbortController()
    return terminator.signal
  }
  const withoutIt = async <T>(work: () => Promise<T>): Promise<T> => {
    isOff = true
    try {
      return await work()
    } finally {
      isOff = false
    }
  }
  return { signal: controller.signal, withoutIt, termination }
}

/**
 * Lets the process end with its own exit code whatever becomes of its streams: a reader that has seen enough, as in
 * `vatom … | head`, is no failure, and neither are notes that nobody reads. A result that is lost is one.
 */
export function watchOutput(): void {
  process.stderr.on('error', () => {})
  process.stdout.once('error', (error: NodeJS.ErrnoException) => {
    process.stdout.on('error', () => {})
    if (error.code === 'EPIPE') return
    process.stderr.write(`error: standard output cannot be written: ${error.message}\n`)
    process.once('exit', () => {
      process.exitCode = exit.refused
    })
  })
}
