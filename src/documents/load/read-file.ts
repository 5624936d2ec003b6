import { recognized } from '../../contract/kinds/kinds.ts'
import { isObject } from '../../contract/schema/path.ts'
import type { KindName } from '../../contract/values.ts'
import { inputProblem, problemOf } from '../finding.ts'
import { decode } from '../yaml/decode.ts'
import { type RawDocument, readDocuments } from '../yaml/read-documents.ts'
import { type Source, sourceOf } from '../yaml/source.ts'
import { expandDocument } from './expand.ts'
import type { InputFile } from './inputs.ts'
import { nameOf, withoutOwnKeys } from './kind-of.ts'
import type { Problem } from './loaded.ts'

/** A document of any kind, not yet checked. */
export interface Candidate {
  readonly source: Source
  readonly raw: RawDocument
  readonly kind: KindName
  readonly name: string
  /** What would be sent. */
  readonly value: unknown
}
/** A file that was read, with what is wrong with it as a whole. */
export interface ReadFile {
  readonly input: InputFile
  readonly source: Source
  readonly candidates: readonly Candidate[]
  readonly problems: readonly Problem[]
}

/** The documents of a noun, or all of them without one; one that cannot be read may be any kind's, and counts. */
export const ownCandidates = ({ candidates }: ReadFile, noun: KindName | undefined): readonly Candidate[] =>
  noun === undefined ? candidates : candidates.filter((one) => one.kind === noun || !one.raw.sound)

/** The documents in a file's bytes; a string in place of bytes says why there are none. */
export function readFile(
  input: InputFile,
  bytes: Uint8Array | string,
  options: { readonly noun: KindName; readonly publisher?: string | undefined },
): ReadFile {
  if (typeof bytes === 'string') return unread(input, inputProblem(input.file, 'input', bytes))
  const text = decode(bytes)
  const source = sourceOf(input.file, typeof text === 'string' ? text : '')
  if (typeof text !== 'string') return unread(input, problemOf(source, text))
  const { documents, findings } = readDocuments(source)
  return {
    input,
    source,
    candidates: documents.map((raw) => candidate(source, raw, options.noun, options.publisher)),
    problems: findings.map((found) => problemOf(source, found)),
  }
}

const unread = (input: InputFile, problem: Problem): ReadFile => ({
  input,
  source: sourceOf(input.file, ''),
  candidates: [],
  problems: [problem],
})

function candidate(source: Source, raw: RawDocument, noun: KindName, publisher: string | undefined): Candidate {
  const kind = recognized(raw.value)?.name ?? noun
  const value = isObject(raw.value) ? expandDocument(kind, withoutOwnKeys(raw.value), publisher) : raw.value
  return { source, raw, kind, name: nameOf(kind, value), value }
}
