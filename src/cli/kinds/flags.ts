import { kindOf } from '../../contract/kinds/kinds.ts'
import type { Issue } from '../../contract/schema/issues.ts'
import { printPath } from '../../contract/schema/path.ts'
import type { KindName } from '../../contract/values.ts'
import { documentIssues, partIssues } from '../../documents/load/document-issues.ts'
import { expandDocument } from '../../documents/load/expand.ts'
import type { Loaded, Problem } from '../../documents/load/loaded.ts'
import { flagOf } from '../io/option-values.ts'
import { flagsFile } from './results.ts'

type Fields = Record<string, unknown>

/** A document from flags, or the fields that flags change in the record with a name. */
export type Flags = { readonly flags: Fields } | { readonly name: string; readonly fields: Fields }

/** For whom a document is, and for which service on this machine, if for one. */
interface Target {
  readonly publisher: string | undefined
  readonly localPorts: readonly string[] | undefined
}

/** Checks what flags describe, as a document from a file is checked. */
export const loadFlags = (kind: KindName, given: Flags, { publisher, localPorts }: Target): Loaded =>
  'flags' in given
    ? documentFromFlags(kind, given.flags, { publisher, localPorts })
    : loaded(kind, given.name, given.fields, partIssues(kind, given.fields, { localPorts }))

function documentFromFlags(kind: KindName, given: Fields, { publisher, localPorts }: Target): Loaded {
  const value = expandDocument(kind, given, publisher) as Fields
  const issues = documentIssues(kind, value, { ...(publisher !== undefined && { publisher }), localPorts })
  return loaded(kind, kindOf(kind).nameOf(value), value, issues)
}

function loaded(kind: KindName, name: string, value: Fields, issues: readonly Issue[]): Loaded {
  const problems = issues.map(problemOf)
  const valid = problems.every(({ severity }) => severity !== 'error')
  const document = { file: flagsFile, kind, name, value, text: '', locate: () => undefined, valid, problems }
  return { documents: [document], problems, others: 0, foreign: [], namedAsFiles: [], sources: new Map(), files: [] }
}

/** An issue as a problem that names the flag it is about. */
function problemOf({ path, ...issue }: Issue): Problem {
  const field = path.findLast((step) => typeof step === 'string')
  const message = field === undefined ? issue.message : `${flagOf(field)}: ${issue.message}`
  return { ...issue, file: flagsFile, path: printPath(path), message }
}
