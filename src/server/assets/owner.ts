import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Store } from '../store/store.ts'
import { isAssetId } from './orphans.ts'

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
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
