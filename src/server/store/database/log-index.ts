import { SharedFile } from './shared-file.ts'

/** What all who have a database open know of its log (WAL). */
export interface LogState {
  /** Changes with each commit. */
  readonly changes: number
  readonly pageSize: number
  /** How many pages the log has that are committed. */
  readonly frames: number
  /** How many of them were copied into the file, and were to be copied: more as long as that is done. */
  readonly copied: number
  readonly toCopy: number
  /** Random numbers of all parts of the log, as they are in it, until it begins anew. */
  readonly salt: readonly [number, number]
  /** The sum of the log as far as it is committed. */
  readonly sum: readonly [number, number]
}

/** Bytes of each of two headers, which are the same unless one is being written. */
const headerSize = 48
/** Where `toCopy` is. The bytes before it are for locks, and cannot be read on each system. */
const toCopyAt = 128

/** The index of the log, a file that processes share as memory: `FILE-shm`. See https://sqlite.org/walformat.html. */
export class LogIndex {
  readonly #file: SharedFile
  /** Numbers are in the order of the machine. */
  readonly #words = new Uint32Array((toCopyAt + 4) / 4)
  readonly #halves = new Uint16Array(this.#words.buffer)
  readonly #bytes = Buffer.from(this.#words.buffer)

  constructor(path: string) {
    this.#file = new SharedFile(path)
  }

  /** The state of the log; undefined while it is being written. */
  read(): LogState | undefined {
    const bytes = this.#bytes
    if (!this.#file.read(bytes, 0, 0, 2 * headerSize + 4)) return undefined
    if (!this.#file.read(bytes, toCopyAt, toCopyAt, 4)) return undefined
    const isWhole = bytes.compare(bytes, headerSize, 2 * headerSize, 0, headerSize) === 0
    const isInitialised = bytes[12] === 1
    return isWhole && isInitialised ? this.#state() : undefined
  }

  close(): void {
    this.#file.close()
  }

  #state(): LogState {
    const word = (place: number) => this.#words[place / 4] ?? 0
    const pageSize = this.#halves[14 / 2] ?? 0
    return {
      changes: word(8),
      pageSize: pageSize === 1 ? 65_536 : pageSize,
      frames: word(16),
      copied: word(96),
      toCopy: word(toCopyAt),
      salt: [word(32), word(36)],
      sum: [word(24), word(28)],
    }
  }
}

/** Whether nothing was copied into the file between two states. */
export const isSameFile = (a: LogState, b: LogState): boolean =>
  a.copied === b.copied && a.toCopy === b.toCopy && isSameSalt(a.salt, b.salt)

/** Whether nothing was written between two states, either. */
export const isSameState = (a: LogState, b: LogState): boolean =>
  a.changes === b.changes && a.frames === b.frames && isSameFile(a, b)

export const isSameSalt = ([a, b]: LogState['salt'], [c, d]: LogState['salt']): boolean => a === c && b === d
