import { lstatSync, mkdtempSync, statSync } from 'node:fs'
import { rm, statfs, truncate } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { ApiError } from '../../../contract/api/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { namesIn, removeOwn } from '../../../file-system.ts'
import { hasEnded, ownTag, tagPattern } from '../../../processes.ts'
import { Turns, type Waiter } from '../turns.ts'
import type { Second } from './long-writes.ts'
import { isInMemory } from './open-database.ts'
import { openSqlite, type Sqlite } from './sqlite.ts'
import { discarded, inManyTurns, type Writing } from './transactions.ts'

/** The file of a copy; SQLite puts others beside it, whose names begin with it. */
const copyName = 'copy.db'

/** Bytes on the disk that a copy leaves free for the writes of others. */
const leftFree = 64 * 2 ** 20

interface Source<Tables> {
  readonly path: string
  readonly tablesOn: (sqlite: Sqlite) => Tables
  /** Copies the database into a new file without holding up others. */
  readonly copyAside: (file: string) => Promise<void>
}

/**
 * Long work that is rolled back, in a copy of the database, in a file beside it that is then removed: it keeps nobody
 * waiting. There is one copy at a time.
 */
export class FileCopies<Tables> {
  readonly #source: Source<Tables>
  readonly #freeIn: (folder: string) => Promise<number>
  readonly #turns = new Turns({ atOnce: 1, waiting: limits.dryRuns, refusal: 'too many long dry runs at once' })

  constructor(source: Source<Tables>, freeIn = freeBytes) {
    this.#source = source
    this.#freeIn = freeIn
    if (!isInMemory(source.path)) removeAbandonedCopies(source.path)
  }

  /** Throws `busy` if much waits already or the asker is gone, `dryRunFull` if the work takes too long, and `storage`. */
  run<T>(work: (tables: Tables, writing: Writing) => Promise<T>, waiter: Waiter): Promise<T> {
    return this.#turns.take(async () => {
      await this.#checkRoom()
      const folder = newFolder(this.#source.path)
      try {
        const { sqlite, tables } = await this.#copy(join(folder, copyName))
        try {
          const { isGone } = waiter
          return await inManyTurns(sqlite, 'ROLLBACK', (writing) => work(tables, writing), { frame: discarded, isGone })
        } finally {
          sqlite.close()
        }
      } finally {
        await removed(folder)
      }
    }, waiter)
  }

  /** Resolves once no copy is left. */
  close(): Promise<void> {
    return this.#turns.drained()
  }

  /** Throws `storage` where the disk has no room for a copy, and as much again for what changes in it. */
  async #checkRoom(): Promise<void> {
    const { path } = this.#source
    if ((await this.#freeIn(dirname(path))) < 2 * (bytesOf(path) + bytesOf(`${path}-wal`)) + leftFree)
      throw new ApiError('storage', 'the disk of the database has no room for the copy that a long dry run needs')
  }

  async #copy(file: string): Promise<Second<Tables>> {
    const { copyAside, tablesOn } = this.#source
    try {
      await copyAside(file)
    } catch (error) {
      if (error instanceof ApiError) throw error
      throw new ApiError('storage', 'the database cannot be copied for a long dry run')
    }
    const sqlite = await openSqlite(file)
    sqlite.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF; PRAGMA foreign_keys = ON')
    return { sqlite, tables: tablesOn(sqlite) }
  }
}

/** The bytes that are free where a folder is; without bound where the file system does not say. */
async function freeBytes(folder: string): Promise<number> {
  const { blocks, bavail, bsize } = await statfs(folder).catch(() => ({ blocks: 0, bavail: 0, bsize: 0 }))
  return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize
}

const bytesOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** The copies that this process works in. */
const own = new Set<string>()

/** A folder that only its owner can read; its name has the process that works in it. */
function newFolder(path: string): string {
  const folder = mkdtempSync(`${path}-dry-${ownTag()}-`)
  own.add(folder)
  return folder
}

async function removed(folder: string): Promise<void> {
  // Where closed databases are left to the garbage collector, that would give back the room on the disk, in this thread.
  for (const file of namesIn(folder)) await truncate(join(folder, file)).catch(() => undefined)
  await rm(folder, { recursive: true, force: true })
  own.delete(folder)
}

const copyOf = new RegExp(`^(${tagPattern})-\\w{6}$`)

/** Removes the copies of a database that killed processes have left, and nothing else that looks like them. */
function removeAbandonedCopies(path: string): void {
  const beginning = `${basename(path)}-dry-`
  for (const name of namesIn(dirname(path)).filter((one) => one.startsWith(beginning))) {
    const tag = copyOf.exec(name.slice(beginning.length))?.[1]
    const folder = join(dirname(path), name)
    if (tag !== undefined && !own.has(folder) && isCopy(folder) && isAbandoned(folder, tag)) removeIfOwn(folder)
  }
}

/** What cannot be removed stays, as something else was asked for. */
function removeIfOwn(folder: string): void {
  try {
    removeOwn(folder)
  } catch {
    // It may be that of another user.
  }
}

const isCopy = (folder: string) =>
  lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true &&
  namesIn(folder).every((file) => file.startsWith(copyName))

/** Whether nobody works in a copy: its process is gone, or was another one with the id of this or of one that runs now. */
const isAbandoned = (folder: string, tag: string) =>
  tag === ownTag() ||
  hasEnded(tag, folder) ||
  Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0) > 10 * limits.dryRunLongest
