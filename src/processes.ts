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
export function startOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')[19]
  } catch {
    return undefined
  }
}
