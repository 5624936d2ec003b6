import { rmSync } from 'node:fs'
import { newTemporaryFolder } from '../../temporary-folders.ts'
import { removeUnderWay } from '../store/database/contents.ts'
import { newInMemory } from '../store/database/open-database.ts'
import { openSqlite } from '../store/database/sqlite.ts'
import { assetsIn, type ServiceState, withoutFile } from './copy.ts'
import { replaceState } from './restore.ts'

/** A copy of a service's state in this process, with sessions and sent codes, for tests. */
export interface MemorySnapshot {
  /** Replaces the service's state by the copy; ids continue as they did after it was made. */
  restore(): Promise<void>
  /** Removes the copy. */
  close(): void
}

/** Copies a service's state, as it is at one moment. The files of assets are linked in a temporary folder. */
export async function memorySnapshot(service: ServiceState): Promise<MemorySnapshot> {
  const { store, assets, tokens } = service
  const database = newInMemory()
  // A database in memory exists as long as it has a connection.
  const copy = await openSqlite(database)
  let files: string | undefined
  const close = () => {
    copy.close()
    if (files !== undefined) rmSync(files, { recursive: true, force: true })
  }
  try {
    store.copyInto(database)
    removeUnderWay(copy)
    const returnToPlaces = [store.random, tokens.random].map((random) => random.mark())
    const recorded = assetsIn(copy)
    if (recorded.length > 0) files = newTemporaryFolder('copy')
    if (files !== undefined) withoutFile(copy, assets.path, files)
    const restore = async () => {
      await replaceState({ database, recorded, files: files ?? '', checkNamed: () => {} }, service)
      for (const returnToPlace of returnToPlaces) returnToPlace()
    }
    return { restore, close }
  } catch (error) {
    close()
    throw error
  }
}
