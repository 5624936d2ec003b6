import { randomUUID } from 'node:crypto'
import { ApiError } from '../../../contract/api/errors.ts'
import type { Contents, HeldData } from '../../../contract/api/snapshot.ts'
import type { Eras } from '../eras.ts'
import { Turns } from '../turns.ts'
import { dataVersion } from './committed-changes.ts'
import { contentsOf, emptyContents, replaceContents } from './contents.ts'
import type { ReadCaches } from './read-caches.ts'
import { firstValue, type Sqlite } from './sqlite.ts'
import type { Writes } from './writes.ts'

interface Opened {
  readonly sqlite: Sqlite
  readonly writes: Pick<Writes, 'run'>
  readonly caches: Pick<ReadCaches, 'hold'>
  readonly eras: Pick<Eras, 'end'>
}

/** What reads, replaces and deletes all contents of a database. */
export function wholeContentsOf({ sqlite, writes, caches, eras }: Opened) {
  const versionNow = contentsVersion(sqlite)
  /** One at a time, as each attaches its file by the same name. */
  const replacing = new Turns({ atOnce: 1 })
  /**
   * Runs work that changes tables otherwise than by statements of theirs; answers how much there was before. Throws
   * `dataChanged`, and does nothing, if the contents have another version than the expected one.
   */
  const rewrite = (work: () => void, expected: string | undefined): Promise<Contents> =>
    writes.run(() => {
      if (expected !== undefined && expected !== versionNow()) throw new ApiError('dataChanged')
      const before = contentsOf(sqlite)
      const ended = caches.hold()
      try {
        work()
        eras.end()
        return before
      } finally {
        ended()
      }
    })
  return {
    /** How much it holds. */
    contents: () => contentsOf(sqlite),
    /** The same, and the version of that. What is committed in between gives it another, as the version is read first. */
    held: (): HeldData => ({ version: versionNow(), ...contentsOf(sqlite) }),
    /**
     * Replaces all contents by those of another database file, one after the other; `during` is carried out in the same
     * transaction. Answers how much it replaced; throws `dataChanged` if that is not of the expected version.
     */
    replaceBy: (file: string, during: () => void, expected?: string): Promise<Contents> =>
      replacing.take(async () => {
        sqlite.prepare('ATTACH ? AS source').run(file)
        try {
          return await rewrite(() => {
            during()
            replaceContents(sqlite)
          }, expected)
        } finally {
          sqlite.exec('DETACH source')
        }
      }),
    /**
     * Deletes everything, and answers how much; `save` is called before that, and the function that it returns after it.
     * Throws `dataChanged` as `replaceBy` does.
     */
    empty: (save: () => () => void, expected?: string): Promise<Contents> =>
      rewrite(() => emptyContents(sqlite, save), expected),
  }
}

/**
 * Reads the version of the contents: a text that is another one after each commit that changed something, of this process or
 * another, and within a transaction after each change. It is compared with those of the same opened database only.
 */
function contentsVersion(sqlite: Sqlite): () => string {
  const opened = randomUUID()
  const ofOthers = dataVersion(sqlite)
  return () => [opened, ofOthers(), firstValue(sqlite, 'SELECT total_changes()')].join('.')
}
