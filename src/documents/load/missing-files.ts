import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { suggest } from '../../contract/schema/suggest.ts'
import { word } from '../../contract/schema/wording.ts'
import type { CheckedDocument, Problem } from './loaded.ts'
import type { FileProblems } from './problems.ts'

/** Whether a problem is that of a value which names a file that does not exist, beside the document's. */
export const isMissing = ({ file, names }: Problem, cwd: string): boolean =>
  names !== undefined && !existsSync(pathOf(file, names, cwd))

/** What is wrong in a file, with what is known of the files that its documents name: no cache can know it. */
export const withMissingFiles = <D extends CheckedDocument, F extends FileProblems & { documents: readonly D[] }>(
  found: F,
  cwd: string,
): F => ({
  ...found,
  documents: found.documents.map((document) => ({
    ...document,
    problems: document.problems.map((problem) => (isMissing(problem, cwd) ? missing(problem, cwd) : problem)),
  })),
})

const pathOf = (file: string, names: string, cwd: string) => resolve(cwd, dirname(file), names)

function missing(problem: Problem, cwd: string): Problem {
  const { names = '', hint } = problem
  const near = nearest(pathOf(problem.file, names, cwd))
  const meant = near === undefined ? '' : `did you mean ${names.slice(0, -basename(names).length)}${near}? `
  return {
    ...problem,
    message: `${word(names)} is the path of a file, not an address, and there is no such file`,
    hint: `${meant}${hint ?? ''}`,
  }
}

/** The name of a file in the folder of a path that is near to its own. */
function nearest(path: string): string | undefined {
  try {
    return suggest(basename(path), readdirSync(dirname(path)))
  } catch {
    return undefined
  }
}
