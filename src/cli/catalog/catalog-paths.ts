import { nameList } from '../../contract/schema/suggest.ts'
import { projectFileName } from '../../contract/values.ts'
import { folderFrom, nearestWith } from '../../file-system.ts'
import type { Context } from '../context.ts'
import { usage } from '../failure/failure.ts'
import { shellWord } from '../io/text.ts'

/** Why a command does not take a folder that is no catalog, and in which others are. */
export const aboveText = (dir: string, below: readonly string[]): string =>
  `${dir === '.' ? 'This folder' : dir} is not a catalog, and ${below.join(', ')} in it ${below.length > 1 ? 'are' : 'is'}`

/** A command for each of some catalogs, the first ones, and the names of the others. */
export function commandsText(line: string, catalogs: readonly string[]): string {
  const commands = catalogs.slice(0, 3).map((name) => `${line} ${shellWord(name)}`)
  const others = catalogs.slice(3)
  return `${commands.join(', or ')}${others.length === 0 ? '' : `; likewise ${nameList(others)}`}`
}

/** The paths that a command was given; without any, the working directory, if it is a catalog. */
export async function catalogPaths(
  given: readonly string[],
  line: string,
  { host }: Context,
): Promise<readonly string[]> {
  if (given.length > 0) return given
  const { catalogsIn, isCatalogFolder } = await import('../../documents/load/catalog-folder.ts')
  if (isCatalogFolder(host.cwd)) return ['.']
  const commands = commandsText(line, catalogsIn(host.cwd))
  const around = nearestWith(projectFileName, host.cwd)
  const hints = [
    ...(commands === '' ? [] : [`for a catalog in it: ${commands}`]),
    ...(around === undefined
      ? []
      : [`for the catalog that it is in: ${line} ${shellWord(folderFrom(host.cwd, around))}`]),
  ]
  throw usage(
    'No catalog given, and this folder is not a catalog',
    [...hints, `for a file or another folder: ${line} PATH`, `for this folder and all in it: ${line} .`].join('; '),
  )
}
