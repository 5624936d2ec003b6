import { setMaxListeners } from 'node:events'
import { existsSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { isInBackground } from '../processes.ts'
import type { ServiceOptions } from '../server/service.ts'
import { exit } from './failure/failure.ts'
import type { Host, Sink } from './host.ts'
import { logSink } from './io/log-sink.ts'
import { standardError, standardOutput } from './io/standard-streams.ts'

/** This process as a host. Ctrl-C aborts its signal, and so does a request to terminate; a second one ends it at once. */
export function processHost(build: string | undefined, pages: string | undefined, hold?: ServiceOptions['hold']): Host {
  const { signal, withoutIt, aside, termination, reported } = interruptions(() => stderr)
  const stderr = standardError(aside)
  const home = homeOf(process.env)
  return {
    // Setting standard input up takes milliseconds, and most commands never look at it.
    get stdin() {
      return process.stdin
    },
    stdout: standardOutput(aside),
    stderr,
    openLog: () => logSink(stderr),
    env: process.env,
    cwd: currentFolder(process.env),
    home,
    build,
    pages,
    now: () => new Date(),
    monotonic: () => performance.now(),
    sleep: async (milliseconds) => void (await sleep(milliseconds, undefined, { signal })),
    random: Math.random,
    signal,
    termination,
    reported,
    isInBackground,
    suspend,
    endWithParent: async () => (await import('./parent-process.ts')).endWithParent(),
    runProgram: (command, env, input) =>
      withoutIt(async () => (await import('./child-process.ts')).runProgram(command, env, input)),
    openBrowser: (url) =>
      void import('./open-browser.ts').then(({ openBrowser }) => openBrowser(url, { env: process.env, home })),
    openService: async (options) => (await import('../server/service.ts')).openService({ ...options, hold }),
  }
}

/** The current folder; of one that was deleted its former path, or another that does not exist: no file is found in it. */
function currentFolder({ PWD = '' }: NodeJS.ProcessEnv): string {
  try {
    return process.cwd()
  } catch {
    return PWD.startsWith('/') && !existsSync(PWD) ? PWD : '/nonexistent'
  }
}

/** What `os.homedir()` answers, which takes long to load for so little. */
const homeOf = (env: NodeJS.ProcessEnv) =>
  (process.platform !== 'win32' && env.HOME) || systemHome() || withoutHome(env)

/** The home folder that the system has for the user, if it knows them: a container may run as any number. */
function systemHome(): string | undefined {
  try {
    return homedir() || userInfo().homedir
  } catch {
    return undefined
  }
}

/**
 * Where Debian lets those live who have no home: nothing is read there, and what wants to write there fails with this path.
 * Libraries that ask the system, and would throw, are told so, too.
 */
function withoutHome(env: NodeJS.ProcessEnv): string {
  env.HOME = '/nonexistent'
  return env.HOME
}

/** Ends the process before it could report what it did, and says so, on a terminal below a line of progress. */
function endAtOnce(stderr: Sink): never {
  stderr.write(
    `${stderr.isTTY ? '\n' : ''}error: interrupted twice: ended at once, without the rest of what it prints\nhint: if it was to change something, that may have been done: look before you run it again; vatom apply does so by itself\n`,
  )
  process.exit(exit.interrupted)
}

/** The whole group stops, as it does by Ctrl-Z: a shell that waits for `npx` would not notice that this process does. */
async function suspend(): Promise<void> {
  if (process.platform !== 'win32') process.kill(0, 'SIGTSTP')
  // The signal takes a moment to arrive. A group that no shell could continue does not stop.
  await sleep(100)
}

/**
 * A signal that Ctrl-C and a request to terminate abort, but not while work is done without it; the request has a signal
 * of its own once that is asked for. While work waits for a reader, `aside`, they end the process.
 */
function interruptions(stderr: () => Sink) {
  const controller = new AbortController()
  // A hundred requests may wait at once to be sent again.
  setMaxListeners(0, controller.signal)
  let isOff = false
  let isReported = false
  let terminator: AbortController | undefined
  const interrupt = () => {
    if (isOff) return
    if (controller.signal.aborted && isReported) process.exit(exit.interrupted)
    if (controller.signal.aborted) endAtOnce(stderr())
    controller.abort()
  }
  const terminate = () => (terminator ? terminator.abort() : interrupt())
  const handlers = [['SIGINT', interrupt] as const, ...['SIGTERM', 'SIGHUP'].map((one) => [one, terminate] as const)]
  const handle = () => {
    for (const [one, handler] of handlers) process.on(one, handler)
  }
  handle()
  // Handlers are called between two parts of the work, and the rest of this one may never begin.
  const aside = (work: () => void) => {
    if (isOff) return work()
    for (const [one, handler] of handlers) process.off(one, handler)
    try {
      work()
    } finally {
      handle()
    }
  }
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
  const reported = () => {
    isReported = true
  }
  return { signal: controller.signal, withoutIt, aside, termination, reported }
}
