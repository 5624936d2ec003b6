import { Buffer } from 'node:buffer'
import { fstatSync, writeSync } from 'node:fs'
import { codeOf } from '../../file-system.ts'
import type { Sink } from '../host.ts'
import { withoutWaiting } from './without-waiting.ts'

/** Bytes that are kept for a reader that is too slow. */
const mostKept = 256 * 1024
/** Milliseconds between two attempts to write what is kept. */
const pause = 50
/** Milliseconds in which a reader gets what is kept when the process ends. */
const lastPause = 500

/**
 * Standard error for a log, which waits for no reader: a terminal that is stopped, or a pipe that nobody reads, would stop
 * the process. What a reader is too slow for is kept as far as there is room; lines beyond are left out and counted.
 * `sink` itself where nobody can keep it waiting, such as a file.
 */
export function logSink(sink: Sink): Sink {
  const fd = quickDescriptor()
  if (fd === undefined) return sink
  const { write, finish } = keeping((bytes) => writeSync(fd, bytes))
  process.once('exit', finish)
  return {
    get isTTY() {
      return sink.isTTY === true
    },
    get columns() {
      return sink.columns ?? 0
    },
    write: (text) => write(Buffer.from(text)),
  }
}

/** A descriptor of standard error, writes to which do not wait; undefined where they never do, or that cannot be had. */
function quickDescriptor(): number | undefined {
  try {
    const about = fstatSync(2)
    if (about.isFIFO() || about.isCharacterDevice()) return withoutWaiting(2)
    // Its stream has writes wait no longer.
    return about.isSocket() && process.stderr.writable ? 2 : undefined
  } catch {
    return undefined
  }
}

/** Writes lines as far as `attempt` takes them, which throws EAGAIN instead of waiting, and keeps others. */
function keeping(attempt: (bytes: Uint8Array) => number) {
  let kept: Buffer[] = []
  let size = 0
  let left = 0
  let timer: NodeJS.Timeout | undefined

  const flush = () => {
    timer = undefined
    try {
      for (let [first] = kept; first; [first] = kept) {
        const written = attempt(first)
        size -= written
        if (written < first.length) kept[0] = first.subarray(written)
        else kept.shift()
      }
      if (left > 0) add(leftOut())
    } catch (fault) {
      if (codeOf(fault) === 'EAGAIN') timer = setTimeout(flush, pause).unref()
      else forget()
    }
  }
  const add = (bytes: Buffer) => {
    kept.push(bytes)
    size += bytes.length
    if (timer === undefined && kept.length === 1) flush()
  }
  const leftOut = () => {
    const line = `${left} lines of the log were left out: its reader was too slow\n`
    left = 0
    return Buffer.from(line)
  }
  const forget = () => {
    kept = []
    size = 0
  }
  const finish = () => {
    const until = Date.now() + lastPause
    const nobody = new Int32Array(new SharedArrayBuffer(4))
    for (flush(); kept.length > 0 && Date.now() < until; flush()) Atomics.wait(nobody, 0, 0, pause)
  }
  return {
    write: (bytes: Buffer) => {
      if (size + bytes.length > mostKept || left > 0) left++
      else add(bytes)
    },
    finish,
  }
}
