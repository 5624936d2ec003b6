import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { codeOf, isWithin, leadsTo, realPath } from './file-system.ts'
import { Leftovers } from './leftovers.ts'
import { ownPath } from './own-path.ts'
import { ownTag } from './processes.ts'

/** A file whose new text is complete beside it, under a temporary name. */
export interface Staged {
  readonly fresh: string
  readonly path: string
}

/** How a file is written. */
export interface Writing {
  /** Without it, as the system makes new files. */
  readonly mode?: number
  /** Whose file it is, if not of the user who writes it: to give it away takes rights that not everybody has. */
  readonly owner?: Owner
  /** Whether it is on the disk before it is put in place. */
  readonly flush?: boolean
  /** Throws where the new file is not to be put in place after all: it is asked directly before that. */
  readonly check?: () => void
  /** Writes the content to a new file. Where it writes a part only, and does not say so, nothing is put in place. */
  readonly write?: (fresh: string) => void
}

type Owner = Pick<Stats, 'uid' | 'gid'>

/**
 * Writes a file as a whole or not at all, also if the process is killed meanwhile. A link is followed; a pipe or a device
 * is written to as it is. Throws as the file system does.
 */
export function writeWhole(path: string, content: string | Uint8Array, how: Writing = {}): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) putInPlace(stage(path, content, how), how.check)
  else if (found.isFile())
    putInPlace(stage(realpathSync(path), content, { mode: found.mode, owner: found, ...how }), how.check)
  else writeThrough(path, content)
}

/**
 * Writes a file of this user's own as a whole or not at all, where `ownPath` leads: what is there by then is replaced, and no
 * link followed. Throws as that does, and as the file system does.
 */
export function writeOwn(path: string, content: string | Uint8Array, how: Writing = {}): void {
  replaceAt(ownPath(path), content, how)
}

/**
 * Writes a file as a whole or not at all within a folder, whose real path is given: a link that leads out of it is not
 * followed, also where one is made meanwhile. Throws for such a link, and as the file system does.
 */
export function writeWithin(folder: string, path: string, content: string | Uint8Array): void {
  const real = leadsTo(path)
  const check = () => {
    if (!isWithin(folder, realPath(dirname(real)))) throw new Error('a link leads out of the folder')
  }
  check()
  replaceAt(real, content, { check })
}

function replaceAt(real: string, content: string | Uint8Array, how: Writing): void {
  const found = lstatSync(real, { throwIfNoEntry: false })
  const like = found?.isFile() ? { mode: found.mode, owner: found } : {}
  putInPlace(stage(real, content, { ...like, ...how }), how.check)
}

function writeThrough(path: string, content: string | Uint8Array): void {
  const file = openStream(path)
  try {
    writeStream(file, content)
  } finally {
    closeSync(file)
  }
}

/** Opens a pipe or a device for writing; throws if nobody reads from the pipe, as waiting for that could be for good. */
export function openStream(path: string): number {
  try {
    return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
  } catch (error) {
    if (codeOf(error) === 'ENXIO') throw new Error('nobody reads from it', { cause: error })
    throw error
  }
}

/** Milliseconds in which the reader of a pipe that is full has to read. */
const patience = 5_000
const pause = 10

/** Writes all of a content to an open file, pipe or device; throws if its reader stops reading. */
export function writeStream(file: number, content: string | Uint8Array): void {
  let rest = Buffer.from(content)
  let waited = 0
  while (rest.length > 0) {
    const written = writeSome(file, rest)
    rest = rest.subarray(written)
    waited = written > 0 ? 0 : waited + pause
    if (waited > patience) throw new Error('nobody reads from it')
    if (written === 0) Atomics.wait(asleep, 0, 0, pause)
  }
}

const asleep = new Int32Array(new SharedArrayBuffer(4))

/** Appends to an open file all of a text or nothing of it; throws as the file system does, also where its disk has room for a part. */
export function appendWhole(file: number, text: string): void {
  const { size } = fstatSync(file)
  try {
    writeStream(file, text)
  } catch (error) {
    ftruncateSync(file, size)
    throw error
  }
}

/** How many bytes fit in, which are none while a pipe is full. */
function writeSome(file: number, bytes: Uint8Array): number {
  try {
    return writeSync(file, bytes)
  } catch (error) {
    if (codeOf(error) === 'EAGAIN') return 0
    throw error
  }
}

/**
 * Writes the new content of a file beside it, and then removes what killed processes left there: that says that their
 * work is unfinished, also where this process is killed before it has written anything.
 */
export function stage(path: string, content: string | Uint8Array, how: Writing = {}): Staged {
  const folder = dirname(path)
  const fresh = join(folder, freshName())
  try {
    const file = opened(fresh, how)
    try {
      if (how.write === undefined) writeFileSync(file, content)
      else refuseOther(file, content)
      refusePart(file, fresh, content)
      finish(file, how)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    rmSync(fresh, { force: true })
    throw error
  } finally {
    sweep(folder)
  }
  return { fresh, path }
}

/**
 * A new file, open for writing. Whoever owns its folder can let its name stand for any other file at any time: what is done
 * with it after this is done with what is open.
 */
function opened(fresh: string, { write, mode }: Writing): number {
  // Its mode is given to it once it is whole: until then, nobody else needs to read it.
  if (write === undefined) return openSync(fresh, 'wx', mode === undefined ? undefined : 0o600)
  write(fresh)
  return openSync(fresh, constants.O_RDWR | constants.O_NOFOLLOW)
}

/** Throws where what was written by name is not what is open now. A part of it is looked at as such. */
function refuseOther(file: number, content: string | Uint8Array): void {
  const whole = Buffer.from(content)
  const found = readFileSync(file)
  if (!found.equals(whole.subarray(0, found.length))) throw new Error('another process has replaced it')
}

/** Throws as a full disk does where a file has not all bytes that were written to it. */
function refusePart(file: number, fresh: string, content: string | Uint8Array): void {
  const { size } = fstatSync(file)
  const bytes = Buffer.byteLength(content)
  if (size === bytes) return
  throw Object.assign(new Error(`ENOSPC: ${size} of ${bytes} bytes were written, '${fresh}'`), { code: 'ENOSPC' })
}

function finish(file: number, { mode, owner, flush }: Writing): void {
  if (flush) fsyncSync(file)
  if (owner) giveTo(file, owner)
  if (mode !== undefined) fchmodSync(file, mode)
}

function giveTo(file: number, { uid, gid }: Owner): void {
  const own = fstatSync(file)
  if (own.uid === uid && own.gid === gid) return
  try {
    fchownSync(file, uid, gid)
  } catch {
    // The system does not let this user give it away.
  }
}

/** Puts a file in place. If that fails, or `check` throws, it is removed. */
export function putInPlace({ fresh, path }: Staged, check: () => void = () => {}): void {
  try {
    check()
    renameSync(fresh, path)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw error
  }
}

/** Removes staged files that were not put in place. */
export function discard(staged: readonly Staged[]): void {
  for (const { fresh } of staged) rmSync(fresh, { force: true })
}

let count = 0

/** A name that says which process of which machine writes the file. */
const freshName = (): string => `.vatom-${ownTag()}-${count++}.tmp`

/** Such a name, also with what `conf` adds to it while it writes. */
const temporary = /^\.vatom-(\d+_\d*_\w*)-\d+\.tmp(?:\.tmp-\w+)?$/
/** As earlier versions named them: by the machine, the process and its start. */
const earlier = /^\.vatom-(\w*)-(\d+)-(\d*)-\d+\.tmp$/

function tagOf(name: string): string | undefined {
  const [, machine, pid, start] = earlier.exec(name) ?? []
  return pid === undefined ? temporary.exec(name)?.[1] : `${pid}_${start}_${machine}`
}

/** Temporary files that were not put in place. */
const abandoned = new Leftovers(tagOf, (path) => rmSync(path, { force: true }))

/** Removes the temporary files of processes of this machine that have ended. */
export const sweep = (folder: string): void => abandoned.sweep(folder)

/** Whether a killed process of this machine left files in a folder that it did not put in place. */
export const holdsAbandoned = (folder: string): boolean => abandoned.areIn(folder)
