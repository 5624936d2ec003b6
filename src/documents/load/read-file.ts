import { isKindName, kindOf, recognized, withMark } from '../../contract/kinds/kinds.ts'
import { at } from '../../contract/schema/path.ts'
import { suggest } from '../../contract/schema/suggest.ts'
import { type KindName, kinds } from '../../contract/values.ts'
import { type Finding, finding, problemOf } from '../finding.ts'
import { parseFile, type RawDocument } from '../yaml/read-documents.ts'
import type { Source } from '../yaml/source.ts'
import { expandDocument } from './expand.ts'
import type { InputFile } from './inputs.ts'
import type { Problem } from './loaded.ts'

/** A document of any kind before it is checked. */
export interface Candidate {
  readonly source: Source
  readonly raw: RawDocument
  readonly kind: KindName
  readonly name: string
  /** The body to send. */
  readonly value: unknown
}
/** A file that was read, with the problems of the file as a whole. */
export interface ReadFile {
  readonly input: InputFile
  readonly source: Source
  readonly candidates: readonly Candidate[]
  readonly problems: readonly Problem[]
}

interface ReadFileOptions {
  /** The kind of documents whose keys do not show it; `template` by default. */
  readonly noun?: KindName | undefined
  readonly publisher?: string | undefined
}

/** The documents of a kind, or all without one; those that cannot be read may be of any kind and are included. */
export const ownCandidates = ({ candidates }: ReadFile, noun: KindName | undefined): readonly Candidate[] =>
  noun === undefined ? candidates : candidates.filter((one) => one.kind === noun || !one.raw.sound)

/** The documents in a file's bytes; a string instead of bytes says why it could not be read. */
export function readFile(
  input: InputFile,
  bytes: Uint8Array | string,
  { noun = 'template', publisher }: ReadFileOptions,
): ReadFile {
  const { source, documents, findings, problems } = parseFile(input, bytes)
  const candidates = documents.map((raw): Candidate => {
    const kind = recognized(raw.value) ?? kindOf(noun)
    const expanded = (document: unknown) => expandDocument(kind.name, document, publisher)
    const value = expanded(raw.value)
    const meant = withMark(kind, raw.value)
    const name = kind.nameOf(meant === raw.value ? value : expanded(meant))
    return { source, raw, kind: kind.name, name, value }
  })
  return { input, source, candidates, problems: [...problems, ...findings.map((found) => problemOf(source, found))] }
}

/** The finding of a `kind:` that is no kind of document. */
export function kindFindings(document: unknown): Finding[] {
  const kind = at(document, 'kind')
  if (kind === undefined || isKindName(kind)) return []
  const near = typeof kind === 'string' ? suggest(kind, kinds) : undefined
  return [
    finding('kind', `${JSON.stringify(kind)} is not a kind of document`, {
      path: ['kind'],
      hint: near ? `did you mean ${near}?` : `kinds: ${kinds.join(', ')}`,
    }),
  ]
}
