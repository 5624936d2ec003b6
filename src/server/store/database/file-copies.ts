import { mkdtempSync, readdirSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { ApiError } from '../../../contract/api/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { Turns, type Waiter } from '../turns.ts'
import type { Second } from './long-writes.ts'
import { openSqlite, type Sqlite } from './sqlite.ts'
import { copiedInThread } from './threads.ts'
import { discarded, inManyTurns, type Writing } from './transactions.ts'

interface Source<Tables> {
  readonly path: string
  readonly tablesOn: (sqlite: Sqlite) => Tables
  /** Copies the database into a new file, where no thread can do it. */
  readonly copyInto: (file: string) => void
}

/**
 * Long work that is rolled back, in a copy of the database, in a file beside it that is then removed: it keeps nobody
 * waiting. There is one copy at a time.
 */
export class FileCopies<Tables> {
  readonly #source: Source<Tables>
  readonly #turns = new Turns({ atOnce: 1, waiting: limits.dryRuns, refusal: 'too many long dry runs at once' })

  constructor(source: Source<Tables>) {
    this.#source = source
  }

  /** Throws `busy` if much waits already or the asker is gone, `dryRunFull` if the work takes too long, and `storage`. */
  run<T>(work: (tables: Tables, writing: Writing) => Promise<T>, waiter: Waiter): Promise<T> {
    return this.#turns.take(async () => {
      const folder = newFolder(this.#source.path)
      try {
        const { sqlite, tables } = await this.#copy(join(folder, 'copy.db'))
        try {
          const { isGone } = waiter
          return await inManyTurns(sqlite, 'ROLLBACK', (writing) => work(tables, writing), { frame: discarded, isGone })
        } finally {
          sqlite.close()
        }
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    }, waiter)
  }

  /** Resolves once no copy is left. */
  close(): Promise<void> {
    return this.#turns.take(async () => undefined)
  }

  async #copy(file: string): Promise<Second<Tables>> {
    const { path, copyInto, tablesOn } = this.#source
    try {
      await copiedInThread(path, file, copyInto)
    } catch {
      throw new ApiError('storage', 'the database cannot be copied for a long dry run')
    }
    const sqlite = await openSqlite(file)
    sqlite.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF; PRAGMA foreign_keys = ON')
    return { sqlite, tables: tablesOn(sqlite) }
  }
}

/** A folder that only its owner can read. Removes those that a process which was killed has left. */
function newFolder(path: string): string {
  const prefix = `${basename(path)}-dry-`
  for (const name of readdirSync(dirname(path)).filter((one) => one.startsWith(prefix))) {
    const folder = join(dirname(path), name)
    const since = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (Date.now() - since > abandoned) void rm(folder, { recursive: true, force: true }).catch(() => undefined)
  }
  return mkdtempSync(join(dirname(path), prefix))
}

/** Milliseconds after which nobody works in a copy any more. */
const abandoned = 10 * limits.dryRunLongest
