import { kindOf } from '../../contract/kinds/kinds.ts'
import { stepsOf } from '../../contract/schema/path.ts'
import type { LoadedDocument, Problem } from '../../documents/load/loaded.ts'
import type { Failure } from '../failure/failure.ts'
import { flagOf } from '../io/fields.ts'
import { flagsFile } from './results.ts'

/** What the service finds wrong with a document, at its place; nothing where it says no more than why it refuses. */
export const refusedProblems = (document: LoadedDocument, { code, issues }: Failure): Problem[] =>
  issues.map((issue) => {
    if ('rule' in issue) return issue
    const { file, kind, value, locate } = document
    const steps = stepsOf(issue.path, value)
    return {
      file,
      ...locate(steps.length === 0 ? [kindOf(kind).nameKey] : steps),
      rule: code,
      severity: 'error',
      path: issue.path,
      message: file === flagsFile ? withFlag(steps[0], issue.message) : issue.message,
    }
  })

const withFlag = (step: string | number | undefined, message: string) =>
  typeof step === 'string' ? `${flagOf(step)}: ${message}` : message
