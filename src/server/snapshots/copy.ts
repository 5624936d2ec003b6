import { closeSync, constants, copyFileSync, fsyncSync, linkSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, makeFolder } from '../../file-system.ts'
import type { Assets } from '../assets/asset-folder.ts'
import { removeSecrets } from '../store/database/contents.ts'
import { openSqlite, type Sqlite } from '../store/database/sqlite.ts'
import type { Store } from '../store/store.ts'
import type { Manifest } from './snapshot-files.ts'

/** The names of what a copy consists of, within its folder. */
export const databaseName = 'service.db'
export const assetsName = 'assets'

/** How much is in a copy. */
type Contents = Omit<Manifest, 'when_saved' | 'folder'>

/** Times that assets may be deleted while a copy is made, and it is begun anew. */
const attempts = 5

/**
 * Copies everything there is into a new folder, as it is at one moment, while others go on; without sessions and the
 * secret that tokens are signed with.
 */
export async function copyTo(
  folder: string,
  { store, assets }: { readonly store: Store; readonly assets: Pick<Assets, 'path'> },
): Promise<Contents> {
  makeFolder(join(folder, assetsName), 0o700)
  const database = join(folder, databaseName)
  for (let attempt = 1; ; attempt++) {
    rmSync(database, { force: true })
    closeSync(openSync(database, 'a', 0o600))
    store.copyInto(database)
    const copy = await openSqlite(database)
    try {
      const missing = withoutFile(copy, assets.path, join(folder, assetsName))
      // A file that is missing of an asset that is there was lost before; else that was deleted meanwhile.
      if (attempt < attempts && missing.some((id) => !store.assets.byId(id))) continue
      removeSecrets(copy)
      return contentsOf(copy)
    } finally {
      copy.close()
      sync(database)
    }
  }
}

/** Takes the files of the assets that a copy has; the ids of those that have none. */
const withoutFile = (copy: Sqlite, from: string | undefined, to: string): string[] =>
  assetIds(copy).filter((id) => from === undefined || !linkFile(join(from, id), join(to, id)))

/** The ids of the assets in a database. */
export const assetIds = (db: Sqlite): string[] =>
  (db.prepare('SELECT id FROM assets').all() as { readonly id: string }[]).map(({ id }) => id)

/**
 * Puts a file in a second place, too: files of assets are never written to again, so a link is as good as a copy. False
 * where there is no such file.
 */
export function linkFile(from: string, to: string): boolean {
  try {
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

function sync(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function contentsOf(copy: Sqlite): Contents {
  const count = (table: keyof Contents) =>
    Number(Object.values(Object(copy.prepare(`SELECT count(*) FROM ${table}`).get()))[0])
  return {
    templates: count('templates'),
    variations: count('variations'),
    vatoms: count('vatoms'),
    assets: count('assets'),
  }
}
