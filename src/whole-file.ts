import { chmodSync, readdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { startOf, stillRuns } from './processes.ts'

/** A file whose new text is complete beside it, under a temporary name. */
export interface Staged {
  readonly fresh: string
  readonly path: string
}

/** How a file is written. */
export interface Writing {
  /** Without it, as the system makes new files. */
  readonly mode?: number
  /** Whether it is on the disk before it is put in place. */
  readonly flush?: boolean
}

/**
 * Writes a file as a whole or not at all, also if the process is killed meanwhile. A link is followed; a pipe or a device
 * is written to as it is. Throws as the file system does.
 */
export function writeWhole(path: string, text: string, how: Writing = {}): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) putInPlace([stage(path, text, how)])
  else if (found.isFile()) putInPlace([stage(realpathSync(path), text, { mode: found.mode, ...how })])
  else writeFileSync(path, text)
}

/** Writes the new text of a file beside it, and removes what killed processes left there. */
export function stage(path: string, text: string, { mode, flush }: Writing = {}): Staged {
  const folder = dirname(path)
  sweep(folder)
  const fresh = join(folder, freshName())
  try {
    writeFileSync(fresh, text, { flag: 'wx', flush })
    if (mode !== undefined) chmodSync(fresh, mode)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw error
  }
  return { fresh, path }
}

/** Puts all files in place. If that fails, the remaining ones are removed. */
export function putInPlace(staged: readonly Staged[]): void {
  try {
    for (const { fresh, path } of staged) renameSync(fresh, path)
  } finally {
    discard(staged)
  }
}

/** Removes staged files that were not put in place. */
export function discard(staged: readonly Staged[]): void {
  for (const { fresh } of staged) rmSync(fresh, { force: true })
}

const machine = hostname().replace(/[^\w]/g, '').slice(0, 40)
const prefix = `.vatom-${machine}-`
const temporary = /^(\d+)-(\d*)-\d+\.tmp$/
let count = 0

let own: string | undefined

/** A name that says which process of which machine writes the file. */
function freshName(): string {
  own ??= `${prefix}${process.pid}-${startOf(process.pid) ?? ''}-`
  return `${own}${count++}.tmp`
}

/** The folders that this process has swept. */
const swept = new Set<string>()

/** Removes the temporary files of processes of this machine that have ended. */
function sweep(folder: string): void {
  if (swept.has(folder)) return
  swept.add(folder)
  try {
    for (const name of readdirSync(folder)) if (isAbandoned(name)) rmSync(join(folder, name), { force: true })
  } catch {
    // They stay: writing is what was asked for.
  }
}

/** Whether a killed process of this machine left files in a folder that it did not put in place. */
export const holdsAbandoned = (folder: string): boolean => readdirSync(folder).some(isAbandoned)

function isAbandoned(name: string): boolean {
  if (!name.startsWith(prefix)) return false
  const [, pid, start] = temporary.exec(name.slice(prefix.length)) ?? []
  return pid !== undefined && !stillRuns({ pid: Number(pid), started: start || undefined })
}
