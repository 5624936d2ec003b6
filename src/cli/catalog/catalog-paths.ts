import type { Context } from '../context.ts'
import { usage } from '../failure/failure.ts'

/** The paths that a command was given; without any, the working directory, if it is a catalog. */
export async function catalogPaths(
  given: readonly string[],
  line: string,
  { host }: Context,
): Promise<readonly string[]> {
  if (given.length > 0) return given
  const { isCatalogFolder } = await import('../../documents/load/catalog-folder.ts')
  if (isCatalogFolder(host.cwd)) return ['.']
  throw usage('No catalog given, and this folder is not a catalog', `name a folder or file: ${line} PATH`)
}
