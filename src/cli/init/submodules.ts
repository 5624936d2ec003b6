import { join } from 'node:path'
import { submodulePaths } from '../../documents/load/git-index.ts'
import { isWithin } from '../../file-system.ts'

/** The submodules that `.gitmodules` names which are in a folder, as paths below their repository. */
export const submodulesOf = (folder: string, root: string, gitmodules: string): string[] =>
  submodulePaths(gitmodules).filter((path) => isWithin(folder, join(root, path)))

/** A pipeline that checks out submodules, too. */
export const withSubmodules = (text: string): string =>
  text
    .replaceAll('- uses: actions/checkout@v4\n', '$&        with: { submodules: recursive }\n')
    .replace(/^variables:\n/m, '$&  GIT_SUBMODULE_STRATEGY: recursive\n')
