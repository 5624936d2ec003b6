import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { isHere, ownMark, type ProcessMark, stillRuns } from '../../../processes.ts'
import { readUpTo, regularText } from '../../../regular-file.ts'
import { exit, Failure } from '../../failure/failure.ts'
import type { Host } from '../../host.ts'
import { pipelineVariable } from '../../pipeline.ts'
import { locked } from '../../service/lock.ts'
import { markIn } from '../../service/process-file.ts'

/** Milliseconds between two touches of a lock's file, and without a touch until the lock is stale. */
const touchEvery = 2_000
const staleAfter = 20_000

/** A lock that this process holds. */
export interface Lock {
  /** Throws `apply_running` if another run has taken it over. */
  check(): void
  release(): void
}

/**
 * Takes a lock that only one process can hold, also among machines that share the folder. The lock of a process that
 * ended without releasing it is taken over. Throws `apply_running`.
 */
export async function takeLock(file: string, { env, signal }: Pick<Host, 'env' | 'signal'>): Promise<Lock> {
  const guard = `${file}.guard`
  await locked(
    guard,
    async (confirm) => {
      refuseHeld(file, guard, env)
      confirm()
      rmSync(file, { force: true })
      writeFileSync(file, JSON.stringify(ownMark()), { mode: 0o600, flag: 'wx' })
    },
    { signal },
  )
  const timer = setInterval(() => touch(file), touchEvery).unref()
  const isOurs = () => isOwn(readHolder(file))
  return {
    check: () => {
      if (!isOurs()) throw running('has taken over', env)
    },
    release: () => {
      clearInterval(timer)
      if (isOurs()) rmSync(file, { force: true })
    },
  }
}

/** Throws `apply_running` where a process holds the lock, beside which its guard was just made. */
function refuseHeld(file: string, guard: string, env: Host['env']): void {
  const holder = readHolder(file)
  const touched = statSync(file, { throwIfNoEntry: false })
  // By now it may have been released.
  if (!holder || !touched || !isAlive(holder, isSoonBefore(touched, statSync(guard)))) return
  const { pid, host } = holder
  throw isHere(holder)
    ? running(`is running (process ${pid})`, env)
    : running(`is running on another machine or container (process ${pid} on ${host})`, env, killedElsewhere)
}

/** Nobody can see here whether a run on another machine was killed. */
const killedElsewhere = `one that was killed counts as ended after ${staleAfter / 1000} s`

const running = (what: string, env: Host['env'], killed?: string) =>
  new Failure('apply_running', exit.refused, `Another apply to this service ${what}`, {
    hint: pipelineVariable(env) === undefined ? waitHint(killed) : jobHint(killed),
  })

const waitHint = (killed: string | undefined) =>
  `wait until it ends, or ${killed ? `stop it there; ${killed}` : 'stop it with Ctrl-C'}; the next apply continues where it stopped`

/** In a pipeline nobody is there to wait, and the other run may be that of another catalog. */
const jobHint = (killed: string | undefined) =>
  `run the job again once it has ended; or give each catalog a folder of its own with VATOM_DATA_DIR, where jobs run side by side${killed ? `; ${killed}` : ''}`

/** The holder of the lock; undefined if it is free or its file is damaged. */
function readHolder(file: string): ProcessMark | undefined {
  try {
    return markIn(regularText(file) ?? '')
  } catch {
    return undefined
  }
}

/**
 * A process of this machine is looked up, because it may have been paused. A process of another machine or container, or
 * with an unknown start, counts as alive while it touches the file.
 */
function isAlive(holder: ProcessMark, wasTouched: boolean): boolean {
  if (!isHere(holder)) return wasTouched
  return stillRuns(holder) && (holder.started !== undefined || wasTouched)
}

/** Whether a file was touched shortly before another one was made: both by the clock of the file system, which may be another than ours. */
const isSoonBefore = (touched: Stats, made: Stats): boolean => Math.abs(made.mtimeMs - touched.mtimeMs) <= staleAfter

/** Whether a lock is this process's. */
const isOwn = (holder: ProcessMark | undefined): boolean => holder?.pid === process.pid && isHere(holder)

/** Bytes of a lock at most. */
const longest = 4096

/** Writes the first byte again, where the file is still the lock of this process: others can put a link in its place. */
function touch(file: string): void {
  try {
    const lock = openSync(file, constants.O_RDWR | constants.O_NOFOLLOW)
    try {
      if (fstatSync(lock).isFile() && isOwn(markIn(readUpTo(lock, longest).toString()))) writeSync(lock, '{', 0)
    } finally {
      closeSync(lock)
    }
  } catch {
    // The folder was removed, and the lock with it.
  }
}
