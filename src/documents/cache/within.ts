import { hasProblems } from '../load/problems.ts'
import type { RunFile } from './incremental.ts'

/**
 * The files of a catalog that say whether some of them fit it: those, and the files of the same templates that have a
 * problem. `own` are the paths of the files that are checked; a file without a path is one, too.
 */
export function filesConcerned(files: readonly RunFile[], own: ReadonlySet<string | undefined>): readonly RunFile[] {
  const isOwn = ({ input }: RunFile) => input.path === undefined || own.has(input.path)
  const families = new Set(files.filter(isOwn).flatMap(({ facts }) => facts.families))
  return files.filter(
    (file) =>
      isOwn(file) ||
      (file.checked && hasProblems(file.checked) && file.facts.families.some((name) => families.has(name))),
  )
}
