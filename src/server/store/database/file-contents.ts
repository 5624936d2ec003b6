import { closeSync, openSync, readSync } from 'node:fs'
import { isSameFile, isSameSalt, isSameState, LogIndex, type LogState } from './log-index.ts'
import { SharedFile } from './shared-file.ts'

/** Bytes of the header of a log, and of what is before each page in it. */
const headers = { log: 32, frame: 24 } as const

/** Where the header of a frame of a log is, by its number: the first is 1. */
const frameAt = (number: number, pageSize: number): number => headers.log + (number - 1) * (headers.frame + pageSize)

/** What the file has as long as nothing is copied into it. */
interface Known {
  readonly state: LogState
  readonly size: number
  /** The number of a page, the first is 1, and what is there. */
  readonly page: number
  readonly content: Buffer
}

/**
 * Notices that the file of an open database or its log was overwritten or truncated in place. SQLite goes on with what it
 * knows of them: what is written then is lost.
 */
export class FileContents {
  readonly #index: LogIndex
  readonly #file: SharedFile
  readonly #log: number
  readonly #header = Buffer.alloc(headers.log)
  #page = Buffer.alloc(0)
  #known: Known | undefined

  constructor(path: string) {
    this.#index = new LogIndex(`${path}-shm`)
    this.#file = new SharedFile(path)
    this.#log = openSync(`${path}-wal`, 'r')
    this.look()
  }

  /** To be called after a write: what it left is what has to be there at the next one. */
  look(): void {
    const state = this.#index.read()
    if (state && !(this.#known && isSameFile(this.#known.state, state))) this.#faultIn(state)
  }

  /** Which of the two is not as it was left; undefined if none is, or another process is just changing them. */
  fault(): 'file' | 'log' | undefined {
    const state = this.#index.read()
    const fault = state && this.#faultIn(state)
    return fault && this.#isStill(state) ? fault : undefined
  }

  /** To be called once the database is closed. */
  close(): void {
    this.#index.close()
    this.#file.close()
    closeSync(this.#log)
  }

  #isStill(state: LogState): boolean {
    const now = this.#index.read()
    return now !== undefined && isSameState(now, state)
  }

  #faultIn(state: LogState): 'file' | 'log' | undefined {
    if (state.frames > 0 && !this.#isLog(state)) return 'log'
    const isCopying = state.copied !== state.toCopy
    return isCopying || this.#isFile(state) ? undefined : 'file'
  }

  /** Whether the log begins and ends as it was written; the sum at its end is one of all before it. */
  #isLog({ salt, sum: [first, second], frames, pageSize }: LogState): boolean {
    const header = this.#header
    if (!this.#readLog(header, 0) || !isSameSalt(saltAt(header, 16), salt)) return false
    const last = header.subarray(0, headers.frame)
    const isThere = this.#readLog(last, frameAt(frames, pageSize)) && isSameSalt(saltAt(last, 8), salt)
    return isThere && last.readUInt32BE(16) === first && last.readUInt32BE(20) === second
  }

  /** Whether the file is as it was when something was last copied into it, or has what was copied since. */
  #isFile(state: LogState): boolean {
    const known = this.#known
    if (known && isSameFile(known.state, state))
      return this.#file.size === known.size && this.#pageInFile(known.page, state).equals(known.content)
    const isAllCopied = state.frames > 0 && state.copied === state.frames
    const page = isAllCopied ? this.#header.readUInt32BE(0) : (known?.page ?? 1)
    const content = Buffer.from(this.#pageInFile(page, state))
    if (isAllCopied && !this.#lastInLog(state).equals(content)) return false
    const { size } = this.#file
    if (this.#isStill(state)) this.#known = { state, size, page, content }
    return true
  }

  /** A page as it is in the file, until another is read. */
  #pageInFile(page: number, { pageSize }: LogState): Buffer {
    const content = this.#pageOf(pageSize)
    return this.#file.read(content, (page - 1) * pageSize) ? content : content.fill(0)
  }

  /** The last page of the log, until another is read. */
  #lastInLog({ frames, pageSize }: LogState): Buffer {
    const content = this.#pageOf(pageSize)
    return this.#readLog(content, frameAt(frames, pageSize) + headers.frame) ? content : content.fill(0)
  }

  #pageOf(size: number): Buffer {
    if (this.#page.length !== size) this.#page = Buffer.alloc(size)
    return this.#page
  }

  #readLog(into: Buffer, place: number): boolean {
    return readSync(this.#log, into, 0, into.length, place) === into.length
  }
}

/** The salt in a part of the log. */
function saltAt(bytes: Buffer, place: number): LogState['salt'] {
  const [first = 0, second = 0] = new Uint32Array(bytes.buffer, bytes.byteOffset + place, 2)
  return [first, second]
}
