import { constants, copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isDiskFull } from '../../file-system.ts'
import type { Assets, Part } from '../assets/asset-folder.ts'
import { isAssetId } from '../assets/orphans.ts'
import { publishReplaced } from '../domain/events.ts'
import { finishDeletions } from '../domain/users/deletion.ts'
import { openDatabase, StoreFailure } from '../store/database/open-database.ts'
import { firstValue } from '../store/database/sqlite.ts'
import { assetIds, assetsName, databaseName, linkFile, type ServiceState } from './copy.ts'

/**
 * Replaces the service's state by a copy, in one transaction: other processes on the same database see either all of the
 * one or all of the other. `working` is a folder that exists while this runs. Throws `db_newer` and `db_unusable` for a
 * copy that cannot be read, and `busy`.
 */
export async function restoreFrom(folder: string, working: string, service: ServiceState): Promise<void> {
  try {
    mkdirSync(working, { mode: 0o700 })
    const file = join(working, databaseName)
    copyFileSync(join(folder, databaseName), file, constants.COPYFILE_FICLONE)
    await replaceState({ database: file, ids: await upToDate(file), files: join(folder, assetsName) }, service)
  } finally {
    rmSync(working, { recursive: true, force: true })
  }
}

/** A copy of this version. */
interface Copy {
  readonly database: string
  /** Of its assets. */
  readonly ids: readonly string[]
  /** The folder of their files. */
  readonly files: string
}

/** Replaces the service's state by a copy, in one transaction. */
export async function replaceState(
  { database, ids, files }: Copy,
  { store, assets, clock, logins }: ServiceState,
): Promise<void> {
  await assets.tidy()
  const begin = (wanted: readonly string[]) => begun(wanted, files, assets)
  const parts = begin(ids)
  try {
    await store.replaceBy(database, () => {
      // Another process may have deleted assets meanwhile.
      parts.push(...begin(ids.filter((id) => !parts.some((part) => part.id === id))))
      if (parts.length > 0) assets.store(parts)
      publishReplaced({ store, now: clock() })
    })
  } catch (error) {
    assets.discard(parts)
    assets.untidy()
    throw error
  }
  logins.failures.clear()
  assets.untidy()
  await assets.tidy()
  await finishDeletions({ store, clock })
}

/** Brings a copy of an older version up to date; the ids of its assets. */
async function upToDate(file: string): Promise<string[]> {
  const db = await openDatabase(file).catch((error: unknown) => {
    throw error instanceof StoreFailure ? unusable(error) : error
  })
  try {
    const found = firstValue(db, 'PRAGMA quick_check(1)')
    if (found !== 'ok') throw new StoreFailure('db_unusable', theSnapshot, `is damaged: ${found}`, another)
    const ids = assetIds(db)
    if (!ids.every(isAssetId))
      throw new StoreFailure('db_unusable', theSnapshot, 'has assets whose ids are none', another)
    return ids
  } finally {
    db.close()
  }
}

const theSnapshot = 'The snapshot'
const another = 'load another snapshot'

/** Messages name the snapshot, not the working copy of it. */
const unusable = ({ code, problem, cause }: StoreFailure) => {
  if (isDiskFull(cause)) return new StoreFailure(code, theSnapshot, problem, 'make room on the disk of the data')
  return new StoreFailure(code, theSnapshot, problem, code === 'db_newer' ? `upgrade vatom, or ${another}` : another)
}

/** Begins the files of assets that the service lacks, from those of a copy; a file that the copy lacks was lost before. */
function begun(ids: readonly string[], from: string, assets: Assets): Part[] {
  const parts: Part[] = []
  for (const id of ids) {
    if (assets.has(id)) continue
    const part = assets.begin(id)
    parts.push(part)
    if (!linkFile(join(from, id), part.path)) assets.discard(parts.splice(-1))
  }
  return parts
}
