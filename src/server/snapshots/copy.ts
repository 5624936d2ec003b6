import { closeSync, constants, copyFileSync, linkSync, lstatSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Contents } from '../../contract/api/snapshot.ts'
import { codeOf, makeFolder, sync } from '../../file-system.ts'
import { type Assets, sizeOf } from '../assets/asset-folder.ts'
import { isAssetId } from '../assets/orphans.ts'
import type { Clock } from '../domain/clock.ts'
import type { AssetRow } from '../store/assets.ts'
import { contentsOf, removeSecrets, removeUnderWay } from '../store/database/contents.ts'
import { freeClosed, openSqlite, type Sqlite } from '../store/database/sqlite.ts'
import type { Random } from '../store/random.ts'
import type { Store } from '../store/store.ts'

/** What is copied, replaced and emptied: the records and assets of a service. */
export interface ServiceState {
  readonly store: Store
  readonly assets: Assets
  /** Times of copies, and of publishers that become as new. */
  readonly clock: Clock
  /** Where the ids of tokens come from. */
  readonly tokens: { readonly random: Random }
  /** Where it says what is left undone. */
  readonly log: ((line: string) => void) | undefined
}

/** The names of the parts of a copy, within its folder. */
export const databaseName = 'service.db'
export const assetsName = 'assets'

/** A copy is begun again, so many times, if assets are deleted while it is made. */
const attempts = 5

/**
 * Copies a service's state, as it is at one moment, into a new folder, while the service goes on; without sessions, the
 * secret that signs tokens, and runs of limited actions that are under way.
 */
export async function copyTo(
  folder: string,
  { store, assets }: { readonly store: Store; readonly assets: Pick<Assets, 'path' | 'tidy'> },
): Promise<Contents> {
  // Files that were set aside come back.
  await assets.tidy()
  makeFolder(join(folder, assetsName), 0o700)
  const database = join(folder, databaseName)
  for (let attempt = 1; ; attempt++) {
    rmSync(database, { force: true })
    closeSync(openSync(database, 'a', 0o600))
    store.copyInto(database)
    const copy = await openSqlite(database)
    try {
      const missing = withoutFile(copy, assets.path, join(folder, assetsName))
      // If a file is missing, its asset was deleted meanwhile; if the asset still exists, the file was lost before.
      if (attempt < attempts && missing.some((id) => !store.assets.byId(id))) continue
      removeUnderWay(copy)
      removeSecrets(copy)
      return contentsOf(copy)
    } finally {
      await closeCopy(copy, database)
      sync(database)
    }
  }
}

/** Bytes of a database from which on its files are not left to the garbage collector: to run that takes some milliseconds. */
const largeCopy = 2 ** 22

/** Closes a copy, and its files with it: one that is deleted while it is open takes as much room on the disk as before. */
export async function closeCopy(copy: Sqlite, database: string): Promise<void> {
  copy.close()
  if ((sizeOf(database) ?? 0) >= largeCopy) await freeClosed()
}

/** Links the files of the assets in a copy into a folder; returns the ids of assets without a file. */
export const withoutFile = (copy: Sqlite, from: string | undefined, to: string): string[] =>
  assetsIn(copy)
    .map(({ id }) => id)
    .filter((id) => from === undefined || !isAssetId(id) || !linkFile(join(from, id), join(to, id)))

export type CopiedAsset = Pick<AssetRow, 'id' | 'name' | 'size'>

/** The assets in a database: in one that somebody made, their ids can be any text. */
export const assetsIn = (db: Sqlite): CopiedAsset[] =>
  db.prepare('SELECT id, name, size FROM assets').all() as unknown as CopiedAsset[]

/**
 * Links a file to a second path, or copies it: files of assets are never changed, so a link is as good. False if there
 * is no such file, or it is none.
 */
export function linkFile(from: string, to: string): boolean {
  try {
    // What a symbolic link leads to may be anybody's.
    if (!lstatSync(from).isFile()) return false
    linkSync(from, to)
    return true
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EEXIST') return true
    if (code === 'ENOENT') return false
    copyFileSync(from, to, constants.COPYFILE_FICLONE)
    sync(to)
    return true
  }
}
