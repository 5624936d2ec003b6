import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Host } from '../../src/cli/host.ts'
import { main } from '../../src/cli/main.ts'
import { openService, type Service, type ServiceOptions } from '../../src/server/service.ts'
import { newFolder, writeFiles } from './folders.ts'
import { hostWith, testClock } from './host.ts'
import { answering, Capture, input, type TypedAnswer } from './streams.ts'

/** What a command left behind. */
export interface Run {
  readonly code: number
  readonly out: string
  readonly err: string
}

export interface RunOptions {
  readonly stdin?: string | Uint8Array
  readonly env?: Readonly<Record<string, string>>
  readonly tty?: boolean
  /** What a person answers to questions on a terminal. */
  readonly answers?: Readonly<Record<string, TypedAnswer>>
  readonly columns?: number
  readonly rows?: number
  /** What stderr is written to, for a test that looks at it meanwhile. */
  readonly stdout?: Capture
  readonly screen?: Capture
  readonly signal?: AbortSignal
  /** The folder below the home that it is run in. */
  readonly cwd?: string
  /** Gets the milliseconds of each wait, none of which is waited for. */
  readonly slept?: number[]
  /** Milliseconds that have passed whenever it is looked how much time has. */
  readonly pace?: number
  /** Names the build, without which nothing is kept of what was found valid. */
  readonly build?: string
}

/** A home of its own, a service of its own, and the real command line over both. */
export interface Desk {
  readonly home: string
  readonly service: Service
  /** Runs a command line. */
  vatom(...args: string[]): Promise<Run>
  /** Runs a command line with input, environment or a terminal. */
  run(args: readonly string[], options?: RunOptions): Promise<Run>
  /** Runs a command line that must succeed, and answers its JSON. */
  json(...args: string[]): Promise<unknown>
  /** Writes a file below the working directory. */
  file(name: string, content: string | Uint8Array): string
}

/** Cheap password hashing: tests sign in a lot. */
const testOptions = { scryptCost: 2 ** 4 }

export interface DeskOptions {
  /** Over a socket with a signed-in context, or inside the process. */
  readonly transport?: 'local' | 'network'
  readonly service?: Partial<ServiceOptions>
  readonly clock?: () => Date
}

/** A publisher at work: signed in on a fresh service. */
export async function publisher(options: DeskOptions = {}): Promise<Desk> {
  const clock = options.clock ?? testClock
  const service = await openService({ db: ':memory:', clock, ...testOptions, ...options.service })
  onTestFinished(() => service.close())
  const desk = deskOf(service, clock)
  if (options.transport === 'network') await signIn(desk)
  return desk
}

/** A machine with nothing on it, whose local context would open this service. */
export function deskOf(service: Service, clock: () => Date = testClock): Desk {
  const home = newFolder()
  const run = async (args: readonly string[], options: RunOptions = {}): Promise<Run> => {
    const stdout = options.stdout ?? new Capture(options.tty, options.columns, options.rows)
    const stderr = options.screen ?? new Capture(options.tty, options.columns)
    let passed = 0
    const host = hostWith({
      stdin: options.answers
        ? answering(stderr, options.answers)
        : input(options.stdin, options.tty && options.stdin === undefined),
      stdout,
      stderr,
      env: { ...options.env },
      cwd: join(home, options.cwd ?? ''),
      home,
      build: options.build,
      now: clock,
      sleep: async (milliseconds) => {
        passed += milliseconds
        options.slept?.push(milliseconds)
      },
      monotonic: () => {
        passed += options.pace ?? 0
        return performance.now() + passed
      },
      ...(options.signal && { signal: options.signal }),
      runProgram: (command, env, text) => runProgram(command, { env, cwd: home, text }, { stdout, stderr }),
      openService: async () => ({ ...service, close: async () => {} }),
    })
    const code = await main(args, host)
    return { code, out: stdout.text, err: stderr.text }
  }
  return {
    home,
    service,
    run,
    vatom: (...args) => run(args),
    json: async (...args) => {
      const { code, out, err } = await run([...args, '--json'])
      if (code !== 0) throw new Error(`vatom ${args.join(' ')} exited ${code}: ${err}`)
      return JSON.parse(out)
    },
    file: (name, content) => {
      writeFiles(home, { [name]: content })
      return name
    },
  }
}

/** Runs a program as a process does, but with streams that a test can read. */
function runProgram(
  [file = '', ...args]: readonly string[],
  { env, cwd, text }: { readonly env: Host['env']; readonly cwd: string; readonly text: string | undefined },
  { stdout, stderr }: Readonly<Record<'stdout' | 'stderr', Capture>>,
): Promise<number> {
  const child = spawn(file, args, { cwd, env: { PATH: process.env.PATH, ...env }, stdio: 'pipe' })
  child.stdin.on('error', () => {}).end(text)
  child.stdout.pipe(stdout, { end: false })
  child.stderr.pipe(stderr, { end: false })
  return new Promise((resolve, reject) => child.once('error', reject).once('close', (code) => resolve(code ?? 128)))
}

async function signIn({ service, run }: Desk): Promise<void> {
  const { baseUrl } = await service.listen({ host: '127.0.0.1', port: 0 })
  const args = [
    'login',
    '--base-url',
    baseUrl,
    '--app-id',
    service.appId,
    '--email',
    service.publisher.email,
    '--password-stdin',
  ]
  const { code, err } = await run(args, { stdin: 'vatom-local\n' })
  if (code !== 0) throw new Error(`login exited ${code}: ${err}`)
}
