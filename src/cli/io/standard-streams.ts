import { Buffer } from 'node:buffer'
import { fstatSync, writeSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { messageOf } from '../../contract/unknown-values.ts'
import { codeOf } from '../../file-system.ts'
import { exit } from '../failure/failure.ts'
import type { Sink } from '../host.ts'
import { withoutWaiting } from './without-waiting.ts'

/**
 * Does work that waits for a reader while signals end the process as if nobody handled them: in that time, no
 * handler is called.
 */
export type Aside = (work: () => void) => void

/**
 * Standard output. If the reader has closed it, as in `vatom … | head`, the exit code does not change; if it cannot be
 * written for another reason, the process exits with 1.
 */
export const standardOutput = (aside: Aside): Sink =>
  sinkOf(
    1,
    () => process.stdout,
    aside,
    [],
    (fault) => {
      if (codeOf(fault) === 'EPIPE') return
      // Last of all, when it is known whether the work was done.
      process.once('exit', (code) => {
        const hint = code === exit.done ? `the command did its work all the same: ${checkChanges}` : checkChanges
        standardError(aside).write(`error: standard output cannot be written: ${messageOf(fault)}\nhint: ${hint}\n`)
        process.exitCode = exit.refused
      })
    },
  )

/** Standard error; notes that cannot be written are no failure, and those for which a disk has room again are written. */
export const standardError = (aside: Aside): Sink =>
  sinkOf(
    2,
    () => process.stderr,
    aside,
    ['ENOSPC', 'EDQUOT', 'EFBIG'],
    () => {},
  )

const lineEnd = Buffer.from('\n')
const checkChanges = 'run one again that changes something only after a look at what it did'

/** Files and pipes are written to directly, because setting up Node's streams takes milliseconds. */
function sinkOf(
  fd: number,
  open: () => Writable & Sink,
  aside: Aside,
  passing: readonly string[],
  onFault: (fault: unknown) => void,
): Sink {
  const stream = () =>
    open()
      .once('error', onFault)
      .on('error', () => {})
  return isPlain(fd) ? directSink(fd, stream, aside, passing, onFault) : stream()
}

/** Whether a descriptor is certainly no terminal. */
function isPlain(fd: number): boolean {
  try {
    return !fstatSync(fd).isCharacterDevice()
  } catch {
    return false
  }
}

/** A descriptor of a pipe, writes to which do not wait; undefined for what is no pipe, or where it cannot be had. */
function quickDescriptor(fd: number): number | undefined {
  try {
    return fstatSync(fd).isFIFO() ? withoutWaiting(fd) : undefined
  } catch {
    return undefined
  }
}

/** The bytes that a pipe takes as a whole, or none of them. POSIX has at least 512, Linux 4096. */
const mostWhole = 4096

/** Whether a pipe takes a text now; where it cannot be written at all, the text that comes next says so. */
function takesWhole(quick: number, text: string): boolean {
  const bytes = Buffer.from(text)
  if (bytes.length > mostWhole) return false
  try {
    return writeSync(quick, bytes) === bytes.length
  } catch {
    return false
  }
}

/** Writes bytes as far as they are taken without waiting; answers the others. */
function writtenAtOnce(quick: number, bytes: Uint8Array): Uint8Array {
  let rest = bytes
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(quick, rest))
  } catch (fault) {
    if (codeOf(fault) !== 'EAGAIN') throw fault
  }
  return rest
}

/**
 * Writes synchronously. After a fault, nothing more is written, unless it is a passing one: then only that text is lost. If a
 * non-blocking pipe is full, Node's stream takes over.
 */
function directSink(
  fd: number,
  openStream: () => Writable,
  aside: Aside,
  passing: readonly string[],
  onFault: (fault: unknown) => void,
): Sink {
  let stream: Writable | undefined
  let isLost = false
  /** Whether the end of a text is missing, and so the end of its line. */
  let isCut = false
  const quick = quickDescriptor(fd)
  const write = (text: string | Uint8Array) => {
    if (isLost) return
    if (stream) return void stream.write(text)
    const whole: Uint8Array = typeof text === 'string' ? Buffer.from(text) : text
    let rest: Uint8Array = isCut ? Buffer.concat([lineEnd, whole]) : whole
    const writeAll = () => {
      while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest))
    }
    try {
      if (quick !== undefined) rest = writtenAtOnce(quick, rest)
      if (quick !== undefined && rest.length > 0) aside(writeAll)
      else writeAll()
      isCut = false
    } catch (fault) {
      if (codeOf(fault) === 'EAGAIN') {
        stream = openStream()
        stream.write(rest)
      } else if (passing.includes(String(codeOf(fault)))) {
        isCut ||= rest.length < whole.length
      } else {
        isLost = true
        onFault(fault)
      }
    }
  }
  return {
    get writable() {
      return !isLost && stream?.writable !== false
    },
    write,
    offer: (text) => {
      if (isLost || stream !== undefined || (quick !== undefined && !takesWhole(quick, text))) return false
      if (quick === undefined) write(text)
      return true
    },
  }
}
