import { readFileSync } from 'node:fs'
import { isWithin } from '../../../file-system.ts'

/** What is mounted where, as Linux says it (`proc_pid_mountinfo(5)`); nothing on other systems. */
function mountTable(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8')
  } catch {
    return ''
  }
}

/** Whether an absolute path without links is a mount point that no later mount hides. */
export function isMountPoint(path: string, table = mountTable()): boolean {
  const points = table.split('\n').flatMap((line) => mountPointOf(line) ?? [])
  return points.includes(path) && points.findLast((point) => isWithin(point, path)) === path
}

/** The fifth field of a line, in which octal numbers stand for spaces and the like. */
const mountPointOf = (line: string): string | undefined =>
  line.split(' ', 5)[4]?.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)))
