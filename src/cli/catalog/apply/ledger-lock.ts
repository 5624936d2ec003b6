import { lstatSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import * as z from 'zod/v4'
import { at } from '../../../contract/schema/path.ts'
import { exit, Failure } from '../../failure/failure.ts'
import { locked } from '../../service/lock.ts'

/** Milliseconds between two signs of life, and after which one that gives none is dead. */
const beat = 2_000
const deadAfter = 20_000

/** A lock that this process has. */
export interface Lock {
  /** Fails where another run has taken it over. */
  check(): void
  release(): void
}

/**
 * Takes a lock that one process of a machine, or of several that share the folder, has at a time. One that its holder
 * did not live to give back is taken over. Throws `apply_running`.
 */
export async function takeLock(file: string): Promise<Lock> {
  await locked(`${file}.guard`, async () => {
    refuseAlive(file)
    rmSync(file, { force: true })
    writeFileSync(file, JSON.stringify(own()), { mode: 0o600, flag: 'wx' })
  })
  const timer = setInterval(() => touch(file), beat).unref()
  const isOurs = () => {
    const said = readSaid(file)
    return said?.pid === process.pid && said.host === hostname()
  }
  return {
    check: () => {
      if (!isOurs()) throw running('has taken over')
    },
    release: () => {
      clearInterval(timer)
      if (isOurs()) rmSync(file, { force: true })
    },
  }
}

function refuseAlive(file: string): void {
  const said = readSaid(file)
  if (said && isAlive(said, file)) throw running(`is at work (process ${said.pid})`)
}

const running = (what: string) =>
  new Failure('apply_running', exit.refused, `Another apply to this service ${what}`, {
    hint: 'let it finish, or stop it with Ctrl-C; running apply again goes on where it stopped',
  })

const Holder = z.object({ pid: z.int().positive(), host: z.string(), started: z.string().optional() })
type Holder = z.output<typeof Holder>

const own = (): Holder => ({ pid: process.pid, host: hostname(), started: startOf(process.pid) })

/** Who has the lock; nothing where nobody has it, or its file says no such thing. */
function readSaid(file: string): Holder | undefined {
  try {
    return lstatSync(file).isFile() ? Holder.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data : undefined
  } catch {
    return undefined
  }
}

/**
 * A process of this machine is asked: it may have been stopped for long. One of another machine, or of another
 * container, counts as alive while it says so, and so does one of which only its number is known.
 */
function isAlive({ pid, host, started }: Holder, file: string): boolean {
  const isSilent = Math.abs(Date.now() - statSync(file).mtimeMs) > deadAfter
  if (host !== hostname()) return !isSilent
  if (!isRunning(pid)) return false
  return started === undefined ? !isSilent : startOf(pid) === started
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return at(error, 'code') === 'EPERM'
  }
}

/** When a process began, which tells it from a later one with its number; undefined where the system does not tell. */
function startOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')[19]
  } catch {
    return undefined
  }
}

function touch(file: string): void {
  try {
    utimesSync(file, new Date(), new Date())
  } catch {
    // Somebody took the folder away; the lock went with it.
  }
}
