import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Store } from '../store/store.ts'
import type { AssetFolder } from './folder.ts'

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const finished = new RegExp(`^${uuid}$`)
const unfinished = new RegExp(`^${uuid}\\.(\\d+)\\.part$`)

/** Whether a text may be the id of an asset. */
export const isAssetId = (text: string): boolean => finished.test(text)

/**
 * Removes what crashes left in the folder: files that no asset is recorded for, and parts of processes that have ended.
 * It looks twice: the second time in a write, when no other process is between a file's final name and its record.
 */
export async function removeOrphans(folder: AssetFolder, store: Store): Promise<void> {
  if (orphansIn(folder, store).length === 0) return
  await store.write(() => {
    for (const file of orphansIn(folder, store)) rmSync(file, { force: true })
  })
}

function orphansIn(folder: AssetFolder, store: Store): string[] {
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
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

function isAbandoned(name: string, folder: AssetFolder): boolean {
  const [, pid] = unfinished.exec(name) ?? []
  if (pid === undefined) return false
  return Number(pid) === process.pid ? !folder.isReceiving(name) : !isAlive(Number(pid))
}

/** Whether a process of this machine has an id. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
