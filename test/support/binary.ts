import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { newFolder } from './folders.ts'

/** The package's root, with a slash at its end. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

/** The built binary. */
export const entry = join(root, 'bin/vatom.js')

/** How a process ended and what it wrote. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly out: string
  readonly err: string
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly input?: string
}

/** Collects what a process writes until it has ended. */
export function ended(child: ChildProcess): Promise<Ended> {
  const texts = { out: '', err: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    texts.out += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    texts.err += text
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal, ...texts }))
  })
}

/** A machine of its own with an empty home; it is gone when the test has finished. `binary` is the built one. */
export function newMachine(binary = entry, home = newFolder()) {
  /** Starts the built binary, with nothing of this process's environment but the path to programs. */
  function start(args: readonly string[], { env, cwd = home, input = '' }: RunOptions = {}): ChildProcess {
    const own = { PATH: process.env.PATH ?? '', HOME: home }
    const child = spawn(process.execPath, [binary, ...args], { cwd, env: { ...own, ...env } })
    child.stdin.on('error', () => {}).end(input)
    return child
  }

  return {
    home,
    start,
    /** Runs the built binary to its end. */
    vatom: (args: readonly string[], options?: RunOptions): Promise<Ended> => ended(start(args, options)),
  }
}
