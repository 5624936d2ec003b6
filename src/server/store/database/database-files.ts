import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { ApiError } from '../../../contract/api/errors.ts'

/** A database and the files that SQLite has beside it while it is open. */
export const filesOf = (path: string): string[] => [path, `${path}-wal`, `${path}-shm`]

/**
 * The files of an open database. SQLite goes on writing to files that were deleted or moved: what is written then is lost
 * when the process ends.
 */
export class DatabaseFiles {
  readonly #identities: ReadonlyMap<string, string | undefined>

  /** To be called once the database is open, as SQLite has made its files then; none for a database in memory. */
  constructor(path: string | undefined) {
    const files = path === undefined ? [] : filesOf(path)
    this.#identities = new Map(files.map((file) => [file, identityOf(file)]))
  }

  /** Throws `storage` if one of the files is no longer the one that was opened. Takes microseconds. */
  readonly check = (): void => {
    for (const [file, identity] of this.#identities)
      if (identity !== undefined && identityOf(file) !== identity)
        throw new ApiError(
          'storage',
          `${basename(file)} was deleted, moved or replaced while its service is running, so nothing is stored: put it back, or restart the service`,
        )
  }
}

/** The device and the number of a file; undefined where there is none, or it has no number. */
function identityOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false })
  return found && found.ino !== 0 ? `${found.dev} ${found.ino}` : undefined
}
