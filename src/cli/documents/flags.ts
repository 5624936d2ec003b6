import { printPath } from '../../contract/path.ts'
import type { Kind } from '../../contract/values.ts'
import { documentIssues } from '../../documents/check.ts'
import { expandDocument } from '../../documents/expand.ts'
import type { Loaded, Problem } from '../../documents/types.ts'
import { flagsFile } from './results.ts'

/** A document that flags describe, checked as one from a file is. */
export function documentFromFlags(kind: Kind, given: Record<string, unknown>, publisher: string | undefined): Loaded {
  const value = expandDocument(given, publisher) as Record<string, unknown>
  const problems = documentIssues(kind, value, publisher === undefined ? {} : { publisher }).map(
    ({ path, ...issue }): Problem => ({ ...issue, file: flagsFile, path: printPath(path) }),
  )
  const valid = problems.every(({ severity }) => severity !== 'error')
  const document = {
    file: flagsFile,
    kind,
    name: String(value.template),
    value,
    locate: () => undefined,
    valid,
    problems,
  }
  return { documents: [document], problems, others: 0, sources: new Map() }
}
