import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { isatty } from 'node:tty'
import type { Host } from './host.ts'

/** Signals that are meant for the program, and whether a terminal sends them to it by itself. */
const signals = { SIGINT: true, SIGHUP: true, SIGTERM: false } as const
type Passed = keyof typeof signals

/** Runs a program as `Host.runProgram` says. */
export async function runProgram(
  [file = '', ...args]: readonly string[],
  env: Host['env'],
  input?: string,
): Promise<number> {
  let child: ChildProcess | undefined
  const pass = (signal: Passed) => {
    if (!(signals[signal] && hasTerminal())) child?.kill(signal)
  }
  // Before it is started: a signal that comes at its first breath is its own already.
  for (const signal of names) process.on(signal, pass)
  const guard = input === undefined ? startGuard() : undefined
  try {
    child = spawn(file, args, { stdio: [input === undefined ? 'inherit' : 'pipe', 'inherit', 'inherit'], env })
    // A program that has read enough closes its input.
    child.stdin?.on('error', () => {}).end(input)
    guard?.watch(child.pid)
    return await ended(child)
  } finally {
    guard?.release()
    for (const signal of names) process.off(signal, pass)
  }
}

/**
 * A shell that ends a program if this process is killed, which no signal announces: then the pipe that it reads closes. It
 * kills a program that does not end within five seconds. It reads the program's id first; after another line it ends alone.
 * Windows has no such shell.
 */
function startGuard(): { readonly watch: (pid: number | undefined) => void; readonly release: () => void } {
  if (process.platform === 'win32') return { watch: () => {}, release: () => {} }
  const script = `trap '' INT HUP TERM; read -r pid || exit; read -r _ && exit; kill "$pid"
    for _ in 1 2 3 4 5; do sleep 1 && kill -0 "$pid" || exit; done; kill -KILL "$pid"`
  const guard = spawn('sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'] })
  guard.on('error', () => {}).unref()
  const { stdin } = guard
  stdin.on('error', () => {})
  return { watch: (pid) => pid !== undefined && stdin.write(`${pid}\n`), release: () => stdin.end('\n') }
}

const ended = (child: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)))
  })

const names = Object.keys(signals) as Passed[]

/** Whether Ctrl-C comes from a terminal, which sends it to the program, too: it must not come twice. */
const hasTerminal = (): boolean => [0, 1, 2].some((stream) => isatty(stream))
