import { readFileSync, readlinkSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { codeOf } from './file-system.ts'

/** A process, as a file names it to other processes. */
export interface ProcessMark {
  readonly pid: number
  /** The name of its machine. */
  readonly host: string
  /** When it started; undefined if the system does not say. */
  readonly started?: string | undefined
  /** Names the processes among which its id is unique: containers can share the name of a machine. */
  readonly ids?: string | undefined
}

/** What names this process. */
export const ownMark = (): ProcessMark => ({
  pid: process.pid,
  host: hostname(),
  started: startOf(process.pid),
  ids: processIds(),
})

/** Whether a process is of this machine or container; where its mark does not say which ids it has, of this machine. */
export const isHere = ({ host, ids }: ProcessMark): boolean =>
  host === hostname() && (ids === undefined || ids === processIds())

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

/** Names this machine, or this container, whose processes have ids of their own, with letters, digits and underscores. */
export function machineName(): string {
  machine ??= `${hostname().replace(/\W/g, '').slice(0, 40)}${processIds()}`
  return machine
}

let machine: string | undefined

/** What names the processes among which ids are unique, where the system has several; containers can share a host name. */
function processIds(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')
  } catch {
    return ''
  }
}

/** Names this process in the name of a file: by its id, its start, and its machine or container. */
export function ownTag(): string {
  tag ??= `${process.pid}_${startOf(process.pid) ?? ''}_${machineName()}`
  return tag
}

let tag: string | undefined

/** How such a name is found in that of a file; earlier versions wrote the id alone. */
export const tagPattern = '\\d+(?:_\\d*_\\w+)?'

/** Milliseconds after which a file counts as left of another machine or container, whose processes cannot be looked up. */
const longestWork = 24 * 3_600_000

/** Whether a tag is of a process of this machine or container that has ended. */
export function hasEndedHere(tag: string): boolean {
  const [pid, started, ...host] = tag.split('_')
  return host.join('_') === machineName() && !stillRuns({ pid: Number(pid), started: started || undefined })
}

/** Whether the process has ended that left a file which names it. */
export function hasEnded(tag: string, file: string): boolean {
  if (!tag.includes('_')) return Number(tag) === process.pid || !isRunning(Number(tag))
  if (tag.endsWith(`_${machineName()}`)) return hasEndedHere(tag)
  const found = statSync(file, { throwIfNoEntry: false })
  return found !== undefined && Date.now() - found.mtimeMs > longestWork
}

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
