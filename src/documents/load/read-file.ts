import { isKindName, kindOf, recognized } from '../../contract/kinds/kinds.ts'
import { at } from '../../contract/schema/path.ts'
import { suggest } from '../../contract/schema/suggest.ts'
import { type KindName, kinds } from '../../contract/values.ts'
import { type Finding, finding, problemOf } from '../finding.ts'
import { parseFile, type RawDocument } from '../yaml/read-documents.ts'
import type { Source } from '../yaml/source.ts'
import { expandDocument } from './expand.ts'
import type { InputFile } from './inputs.ts'
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

interface ReadFileOptions {
  /** What a document is taken for whose keys do not show its kind; a template where nothing is said. */
  readonly noun?: KindName | undefined
  readonly publisher?: string | undefined
}

/** The documents of a noun, or all of them without one; one that cannot be read may be any kind's, and counts. */
export const ownCandidates = ({ candidates }: ReadFile, noun: KindName | undefined): readonly Candidate[] =>
  noun === undefined ? candidates : candidates.filter((one) => one.kind === noun || !one.raw.sound)

/** The documents in a file's bytes; a string in place of bytes says why there are none. */
export function readFile(
  input: InputFile,
  bytes: Uint8Array | string,
  { noun = 'template', publisher }: ReadFileOptions,
): ReadFile {
  const { source, documents, findings, problems } = parseFile(input, bytes)
  const candidates = documents.map((raw): Candidate => {
    const kind = recognized(raw.value) ?? kindOf(noun)
    const value = expandDocument(kind.name, raw.value, publisher)
    return { source, raw, kind: kind.name, name: kind.nameOf(value), value }
  })
  return { input, source, candidates, problems: [...problems, ...findings.map((found) => problemOf(source, found))] }
}

/** What is wrong with a document's `kind:`. */
export function kindFindings(document: unknown): Finding[] {
  const said = at(document, 'kind')
  if (said === undefined || isKindName(said)) return []
  const near = typeof said === 'string' ? suggest(said, kinds) : undefined
  return [
    finding('kind', `${JSON.stringify(said)} is not a kind of document`, {
      path: ['kind'],
      hint: near ? `did you mean ${near}?` : `kinds: ${kinds.join(', ')}`,
    }),
  ]
}
