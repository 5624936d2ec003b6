import { Buffer } from 'node:buffer'
import { isSame } from '../../contract/schema/path.ts'
import { isValid } from '../load/problems.ts'
import { type Candidate, type ReadFile, readFile } from '../load/read-file.ts'
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

/** A value of several aliases changes in as many rounds as they are nested; more than these mean that edits do not do. */
const maxRounds = 4

/** A file in which documents, by their index, have other values; all else stays as it is written. */
export function revisedFile(file: ReadFile, wanted: ReadonlyMap<number, unknown>): RevisedFile {
  let now = file
  for (let round = 0; round <= maxRounds; round++) {
    const differing = [...wanted].filter(([index, value]) => !isSame(now.candidates[index]?.raw.value, value))
    if (differing.length === 0) return { text: now.source.text, isRewritten: false }
    const edits = differing.map(([index, value]) => editsOf(now, now.candidates[index], value))
    if (edits.some((some) => some === undefined)) break
    now = edited(
      now,
      edits.flatMap((some) => some ?? []),
    )
    if (now.candidates.length !== file.candidates.length || !now.candidates.every(isWhole)) break
  }
  const whole = [...wanted].flatMap(([index, value]) => wholeEdits(file, file.candidates[index], value))
  return { text: edited(file, whole).source.text, isRewritten: true }
}

const pageOf = ({ source }: ReadFile) => ({ text: source.text, isJson: isJson(source.file) })

const isWhole = ({ raw }: Candidate) => raw.sound && isValid(raw.findings)

function editsOf(file: ReadFile, candidate: Candidate | undefined, value: unknown): readonly Edit[] | undefined {
  const root = candidate?.raw.find([])?.node
  return candidate && root && revisions(pageOf(file), root, candidate.raw.value, value)
}

function wholeEdits(file: ReadFile, candidate: Candidate | undefined, value: unknown): readonly Edit[] {
  const root = candidate?.raw.find([])?.node
  return root ? [wholeEdit(pageOf(file), root, value)] : []
}

/** A file with edits, whose lines end as the others do. */
function edited({ input, source }: ReadFile, edits: readonly Edit[]): ReadFile {
  const own = edits.map((edit) => ({ ...edit, text: withBreaksOf(source.text, edit.text) }))
  return readFile(input, Buffer.from(applyEdits(source.text, own)), {})
}
