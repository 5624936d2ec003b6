import { dirname, join, resolve } from 'node:path'
import { projectFileName } from '../../../contract/values.ts'
import { filesBelow } from '../../../documents/load/inputs.ts'
import { type Project, type ProjectOf, projectFinder } from '../../../documents/load/project.ts'
import { folderFrom, realPathOf } from '../../../file-system.ts'
import type { Context } from '../../context.ts'
import { usage } from '../../failure/failure.ts'
import { placeOf } from '../../kinds/load-checked.ts'
import { catalogAround } from '../catalog-around.ts'
import { isFoundIn } from '../elsewhere/places.ts'
import { type ExistingCatalog, type Folder, keysIn } from './existing-catalog.ts'
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

/** The catalogs around a folder that is one, the nearest first, as long as each reads what is in the one before. */
async function catalogsAround(inner: string, projectOf: ProjectOf): Promise<Project[]> {
  const outer = await projectOf(dirname(inner))
  if (outer === undefined || outer.folder === inner) return []
  if (!(await isFoundIn([outer.folder], join(inner, projectFileName), projectOf))) return []
  return [outer, ...(await catalogsAround(outer.folder, projectOf))]
}

/**
 * The catalogs around one that read its folder, too, by the `ownKey` of what they describe and the folder has not: written into
 * it, that would be in them twice.
 */
export async function describedAround(
  { dir, cwd, publisher }: Folder,
  { documents }: ExistingCatalog,
  context: Context,
): Promise<ReadonlyMap<string, string>> {
  const described = new Map<string, string>()
  const own = new Set(documents.map(({ key }) => key))
  for (const { folder, catalog } of await catalogsAround(
    realPathOf(resolve(cwd, dir)),
    projectFinder(placeOf(context)),
  )) {
    const place = folderFrom(cwd, folder)
    for await (const key of keysIn({ dir: place, cwd, publisher }, context))
      if (!own.has(key)) described.set(key, catalog ?? place)
  }
  return described
}
