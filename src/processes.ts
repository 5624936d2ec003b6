import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { codeOf } from './file-system.ts'

/** A process, as a file names it to other processes. */
export interface ProcessMark {
  readonly pid: number
  /** The name of its machine. */
  readonly host: string
  /** When it started; undefined if the system does not say. */
  readonly started?: string | undefined
}

/** What names this process. */
export const ownMark = (): ProcessMark => ({ pid: process.pid, host: hostname(), started: startOf(process.pid) })

/** Whether a process of this machine still runs; any with its id counts if its start is unknown. */
export const stillRuns = ({ pid, started }: Pick<ProcessMark, 'pid' | 'started'>): boolean =>
  isRunning(pid) && (started === undefined || startOf(pid) === started)

/** Whether a process of this machine has an id. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** When a process started: a later process with the same id has another start. Undefined if the system does not say. */
export const startOf = (pid: number): string | undefined => statOf(pid)[19]

/** Whether another job than this process has the terminal; false if the system does not say. */
export function isInBackground(): boolean {
  const [, , group, , , inFront = '-1'] = statOf('self')
  return Number(inFront) > 0 && group !== inFront
}

/** What Linux says of a process, from its state on; nothing elsewhere. */
function statOf(pid: number | 'self'): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
  } catch {
    return []
  }
}
