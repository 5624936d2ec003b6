import { execFileSync, spawn } from 'node:child_process'
import { join } from 'node:path'
import { root } from './binary.ts'

/** Whether this machine can give a program a terminal. */
export const hasTerminal = (): boolean => {
  try {
    return execFileSync('script', ['-qec', 'echo yes', '/dev/null'], { stdio: ['ignore', 'pipe', 'pipe'] }).length > 0
  } catch {
    return false
  }
}

/** A question, and what a person types when it appears. */
export type Answer = readonly [question: string, keys: string]

/** Runs the built binary on a terminal; answers its exit code, how many questions came, and what was shown. */
export const onTerminal = (home: string, words: string, answers: readonly Answer[] = []) =>
  runOnTerminal(home, `${binary} ${words}`, answers)

/** Runs the built binary on a terminal as a shell's job, which the shell has go on when it is stopped. */
export const continued = (home: string, words: string, answers: readonly Answer[]) =>
  runOnTerminal(home, `set -m; ${binary} ${words}; echo stopped; fg`, answers)

/** Runs the built binary on a terminal as a shell's job in the background, until it ends or is stopped. */
export const inBackground = (home: string, words: string) =>
  runOnTerminal(home, `set -m; ${binary} ${words} & wait $!`, [])

const binary = `'${process.execPath}' '${join(root, 'bin/vatom.js')}'`

async function runOnTerminal(home: string, command: string, answers: readonly Answer[]) {
  const env = { PATH: process.env.PATH ?? '', HOME: home, TERM: 'xterm' }
  const child = spawn('script', ['-qec', command, '/dev/null'], { cwd: home, env })
  let shown = ''
  let asked = 0
  let read = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text
    const [question, keys = ''] = answers[asked] ?? []
    if (question === undefined || !shown.includes(question, read)) return
    read = shown.length
    asked++
    child.stdin.write(keys)
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, asked, shown }
}
