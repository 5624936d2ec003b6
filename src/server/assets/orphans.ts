import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../../file-system.ts'
import type { Store } from '../store/store.ts'
import type { Assets } from './asset-folder.ts'

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const finished = new RegExp(`^${uuid}$`)
const unfinished = new RegExp(`^${uuid}\\.(\\d+)\\.part$`)

/** Whether a text may be the id of an asset. */
export const isAssetId = (text: string): boolean => finished.test(text)

/**
 * Removes what crashes left in the folder: files that no asset is recorded for, and parts of processes that have ended.
 * It looks twice: the second time in a write, when no other process is between a file's final name and its record.
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
  return namesIn(path)
    .filter((name) => (isAssetId(name) ? !store.assets.byId(name) : isAbandoned(name, folder)))
    .map((name) => join(path, name))
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

function isAbandoned(name: string, folder: Assets): boolean {
  const [, pid] = unfinished.exec(name) ?? []
  if (pid === undefined) return false
  return Number(pid) === process.pid ? !folder.isReceiving(name) : !isAlive(Number(pid))
}

/** Whether a process of this machine has an id. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** The file in a folder of assets that names the database it belongs to. */
const marker = '.database'

/** Binds a folder to a database. */
export const mark = (path: string, owner: string): void =>
  writeFileSync(join(path, marker), owner, { mode: 0o600, flush: true })

/**
 * Whether a folder belongs to a database: a new one may be beside the folder of an older one, whose files it does not
 * know. A folder without a marker is taken over where it is empty or has a file that the database knows.
 */
export function belongsTo(path: string, owner: string, store: Store): boolean {
  const known = ownerOf(path)
  if (known) return known === owner
  const files = readdirSync(path).filter(isAssetId)
  if (files.length > 0 && !files.some((id) => store.assets.byId(id))) return false
  mark(path, owner)
  return true
}

function ownerOf(path: string): string | undefined {
  try {
    return readFileSync(join(path, marker), 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}
