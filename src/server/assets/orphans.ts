import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../../file-system.ts'
import { hasEnded, ownTag, tagPattern } from '../../processes.ts'
import type { Store } from '../store/store.ts'
import type { Assets } from './asset-folder.ts'

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const finished = new RegExp(`^${uuid}$`)
const unfinished = new RegExp(`^${uuid}\\.(${tagPattern})\\.part$`)

/** Whether a text may be the id of an asset. */
export const isAssetId = (text: string): boolean => finished.test(text)

/**
 * Removes what crashes left in the folder: files that no asset is recorded for, and parts of processes that have ended.
 * It looks twice, the second time in a write: no other process can then have named a file that it has not recorded yet.
 */
export async function removeOrphans(folder: Assets, store: Store): Promise<void> {
  if (orphansIn(folder, store).length === 0) return
  await store.write(() => {
    for (const file of orphansIn(folder, store)) rmSync(file, { force: true })
  })
}

function orphansIn(folder: Assets, store: Store): string[] {
  const { path } = folder
  if (path === undefined) return []
  return (ifThere(() => readdirSync(path)) ?? [])
    .filter((name) => (isAssetId(name) ? !store.assets.byId(name) : isAbandoned(name, path, folder)))
    .map((name) => join(path, name))
}

function isAbandoned(name: string, path: string, folder: Assets): boolean {
  const [, tag] = unfinished.exec(name) ?? []
  if (tag === undefined) return false
  return tag === ownTag() ? !folder.isReceiving(name) : hasEnded(tag, join(path, name))
}

/** The file in a folder of assets that names the database it belongs to. */
const marker = '.database'

/** Binds a folder to a database. */
export const mark = (path: string, owner: string): void =>
  writeFileSync(join(path, marker), owner, { mode: 0o600, flush: true })

/**
 * Whether a folder belongs to a database: the folder beside a new database may be that of an older one, with files that
 * the new one does not know. A folder without a marker is marked if it is empty or has a file that the database knows.
 */
export function belongsTo(path: string, owner: string, store: Store): boolean {
  const known = ifThere(() => readFileSync(join(path, marker), 'utf8'))
  if (known) return known === owner
  const files = readdirSync(path).filter(isAssetId)
  if (files.length > 0 && !files.some((id) => store.assets.byId(id))) return false
  mark(path, owner)
  return true
}

/** What is read of a file or folder; undefined where that does not exist. */
function ifThere<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}
