import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { identityOf } from './file-identity.ts'

interface Opened {
  readonly descriptor: number
  users: number
}

/** The files that are open, by their identity. */
const opened = new Map<string, Opened>()

/**
 * A file that SQLite locks, for reading. As soon as a process closes such a file, all its locks on it are gone, also those of
 * SQLite, and a database that was closed keeps its locks until it is collected: each file is opened once, and closed when
 * nobody uses it and it was deleted.
 */
export class SharedFile {
  readonly #file: Opened

  /** Throws if there is no such file. */
  constructor(path: string) {
    const identity = identityOf(path) ?? path
    this.#file = opened.get(identity) ?? { descriptor: openSync(path, 'r'), users: 0 }
    this.#file.users++
    opened.set(identity, this.#file)
  }

  get size(): number {
    return fstatSync(this.#file.descriptor).size
  }

  /** Reads bytes from a place on; whether there were as many as asked for. */
  read(into: Buffer, place: number, from = 0, length = into.length): boolean {
    return readSync(this.#file.descriptor, into, from, length, place) === length
  }

  /** To be called once the database is closed. */
  close(): void {
    this.#file.users--
    for (const [identity, { descriptor, users }] of opened) {
      if (users > 0 || fstatSync(descriptor).nlink > 0) continue
      opened.delete(identity)
      closeSync(descriptor)
    }
  }
}
