import { isKindName, kindOf, recognized } from '../../contract/kinds/kinds.ts'
import { at, isObject } from '../../contract/schema/path.ts'
import { suggest } from '../../contract/schema/suggest.ts'
import { type KindName, kinds } from '../../contract/values.ts'
import { type Finding, finding, inputProblem, problemOf } from '../finding.ts'
import { decode } from '../yaml/decode.ts'
import { type RawDocument, readDocuments } from '../yaml/read-documents.ts'
import { type Source, sourceOf } from '../yaml/source.ts'
import { expandDocument } from './expand.ts'
import type { InputFile } from './inputs.ts'
import type { Problem } from './loaded.ts'
import { type ReadOptions, readInput } from './read.ts'

/** A file as it was parsed, with what is wrong with it as a whole. */
export interface ParsedFile {
  readonly input: InputFile
  readonly source: Source
  readonly documents: readonly RawDocument[]
  readonly findings: readonly Finding[]
  readonly problems: readonly Problem[]
}
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

/** The documents of files, one file after the other. */
export async function readFiles(
  inputs: readonly InputFile[],
  options: ReadOptions & ReadFileOptions,
): Promise<ReadFile[]> {
  const files: ReadFile[] = []
  for (const input of inputs) files.push(readFile(input, await readInput(input, options), options))
  return files
}

/** The documents in a file's bytes; a string in place of bytes says why there are none. */
export function readFile(input: InputFile, bytes: Uint8Array | string, options: ReadFileOptions): ReadFile {
  const { source, documents, findings, problems } = parseFile(input, bytes)
  return {
    input,
    source,
    candidates: documents.map((raw) => candidate(source, raw, options)),
    problems: [...problems, ...findings.map((found) => problemOf(source, found))],
  }
}

/** A file's bytes as YAML or JSON; a string in place of bytes says why there are none. */
export function parseFile(input: InputFile, bytes: Uint8Array | string): ParsedFile {
  const text = typeof bytes === 'string' ? '' : decode(bytes)
  const source = sourceOf(input.file, typeof text === 'string' ? text : '')
  const unread = { input, source, documents: [], findings: [] }
  if (typeof bytes === 'string') return { ...unread, problems: [inputProblem(input.file, 'input', bytes)] }
  if (typeof text !== 'string') return { ...unread, problems: [problemOf(source, text)] }
  return { input, source, ...readDocuments(source), problems: [] }
}

function candidate(source: Source, raw: RawDocument, { noun = 'template', publisher }: ReadFileOptions): Candidate {
  const kind = recognized(raw.value) ?? kindOf(noun)
  const value = isObject(raw.value) ? expandDocument(kind.name, withoutOwnKeys(raw.value), publisher) : raw.value
  return { source, raw, kind: kind.name, name: kind.nameOf(value), value }
}

/** A document without the keys that are never sent. */
export function withoutOwnKeys(document: Record<string, unknown>): Record<string, unknown> {
  if (!Object.hasOwn(document, 'kind') && !Object.hasOwn(document, '$schema')) return document
  const { kind: _kind, $schema: _schema, ...rest } = document
  return rest
}

/** What is wrong with a document's `kind:`. */
export function kindFindings(document: unknown): Finding[] {
  const said = at(document, 'kind')
  if (said === undefined || isKindName(said)) return []
  const near = typeof said === 'string' ? suggest(said, kinds) : undefined
  return [
    finding('kind', `no kind of document: ${JSON.stringify(said)}`, {
      path: ['kind'],
      hint: near ? `did you mean ${near}?` : `kinds: ${kinds.join(', ')}`,
    }),
  ]
}
