import type { ParsedNode } from 'yaml'
import type { Issue } from '../../contract/schema/issues.ts'
import { at, type Path } from '../../contract/schema/path.ts'
import { editOf } from '../edit/edit.ts'
import { type Finding, inputProblem, problemOf } from '../finding.ts'
import { type InputFile, isHidden } from '../load/inputs.ts'
import type { Problem } from '../load/loaded.ts'
import { decode } from './decode.ts'
import { jsonFinding } from './json.ts'
import { type ParsedDocument, parse } from './parse.ts'
import { type Found, type Part, Places } from './places.ts'
import { isJson, isStatusLine, type Source, sourceOf } from './source.ts'
import { explain } from './traps.ts'
import { type Walked, walk } from './walk.ts'
import { anchorFinder, type FirstAnchor, type PerhapsText } from './walk-state.ts'

/** One document of a text as a JSON value, with its places in the text. */
export interface RawDocument {
  readonly value: unknown
  /** What is wrong with it before a schema checks it. */
  readonly findings: readonly Finding[]
  /** Its numbers that may be meant as texts, of which nothing is reported yet. */
  readonly perhapsTexts: readonly PerhapsText[]
  /** Whether its value is complete enough to be checked by a schema. */
  readonly sound: boolean
  /** Whether it lacks only texts that could not be read, and what else they may have been. */
  readonly isBesideTexts: boolean
  readonly range: (path: Path, part?: Part) => readonly [number, number]
  /** The place of the value at a path, an alias followed; undefined where there is none. */
  readonly find: (path: Path) => Found | undefined
  /** Issues of its value as findings, worded for YAML; those at places that could not be read are left out. */
  readonly place: (issues: readonly Issue[]) => Finding[]
}
/** A file as it was parsed. */
export interface ParsedFile {
  readonly source: Source
  readonly documents: readonly RawDocument[]
  /** What is wrong with the file as a whole. */
  readonly findings: readonly Finding[]
  /** Why it could not be read. */
  readonly problems: readonly Problem[]
}

/** A file's bytes as YAML or, by its name, strict JSON; a string in place of bytes says why there are none. */
export function parseFile(input: InputFile, bytes: Uint8Array | string): ParsedFile {
  const { file } = input
  const text = typeof bytes === 'string' ? '' : decode(bytes)
  const source = sourceOf(file, typeof text === 'string' ? text : '', isHidden(input) ? '' : undefined)
  const unread = { source, documents: [], findings: [] }
  if (typeof bytes === 'string') return { ...unread, problems: [inputProblem(file, 'input', bytes)] }
  if (typeof text !== 'string') return { ...unread, problems: [problemOf(source, text)] }
  if (lfsPointer.test(text)) return { ...unread, problems: [inputProblem(file, 'input', isPointer, getFile)] }
  if (isStatusLine(text)) return { ...unread, problems: [inputProblem(file, 'input', isStatus, 'get the file anew')] }
  return { source, ...documentsOf(source), problems: [] }
}

/** What Git LFS leaves in the place of a file whose content it has not got. */
const lfsPointer = /^version https:\/\/git-lfs\.github\.com\/spec\/v\d+\s/
const isPointer = 'is a pointer of Git LFS, and the file that it stands for was not fetched'
const getFile =
  'get the file: git lfs pull; in a pipeline: lfs: true at actions/checkout (GitHub), a runner with git-lfs (GitLab)'

const isStatus = 'holds no document, but the status of a failed download'

function documentsOf(source: Source): Pick<ParsedFile, 'documents' | 'findings'> {
  if (isJson(source.file) && source.text.trim() !== '') {
    const wrong = jsonFinding(source.text)
    if (wrong) return { documents: [], findings: [wrong] }
  }
  const { documents, findings } = parse(source.text)
  const firstAnchor = anchorFinder(source.text)
  return { documents: documents.map((document) => rawDocument(source.text, document, firstAnchor)), findings }
}

/** The nodes of the documents of a text. */
export const nodesOf = (text: string): readonly (ParsedNode | null)[] =>
  parse(text).documents.map(({ contents }) => contents)

function rawDocument(
  text: string,
  { contents, findings, sound, isBesideTexts }: ParsedDocument,
  firstAnchor: FirstAnchor,
): RawDocument {
  if (!contents)
    return {
      value: null,
      findings,
      perhapsTexts: [],
      sound: false,
      isBesideTexts: false,
      range: () => [0, 0],
      find: () => undefined,
      place: () => [],
    }
  const { value, findings: own, broken, targets, perhapsTexts } = walk(contents, text, firstAnchor)
  const parts = { value, broken, places: new Places(text, contents, targets) }
  const isRead = !broken.some((path) => path.length === 0)
  return {
    ...placed(text, parts),
    perhapsTexts,
    findings: sound || isBesideTexts ? [...findings, ...own] : findings,
    sound: sound && isRead,
    isBesideTexts: isBesideTexts && isRead,
  }
}

/** What is known of a document once its nodes are no longer needed. */
interface Parts extends Pick<Walked, 'value' | 'broken'> {
  readonly places: Places
}

/** Refers to no node, so that none stays in memory. */
function placed(
  text: string,
  { value, broken, places }: Parts,
): Pick<RawDocument, 'value' | 'range' | 'find' | 'place'> {
  const isBroken = withinAny(broken)
  const isRead = !isBroken([])
  return {
    value,
    range: (path, part = 'value') => places.locate(isRead ? path : [], part),
    find: (path) => places.findValue(path),
    place: (issues) => issues.filter(({ path }) => !isBroken(path)).map(toFinding),
  }

  function toFinding(issue: Issue): Finding {
    const found = places.find(issue.path)
    const words = explain(issue, { ...found, value: at(value, ...issue.path) }, text)
    const edit = words.edit ?? editOf(words.fix, found, text)
    return {
      ...words,
      range: words.range ?? places.locate(issue.path, issue.part ?? 'value'),
      ...(edit && { edit }),
    }
  }
}

/** Whether a path is at or below one of others, of which there may be very many. */
function withinAny(others: readonly Path[]): (path: Path) => boolean {
  const known = new Set(others.map((one) => JSON.stringify(one)))
  return (path) =>
    known.size > 0 && [...path.keys(), path.length].some((length) => known.has(JSON.stringify(path.slice(0, length))))
}
