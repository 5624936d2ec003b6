import { Buffer } from 'node:buffer'
import { isSame } from '../../contract/schema/path.ts'
import { isValid } from '../load/problems.ts'
import { type Candidate, type ReadFile, readFile } from '../load/read-file.ts'
import { nodesOf } from '../yaml/read-documents.ts'
import { isJson } from '../yaml/source.ts'
import { applyEdits, type Edit } from './edit.ts'
import { revisions, wholeEdit } from './revise.ts'
import { withBreaksOf } from './yaml-text.ts'

/** A file's new text. */
export interface RevisedFile {
  readonly text: string
  /** Whether documents had to be written anew, which loses their comments. */
  readonly isRewritten: boolean
}

/**
 * Aliases are left alone in the first round, and change in as many others as they are nested; more than these mean that
 * edits do not do.
 */
const maxRounds = 4

/** A file in which documents, by their index, have other values; all else stays as it is written. */
export function revisedFile(file: ReadFile, wanted: ReadonlyMap<number, unknown>): RevisedFile {
  let now = file
  for (let round = 0; round <= maxRounds; round++) {
    const differing = [...wanted].filter(([index, value]) => !isSame(now.candidates[index]?.raw.value, value))
    if (differing.length === 0) return { text: now.source.text, isRewritten: false }
    const edits = editsOf(now, differing, { keepsAliases: round === 0 })
    if (!edits) break
    now = edited(now, edits)
    if (now.candidates.length !== file.candidates.length || !now.candidates.every(isWhole)) break
  }
  return { text: edited(file, wholeEdits(file, [...wanted])).source.text, isRewritten: true }
}

/** Documents by their index, and the values that they are to have. */
type Wanted = readonly (readonly [index: number, value: unknown])[]

const pageOf = ({ source }: ReadFile) => ({ text: source.text, isJson: isJson(source.file) })

const isWhole = ({ raw }: Candidate) => raw.sound && isValid(raw.findings)

/** The edits of all documents that differ; undefined where one must be written anew. */
function editsOf(
  file: ReadFile,
  differing: Wanted,
  { keepsAliases }: { readonly keepsAliases: boolean },
): readonly Edit[] | undefined {
  const roots = nodesOf(file.source.text)
  const edits = differing.map(([index, value]) => {
    const [root, candidate] = [roots[index], file.candidates[index]]
    return root && candidate && revisions({ ...pageOf(file), keepsAliases }, root, candidate.raw.value, value)
  })
  return edits.some((some) => some === undefined) ? undefined : edits.flatMap((some) => some ?? [])
}

function wholeEdits(file: ReadFile, wanted: Wanted): readonly Edit[] {
  const roots = nodesOf(file.source.text)
  return wanted.flatMap(([index, value]) =>
    roots[index] && file.candidates[index] ? [wholeEdit(pageOf(file), roots[index], value)] : [],
  )
}

/** A file with edits, whose lines end as the others do. */
function edited({ input, source }: ReadFile, edits: readonly Edit[]): ReadFile {
  const own = edits.map((edit) => ({ ...edit, text: withBreaksOf(source.text, edit.text) }))
  return readFile(input, Buffer.from(applyEdits(source.text, own)), {})
}
