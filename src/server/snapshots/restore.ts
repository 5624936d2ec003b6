import { constants, copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Assets, Part } from '../assets/asset-folder.ts'
import { publishReplaced } from '../domain/events.ts'
import { openDatabase, StoreFailure } from '../store/database/open-database.ts'
import { assetIds, assetsName, databaseName, linkFile } from './copy.ts'
import type { ServiceState } from './service-state.ts'

/**
 * Puts a copy in the place of everything there is, in one transaction: other processes on the same database see the
 * one state or the other. `working` is a folder that is made for the time it takes. Throws `db_newer` and `db_unusable` for a copy that cannot be read, and `busy`.
 */
export async function restoreFrom(
  folder: string,
  working: string,
  { store, assets, clock }: ServiceState,
): Promise<void> {
  await assets.tidy()
  try {
    mkdirSync(working, { mode: 0o700 })
    const file = join(working, databaseName)
    copyFileSync(join(folder, databaseName), file, constants.COPYFILE_FICLONE)
    const ids = await upToDate(file)
    const bring = (wanted: readonly string[]) => begun(wanted, join(folder, assetsName), assets)
    const parts = bring(ids)
    try {
      await store.replaceBy(file, () => {
        // What another process deleted since is brought, too.
        parts.push(...bring(ids.filter((id) => !parts.some((part) => part.id === id))))
        assets.store(parts)
        publishReplaced({ store, now: clock() })
      })
    } catch (error) {
      assets.discard(parts)
      assets.untidy()
      throw error
    }
    assets.untidy()
    await assets.tidy()
  } finally {
    rmSync(working, { recursive: true, force: true })
  }
}

/** Brings a copy of an older version up to date; the ids of its assets. */
async function upToDate(file: string): Promise<string[]> {
  const db = await openDatabase(file).catch((error: unknown) => {
    throw error instanceof StoreFailure ? unusable(error, file) : error
  })
  try {
    const found = Object.values(Object(db.prepare('PRAGMA quick_check(1)').get()))[0]
    if (found !== 'ok') throw new StoreFailure('db_unusable', `The snapshot is damaged: ${found}`, another)
    return assetIds(db)
  } finally {
    db.close()
  }
}

const another = 'load another snapshot'

/** Messages name the snapshot, not the copy of it that is worked on. */
const unusable = ({ code, message }: StoreFailure, file: string) =>
  new StoreFailure(
    code,
    message.replace(file, 'The snapshot'),
    code === 'db_newer' ? `upgrade vatom, or ${another}` : another,
  )

/** Files of assets that are not there, begun from those of a copy; one that the copy lacks was lost before. */
function begun(ids: readonly string[], from: string, assets: Assets): Part[] {
  const parts: Part[] = []
  for (const id of ids) {
    if (assets.has(id)) continue
    const part = assets.begin(id)
    parts.push(part)
    rmSync(part.path, { force: true })
    if (!linkFile(join(from, id), part.path)) assets.discard(parts.splice(-1))
  }
  return parts
}
