import type { Warning } from '../../contract/api/warnings.ts'
import { mutualRules, ownRules } from './file-rules.ts'
import type { Subject } from './send.ts'

/** Warnings that the files did not show before they were sent; `names` are those of their documents. */
export function newWarnings(
  warnings: readonly Warning[],
  { file, problems }: Subject,
  names: ReadonlySet<string>,
): readonly Warning[] {
  const isChecked = ({ code, about }: Warning) =>
    about === undefined ? ownRules.has(code) : mutualRules.has(code) && names.has(about)
  const isFound = ({ code, path, about }: Warning) =>
    about === undefined && problems.some((problem) => problem.rule === code && problem.path === path)
  return warnings.filter((one) => !isFound(one) && !(file !== null && isChecked(one)))
}
