import { join } from 'node:path'
import { projectFileName } from '../../contract/values.ts'
import { projectFinder } from '../../documents/load/project.ts'
import { realPathOf } from '../../file-system.ts'
import type { Context } from '../context.ts'
import { placeOf } from '../kinds/load-checked.ts'
import { isFoundFrom } from './elsewhere/places.ts'

/** The catalog around a folder without a vatom.yaml, and what a vatom.yaml there would change: whose the files in it are. */
interface CatalogAround {
  /** Its folder. */
  readonly catalog: string
  /** Whether it reads what is in the folder, or lists that under `ignore`. */
  readonly isRead: boolean
}

/**
 * The catalog around an absolute folder, which need not exist. Undefined for a folder that is in none, is a catalog of its own, or
 * is not looked into from there.
 */
export async function catalogAround(folder: string, context: Context): Promise<CatalogAround | undefined> {
  const root = realPathOf(folder)
  const around = await projectFinder(placeOf(context))(root)
  if (around === undefined || around.folder === root) return undefined
  const file = join(root, projectFileName)
  if (await around.ignores(file)) return { catalog: around.folder, isRead: false }
  return isFoundFrom(around.folder, file) ? { catalog: around.folder, isRead: true } : undefined
}
