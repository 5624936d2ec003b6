import { join, resolve } from 'node:path'
import { projectFileName } from '../../../contract/values.ts'
import { filesBelow } from '../../../documents/load/inputs.ts'
import { folderFrom } from '../../../file-system.ts'
import type { Context } from '../../context.ts'
import { usage } from '../../failure/failure.ts'
import { catalogAround } from '../catalog-around.ts'
import type { PullOptions } from './pull.ts'
import { pullCommand } from './pull-command.ts'

/**
 * Throws a usage error for a folder in a catalog of which not all is seen: what the rest of the catalog has, or the files in the
 * folder that it ignores, would be written a second time, and a new vatom.yaml would make them one catalog.
 */
export async function refuseWithin(dir: string, options: PullOptions, context: Context): Promise<void> {
  const { cwd } = context.host
  const root = resolve(cwd, dir)
  const around = await catalogAround(root, context)
  if (around === undefined) return
  const whole = folderFrom(cwd, around.catalog)
  const [name, project] = [dir === '.' ? 'this folder' : dir, join(whole, projectFileName)]
  if (around.isRead)
    throw usage(
      `pull writes what is in no file, so it needs the whole catalog, and ${name} is a part of the one in ${whole}`,
      `${pullCommand(whole, options)}; for a catalog of its own, list the folder under ignore in ${project}`,
    )
  if (filesBelow(root).length > 0)
    throw usage(
      `pull writes what is in no file, and does not see the files in ${name}, which ${project} ignores`,
      `make it a catalog of its own first: write a line into ${join(dir, projectFileName)}, catalog: NAME`,
    )
}
