import { join, relative, resolve } from 'node:path'
import { findInputs } from '../../documents/load/inputs.ts'
import { isWithin, leadsTo, realPath } from '../../file-system.ts'
import { usage } from '../failure/failure.ts'
import type { Host } from '../host.ts'
import { operandWord, shellWord } from '../io/text.ts'

/** Where a catalog is in its repository. */
interface CatalogPlace {
  /** The folder of the catalog, without links below the repository. */
  readonly catalog: string
  /** The folder of the repository. */
  readonly root: string
  /** All its submodules, as paths below it. */
  readonly submodules: readonly string[]
}

/** The submodules that have documents of a catalog, as paths below their repository: those in its folder, and those that its links lead to. */
export async function submodulesOf(
  { catalog, root, submodules }: CatalogPlace,
  { cwd, signal }: Pick<Host, 'cwd' | 'signal'>,
): Promise<string[]> {
  if (submodules.length === 0) return []
  const { files, problems } = await findInputs([catalog], { cwd, signal })
  // What is in a submodule that is not checked out is the problem of a link.
  const paths = [...files.flatMap(({ path }) => path ?? []), ...problems.map(({ file }) => resolve(cwd, file))]
  const targets = paths.map(leadsTo)
  return submodules.filter(
    (path) =>
      isWithin(catalog, join(root, path)) || targets.some((target) => isWithin(join(realPath(root), path), target)),
  )
}

/** Throws a usage error for a catalog in a submodule, where a link leads: the repository around that does not keep its files. */
export function refuseInSubmodule(
  { catalog, root, submodules }: CatalogPlace,
  { dir, workflow, cwd }: { readonly dir: string; readonly workflow: string; readonly cwd: string },
): void {
  const path = submodules.find((one) => isWithin(join(root, one), catalog))
  if (path === undefined) return
  const submodule = join(root, path)
  throw usage(
    `${dir} leads into the git submodule ${path}, whose files another repository keeps`,
    `write the pipeline of that repository: cd ${shellWord(relative(cwd, submodule))} && vatom init ${operandWord(relative(submodule, catalog) || '.')} --workflow ${workflow}`,
  )
}

/** A pipeline that checks out submodules, too. */
export const withSubmodules = (text: string): string =>
  text
    .replaceAll('- uses: actions/checkout@v4\n', '$&        with: { submodules: recursive }\n')
    .replace(/^variables:\n/m, '$&  GIT_SUBMODULE_STRATEGY: recursive\n')
