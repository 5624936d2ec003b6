import { constants, copyFileSync, mkdirSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Contents } from '../../contract/api/snapshot.ts'
import { isDiskFull } from '../../file-system.ts'
import { ownPath } from '../../own-path.ts'
import { type Assets, type Part, sizeOf } from '../assets/asset-folder.ts'
import { isAssetId } from '../assets/orphans.ts'
import { publishReplaced } from '../domain/events.ts'
import { finishDeletions } from '../domain/users/deletion.ts'
import { openDatabase, StoreFailure } from '../store/database/open-database.ts'
import { firstValue } from '../store/database/sqlite.ts'
import { assetsIn, assetsName, type CopiedAsset, closeCopy, databaseName, linkFile, type ServiceState } from './copy.ts'

/** Where a copy is. */
interface Source {
  readonly folder: string
  /** Throws if the copy no longer has its name: only then is its folder removed. */
  readonly checkNamed: () => void
}

/**
 * Replaces the service's state by a copy, in one transaction: other processes on the same database see either all of the
 * one or all of the other. `working` is a folder that is made for this, and left to the caller. Throws `db_newer` and `db_unusable` for a
 * copy that cannot be read, `busy`, and `dataChanged` if the data is not of the expected version; as `ownPath` for links in the
 * places of its parts; and as `checkNamed` does if the copy is removed before all of it was taken.
 */
export async function restoreFrom(
  { folder, checkNamed }: Source,
  working: string,
  service: ServiceState,
  expected: string | undefined,
): Promise<Replaced> {
  mkdirSync(working, { mode: 0o700 })
  const database = join(working, databaseName)
  copyDatabase(join(folder, databaseName), database, checkNamed)
  const recorded = await upToDate(database)
  return await replaceState(
    { database, recorded, files: ownPath(join(folder, assetsName)), checkNamed },
    service,
    expected,
  )
}

function copyDatabase(from: string, to: string, checkNamed: () => void): void {
  try {
    const real = ownPath(from)
    checkDatabase(statSync(real, { throwIfNoEntry: false }))
    copyFileSync(real, to, constants.COPYFILE_FICLONE)
  } catch (error) {
    checkNamed()
    throw error
  }
}

/**
 * Throws where there is no database: a pipe or a device would be waited for, or read, without end, and an empty file would be
 * taken for a new one.
 */
function checkDatabase(found: Stats | undefined): void {
  if (found === undefined) throw damaged('its database is missing')
  if (!found.isFile()) throw damaged('its database is no regular file')
  if (found.size === 0) throw damaged('its database is empty')
}

/** A copy of this version. */
interface Copy {
  readonly database: string
  /** Its assets. */
  readonly recorded: readonly CopiedAsset[]
  /** The folder of their files. */
  readonly files: string
  /** Throws if files may be missing because the copy was removed; otherwise they were lost before it was made. */
  readonly checkNamed: () => void
}

interface Replaced {
  /** How much was replaced. */
  readonly replaced: Contents
  /** The assets of which neither the copy nor the service has the whole file. */
  readonly damaged: readonly CopiedAsset[]
}

/** Replaces the service's state by a copy, in one transaction. Throws `dataChanged` if it is not of the expected version. */
export async function replaceState(
  copy: Copy,
  { store, assets, clock, log }: ServiceState,
  expected?: string,
): Promise<Replaced> {
  await assets.tidy()
  const parts = new Map<string, Part>()
  let damaged: readonly CopiedAsset[] = []
  const during = () => {
    // Another process may have deleted assets meanwhile.
    damaged = begin(copy, assets, parts)
    if (damaged.length > 0) copy.checkNamed()
    if (parts.size > 0) assets.store([...parts.values()])
    publishReplaced({ store, now: clock() })
  }
  const replace = async () => {
    begin(copy, assets, parts)
    return await store.replaceBy(copy.database, during, expected)
  }
  const replaced = await replace().catch((error: unknown) => {
    assets.discard([...parts.values()])
    assets.untidy()
    throw error
  })
  await assets.removeUnrecorded()
  await finishDeletions({ store, clock, log })
  return { replaced, damaged }
}

/** Brings a copy of an older version up to date; its assets. */
async function upToDate(file: string): Promise<CopiedAsset[]> {
  const db = await openDatabase(file).catch((error: unknown) => {
    throw error instanceof StoreFailure ? unusable(error) : error
  })
  try {
    const found = firstValue(db, 'PRAGMA quick_check(1)')
    if (found !== 'ok') throw damaged(String(found))
    const recorded = assetsIn(db)
    if (!recorded.every(({ id }) => isAssetId(id)))
      throw new StoreFailure('db_unusable', theSnapshot, 'has assets whose ids are none', another)
    return recorded
  } finally {
    await closeCopy(db, file)
  }
}

const theSnapshot = 'The snapshot'
const another = 'load another snapshot'

const damaged = (why: string) => new StoreFailure('db_unusable', theSnapshot, `is damaged: ${why}`, another)

/** Messages name the snapshot, not the working copy of it. */
const unusable = ({ code, problem, cause }: StoreFailure) => {
  if (isDiskFull(cause)) return new StoreFailure(code, theSnapshot, problem, 'make room on the disk of the data')
  return new StoreFailure(code, theSnapshot, problem, code === 'db_newer' ? `upgrade vatom, or ${another}` : another)
}

/** Begins the files of assets that the service has not whole, from those of a copy; those assets whose file the copy has not whole, either. */
const begin = ({ recorded, files }: Copy, assets: Assets, parts: Map<string, Part>): CopiedAsset[] =>
  recorded.filter((asset) => {
    const { id } = asset
    if (parts.has(id) || assets.isWhole(asset)) return false
    const part = assets.begin(id)
    parts.set(id, part)
    if (linkFile(join(files, id), part.path) && sizeOf(part.path) === asset.size) return false
    assets.discard([part])
    parts.delete(id)
    return true
  })
