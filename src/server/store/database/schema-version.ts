import { basename } from 'node:path'
import { ApiError } from '../../../contract/api/errors.ts'
import { migrations } from '../migrations.ts'
import type { Sqlite, Statement } from './sqlite.ts'

/**
 * The version of the schema of an open database, by which a newer version of vatom is noticed that upgraded it meanwhile:
 * what this one would write may not be what that one reads.
 */
export class SchemaVersion {
  readonly #statement: Statement
  readonly #refusal: ApiError
  #seen: unknown = migrations.length

  constructor(db: Pick<Sqlite, 'prepare'>, path: string) {
    this.#statement = db.prepare('PRAGMA user_version')
    this.#refusal = new ApiError(
      'outdated',
      `${basename(path)} was upgraded by a newer version of vatom while its service is running: start the service again with that version`,
    )
  }

  /** Reads the version, which takes some microseconds. While the database is busy it stays what it was. */
  readonly look = (): void => {
    try {
      this.#seen = Object(this.#statement.get()).user_version
    } catch {
      // What is asked of the database next fails for the same reason.
    }
  }

  /** Throws `outdated` if the version that was read last is another than that of this service. */
  check(): void {
    if (this.#seen !== migrations.length) throw this.#refusal
  }
}
