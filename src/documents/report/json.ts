import { printableJson } from '../../contract/printable.ts'
import type { Problem } from '../load/loaded.ts'

/**
 * One problem as a row of JSON; every key is present, `null` where nothing is known. Fields are only ever added:
 * `endLine` and `endColumn` are the old spelling.
 */
export const problemRow = (problem: Problem) => ({
  file: problem.file,
  line: problem.line ?? null,
  column: problem.column ?? null,
  endLine: problem.endLine ?? null,
  endColumn: problem.endColumn ?? null,
  end_line: problem.endLine ?? null,
  end_column: problem.endColumn ?? null,
  rule: problem.rule,
  severity: problem.severity,
  path: problem.path,
  message: problem.message,
  hint: problem.hint ?? null,
  spec: problem.spec ?? null,
})

/** Problems as a JSON array; characters that are unsafe on a terminal are escaped as JSON escapes them. */
export const renderJson = (problems: readonly Problem[]): string =>
  `${printableJson(JSON.stringify(problems.map(problemRow), null, 2))}\n`
