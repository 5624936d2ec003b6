import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { plural } from '../../contract/schema/wording.ts'
import { syncFolder } from '../../file-system.ts'
import { ownPath } from '../../own-path.ts'
import { ownTag } from '../../processes.ts'
import { newTemporaryFolder } from '../../temporary-folders.ts'
import type { AssetRow } from '../store/assets.ts'
import { isInMemory } from '../store/database/open-database.ts'
import type { Store } from '../store/store.ts'
import { belongsTo, type Fate, isAssetId, mark, removed, setAside, tidyFiles } from './orphans.ts'

/** A file that is being received: its asset's id, and where it is until the asset is recorded. */
export interface Part {
  readonly id: string
  readonly path: string
}

/** The folder as others use it. */
export type Assets = Pick<AssetFolder, keyof AssetFolder>

/** Parts that this process is receiving: an earlier process with the same id may have left others. */
const receiving = new Set<string>()

/**
 * The folder that the files of assets are in: beside the database, or a temporary one for a database in memory. It is
 * made for the first file. Files are named by ids alone; the names that clients give are stored in the database. In a database
 * that somebody made, an id can be any text: what is none names no file.
 */
export class AssetFolder {
  readonly #db: Store
  readonly #owner: string
  readonly #log: (line: string) => void
  readonly #isTemporary: boolean
  readonly #busy = new Set<Promise<unknown>>()
  #path: string | undefined
  #tidied: Promise<void> | undefined
  #loggedForeign = false
  #loggedLeft = false

  /** `owner` is the id by which the folder knows its database. */
  constructor(store: Store, db: string, owner: string, log: (line: string) => void = () => {}) {
    this.#db = store
    this.#owner = owner
    this.#log = log
    this.#isTemporary = isInMemory(db)
    this.#path = this.#isTemporary ? undefined : folderBeside(db)
  }

  /** Where it is, or will be; undefined for a temporary folder that does not exist yet. */
  get path(): string | undefined {
    return this.#path
  }

  /**
   * Gets what crashes left out of the way, once: before the first operation on assets, and when a service begins to listen.
   * A failure refuses no operation: the next one tries again.
   */
  tidy(): Promise<void> {
    this.#tidied ??= this.#tidy(this.#isTemporary ? removed : setAside).catch(() => this.untidy())
    return this.#tidied
  }

  /** Removes all files that no asset is recorded for, as their assets are deleted; after a failure, they are set aside. */
  removeUnrecorded(): Promise<void> {
    this.#tidied = this.#tidy(removed).catch(() => this.untidy())
    return this.#tidied
  }

  async #tidy(unrecorded: Fate): Promise<void> {
    if (this.#path === undefined || !existsSync(this.#path)) return
    const path = ownPath(this.#path)
    if (this.#isTemporary || belongsTo(path, this.#owner, this.#db)) {
      const { count, failure } = await tidyFiles({ folder: this, store: this.#db, unrecorded })
      if (count > 0 && unrecorded === setAside)
        this.#log(
          `${path}: ${plural(count, 'file')} of no asset of this database set aside as *.unrecorded for 30 days`,
        )
      if (failure !== undefined) this.#noteLeft(path, failure)
    } else if (!this.#loggedForeign) {
      this.#loggedForeign = true
      this.#log(`${path} belongs to another database: files in it that belong to no asset are not removed`)
    }
  }

  #noteLeft(path: string, why: string): void {
    this.untidy()
    if (this.#loggedLeft) return
    this.#loggedLeft = true
    this.#log(`${path}: a file of no asset stays where it is, until it can be moved: ${why}`)
  }

  /** Makes the next operation tidy the folder again: it may have files that no asset is recorded for. */
  untidy(): void {
    this.#tidied = undefined
  }

  /** Begins the file of an asset, a new one unless its id is given: several files of one asset may be under way at once. */
  begin(id: string = this.#db.random.uuid()): Part {
    const part = { id, path: join(this.#make(), `${randomUUID()}.${ownTag()}.part`) }
    receiving.add(part.path)
    return part
  }

  /**
   * Gives complete files their final names, durably and all at once. Call it in the write that records them: a crash
   * may then leave a file that is not recorded, but never a record without its file.
   */
  store(parts: readonly Part[]): void {
    const folder = this.#make()
    const named: string[] = []
    try {
      for (const { id, path } of parts) {
        renameSync(path, join(folder, id))
        named.push(join(folder, id))
      }
      syncFolder(folder)
    } catch (error) {
      for (const file of named) rmSync(file, { force: true })
      throw error
    }
    for (const { path } of parts) receiving.delete(path)
  }

  /** Removes files that did not become assets. */
  discard(parts: readonly Part[]): void {
    for (const { path } of parts) {
      rmSync(path, { force: true })
      receiving.delete(path)
    }
  }

  /** Removes files whose assets could not be recorded, also those that have their final names already. */
  async withdraw(parts: readonly Part[]): Promise<void> {
    this.discard(parts)
    for (const { id } of parts) if (this.has(id)) await this.remove(id)
  }

  /** Removes the file of an asset unless the asset is recorded; after a failure, the next tidying sets it aside. */
  async remove(id: string): Promise<void> {
    const { path } = this
    if (path === undefined || !isAssetId(id)) return
    await this.#db
      .write(() => {
        if (!this.#db.assets.byId(id)) rmSync(join(path, id), { force: true })
      })
      .catch(() => this.untidy())
  }

  /** Whether the file of an asset is there. */
  has(id: string): boolean {
    return this.#path !== undefined && isAssetId(id) && existsSync(join(this.#path, id))
  }

  /** Whether the file of an asset is there, with as many bytes as are recorded. */
  isWhole({ id, size }: Pick<AssetRow, 'id' | 'size'>): boolean {
    return this.#path !== undefined && isAssetId(id) && sizeOf(join(this.#path, id)) === size
  }

  /** Whether this process is receiving a file of this name. */
  isReceiving(name: string): boolean {
    return this.#path !== undefined && receiving.has(join(this.#path, name))
  }

  /** The outcome of work on files; closing waits for it. */
  async during<T>(work: Promise<T>): Promise<T> {
    this.#busy.add(work)
    try {
      return await work
    } finally {
      this.#busy.delete(work)
    }
  }

  /** Waits for work that has begun, then removes a temporary folder. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#busy)
    if (this.#isTemporary && this.#path !== undefined) rmSync(this.#path, { recursive: true, force: true })
  }

  /** Where it is, made if it is not there. Throws as `ownPath` does: whoever can change the folder of the database can replace it. */
  #make(): string {
    if (this.#path === undefined) {
      this.#path = newTemporaryFolder('assets')
      return this.#path
    }
    const path = ownPath(this.#path)
    if (mkdirSync(path, { recursive: true, mode: 0o700 }) !== undefined) {
      mark(path, this.#owner)
      syncFolder(dirname(path))
    }
    return path
  }
}

/** How many bytes a file has; undefined if there is none. */
export const sizeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.size

/** The folder of a database, which all its names share: beside the file that a link leads to, unless there is one beside the link. */
function folderBeside(db: string): string {
  const named = `${db}.assets`
  return existsSync(named) ? named : `${realpathSync(db)}.assets`
}
