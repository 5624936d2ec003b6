import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { at } from '../../contract/path.ts'
import { exit, Failure } from '../failure/failure.ts'
import { locked } from '../service/lock.ts'

/** Milliseconds between two signs of life, and after which one that gives none is dead. */
const beat = 2_000
const deadAfter = 20_000

/**
 * Takes a lock that one process of a machine, or of several that share the folder, has at a time; answers what gives it
 * back. One that its holder did not live to give back is taken over. Throws `apply_running`.
 */
export async function takeLock(file: string): Promise<() => void> {
  await locked(`${file}.guard`, async () => {
    refuseAlive(file)
    writeFileSync(file, JSON.stringify({ pid: process.pid, host: hostname() }), { mode: 0o600 })
  })
  const timer = setInterval(() => touch(file), beat).unref()
  return () => {
    clearInterval(timer)
    // A process that was stopped for long may have lost it to another.
    const held = holderOf(file)
    if (held?.isHere && held.pid === process.pid) rmSync(file, { force: true })
  }
}

function refuseAlive(file: string): void {
  const held = holderOf(file)
  if (held === undefined || !isAlive(held)) return
  throw new Failure('apply_running', exit.refused, `Another apply to this service is at work (process ${held.pid})`, {
    hint: 'let it finish, or stop it with Ctrl-C; running apply again goes on where it stopped',
  })
}

interface Holder {
  readonly pid: number
  readonly isHere: boolean
  /** Milliseconds since its last sign of life. */
  readonly silence: number
}

function holderOf(file: string): Holder | undefined {
  try {
    const said = JSON.parse(readFileSync(file, 'utf8'))
    const silence = Date.now() - statSync(file).mtimeMs
    return { pid: Number(at(said, 'pid')), isHere: at(said, 'host') === hostname(), silence }
  } catch {
    return undefined
  }
}

/** A process of another machine, or of another container, cannot be asked: it counts as alive while it says so. */
const isAlive = ({ pid, isHere, silence }: Holder) => silence < deadAfter && (!isHere || isRunning(pid))

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return at(error, 'code') === 'EPERM'
  }
}

function touch(file: string): void {
  try {
    utimesSync(file, new Date(), new Date())
  } catch {
    // Somebody took the folder away; the lock went with it.
  }
}
