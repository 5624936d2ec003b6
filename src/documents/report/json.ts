import type { Problem } from '../load/loaded.ts'
import { printable } from './printable.ts'

/** A problem as machines get it; every key is there, `null` where nothing is known. Fields are only ever added. */
export interface ProblemRow {
  readonly file: string
  readonly line: number | null
  readonly column: number | null
  readonly endLine: number | null
  readonly endColumn: number | null
  readonly rule: string
  readonly severity: Problem['severity']
  readonly path: string
  readonly message: string
  readonly hint: string | null
  readonly spec: string | null
}

/** One problem as a row of JSON. */
export const problemRow = (problem: Problem): ProblemRow => ({
  file: problem.file,
  line: problem.line ?? null,
  column: problem.column ?? null,
  endLine: problem.endLine ?? null,
  endColumn: problem.endColumn ?? null,
  rule: problem.rule,
  severity: problem.severity,
  path: problem.path,
  message: problem.message,
  hint: problem.hint ?? null,
  spec: problem.spec ?? null,
})

/** Problems as a JSON array; what is unsafe on a terminal is escaped as JSON escapes it. */
export const renderJson = (problems: readonly Problem[]): string =>
  `${printable(JSON.stringify(problems.map(problemRow), null, 2))}\n`
