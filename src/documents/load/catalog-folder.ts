import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectFileName } from '../../contract/values.ts'
import { isDocumentName } from './inputs.ts'
import { hasSign } from './ours.ts'

/** Whether a folder is a catalog: one that `vatom init` wrote to, one with a project file, or one with a file of our documents in it. */
export function isCatalogFolder(folder: string): boolean {
  if (['.vatom', projectFileName].some((name) => existsSync(join(folder, name)))) return true
  return readdirSync(folder, { withFileTypes: true }).some(
    (entry) => entry.isFile() && isDocumentName(entry.name) && holdsDocument(join(folder, entry.name)),
  )
}

function holdsDocument(file: string): boolean {
  try {
    return hasSign(readFileSync(file, 'latin1'))
  } catch {
    return false
  }
}
