import { basename, resolve } from 'node:path'
import { projectFileName } from '../../contract/values.ts'
import { leadsTo } from '../../file-system.ts'
import { usage } from '../failure/failure.ts'

/** The files that a run writes beside what it prints, as they were given. */
interface OutputFiles {
  readonly out?: string | undefined
  readonly junit?: string | undefined
}

/** Whether two paths lead to one file, which need not exist. */
export const isSameFile = (one: string, other: string, cwd: string): boolean =>
  leadsTo(resolve(cwd, one)) === leadsTo(resolve(cwd, other))

/** Whether a run is to write two things to one file, however that is spelled. */
export const areSameFile = ({ out, junit }: OutputFiles, cwd: string): boolean =>
  out !== undefined && junit !== undefined && isSameFile(out, junit, cwd)

/** Throws a usage error for files that a run does not write: two that are one, and one that describes a catalog. */
export function checkOutputs(files: OutputFiles, cwd: string): void {
  const { out, junit } = files
  if (areSameFile(files, cwd))
    throw usage(
      `--out ${out} and --junit ${junit} are the same file`,
      'nothing was written; name two files: --out review.plan --junit report.xml',
    )
  for (const [option, file] of Object.entries({ '--out review.plan': out, '--junit report.xml': junit }))
    if (file !== undefined && basename(file) === projectFileName)
      throw usage(`${file} describes a catalog, and is not written`, `choose another file: ${option}`)
}
