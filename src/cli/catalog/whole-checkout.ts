import { basename, relative, sep } from 'node:path'
import { isDocumentName, isIgnored } from '../../documents/load/inputs.ts'
import { projectFinder } from '../../documents/load/project.ts'
import { folderFrom, isWithin } from '../../file-system.ts'
import { usage } from '../failure/failure.ts'
import type { FoundCatalogs } from './catalog-names.ts'
import { type LeftOut, leftOutOf } from './git-index.ts'

const what: Readonly<Record<LeftOut['reason'], { readonly is: string; readonly remedy: string }>> = {
  submodule: {
    is: 'is a submodule of git that is not checked out',
    remedy:
      'check it out: git submodule update --init --recursive; in a pipeline: submodules: recursive (GitHub), GIT_SUBMODULE_STRATEGY: recursive (GitLab)',
  },
  sparse: {
    is: 'is not in this checkout, which is a sparse one',
    remedy: 'check out the whole catalog: git sparse-checkout disable',
  },
  link: {
    is: 'is a link to a folder, which git has written as a text (core.symlinks)',
    remedy: 'put the folder itself in its place',
  },
}

/** Throws a usage error for a run that is to delete what is in no file, where git has left out files of its catalogs. */
export async function checkCheckedOut(
  { whole }: Pick<FoundCatalogs, 'whole'>,
  flag: string,
  cwd: string,
): Promise<void> {
  const projectOf = projectFinder(cwd)
  for (const folder of whole) {
    const project = await projectOf(folder)
    const missing = leftOutOf(folder).find((one) => mayHoldDocuments(one, folder) && !project?.ignores(one.path))
    if (missing === undefined) continue
    const { is, remedy } = what[missing.reason]
    throw usage(
      `${folderFrom(cwd, missing.path)} ${is}: ${flag} would delete what it describes`,
      `${remedy}; only if the catalog never owned what it describes: list it under ignore in vatom.yaml`,
    )
  }
}

function mayHoldDocuments({ path, reason, target }: LeftOut, folder: string): boolean {
  // What is read anyway is no loss.
  if (target !== undefined && (isWithin(folder, target) || isWithin(target, path))) return false
  if (!isWithin(folder, path) || relative(folder, path).split(sep).some(isIgnored)) return false
  return reason !== 'sparse' || path.endsWith(sep) || isDocumentName(basename(path))
}
