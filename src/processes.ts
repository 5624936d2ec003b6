import { readFileSync } from 'node:fs'
import { codeOf } from './file-system.ts'

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
