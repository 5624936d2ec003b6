import { readFileSync, readlinkSync, statSync } from 'node:fs'
import { hostname, uptime } from 'node:os'
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
  /** Names the start of its machine: copies of a machine share its name. Undefined if the system, or an earlier version, does not say. */
  readonly boot?: string | undefined
}

/** What names this process. */
export const ownMark = (): ProcessMark => ({
  pid: process.pid,
  host: hostname(),
  started: startOf(process.pid),
  ids: processIds(),
  boot: bootOf(),
})

/** Whether a process is of this machine or container; what its mark does not say is not compared. */
export const isHere = ({ host, ids, boot }: ProcessMark): boolean =>
  host === hostname() && (ids === undefined || ids === processIds()) && (boot === undefined || boot === bootOf())

/** Whether a process of this machine still runs; any with its id counts if its start is unknown. */
export const stillRuns = ({ pid, started }: Pick<ProcessMark, 'pid' | 'started'>): boolean =>
  isRunning(pid) && (started === undefined || startOf(pid) === started)

/** Whether a process of this machine has an id, and has not ended: whoever started it may never ask how it did. */
export const isRunning = (pid: number): boolean => isKnown(pid) && !['Z', 'X'].includes(statOf(pid)[0] ?? '')

function isKnown(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** When a process started: a later process with the same id has another start. Undefined if the system does not say. */
export const startOf = (pid: number): string | undefined => statOf(pid)[19]

/** Names this machine since its start, or this container, whose processes have ids of their own, with letters, digits and underscores. */
export function machineName(): string {
  machine ??= [sharedName(), bootOf()].filter((part) => part !== undefined).join('_')
  return machine
}

let machine: string | undefined

/** The same as earlier versions named it: copies of a machine share it, and it stays the same when the machine starts anew. */
const sharedName = (): string => `${hostname().replace(/\W/g, '').slice(0, 40)}${processIds()}`

/** What names the start of this machine; undefined if the system does not say. */
function bootOf(): string | undefined {
  try {
    return /^[\da-f]{8}/.exec(readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'))?.[0]
  } catch {
    return undefined
  }
}

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

/** Whether the process of a tag was of this machine or container and has ended; `file` is the one that the tag names. */
export function hasEndedHere(tag: string, file: string): boolean {
  const { pid, started, machine } = partsOf(tag)
  if (machine === machineName() || machine === sharedName()) return !stillRuns({ pid, started })
  return machine.replace(/_[\da-f]{8}$/, '') === sharedName() && isOlderThan(file, uptime() * 1000)
}

function partsOf(tag: string) {
  const [pid, started, ...machine] = tag.split('_')
  return { pid: Number(pid), started: started || undefined, machine: machine.join('_') }
}

/** Whether the process has ended that left a file which names it. */
export function hasEnded(tag: string, file: string): boolean {
  if (!tag.includes('_')) return Number(tag) === process.pid || !isRunning(Number(tag))
  const { machine } = partsOf(tag)
  const isElsewhere = machine !== machineName() && machine !== sharedName()
  return hasEndedHere(tag, file) || (isElsewhere && isOlderThan(file, longestWork))
}

/** Whether a file is there and was changed last so many milliseconds ago. */
function isOlderThan(file: string, age: number): boolean {
  const found = statSync(file, { throwIfNoEntry: false })
  return found !== undefined && Date.now() - found.mtimeMs > age
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
