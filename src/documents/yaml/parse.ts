import { Composer, type CST, type Document, isScalar, type ParsedNode, Parser, type YAMLError } from 'yaml'
import { limits } from '../../contract/limits.ts'
import { messageOf } from '../../contract/unknown-values.ts'
import { type Finding, finding, type Range } from '../finding.ts'
import { strangeSpaces } from './strange-spaces.ts'
import { conflictBeside, isColonInText, isLocal, syntaxFinding } from './syntax.ts'

/** One parsed document of a text. */
export interface ParsedDocument {
  readonly contents: ParsedNode | null
  /** Syntax errors. */
  readonly findings: readonly Finding[]
  /** Whether its structure can be relied on. */
  readonly sound: boolean
  /** Whether it is not sound only because of texts with a colon, and the contents are what is beside them. */
  readonly isBesideTexts: boolean
}
/** The documents of a text, and errors outside of them. */
export interface Parsed<D = ParsedDocument> {
  readonly documents: readonly D[]
  readonly findings: readonly Finding[]
}

/** The YAML documents of a text, without blank ones; never throws. */
export function parse(text: string): Parsed {
  // A text may have millions of errors, whose stack traces would take long and are not used.
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return besideTexts(text, parseText(text))
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** A document as it was parsed at first. */
interface FirstParsed extends ParsedDocument {
  /** Its texts in which a colon begins another field: all that is below one seems to be in it. */
  readonly colons: readonly Ranged[]
}
type Ranged = Finding & { readonly range: Range }

/** What was parsed, where documents with colons in texts are read without these, if nothing else is wrong with their structure. */
function besideTexts(text: string, parsed: Parsed<FirstParsed>): Parsed {
  const colons = parsed.documents.flatMap((document) => document.colons)
  if (colons.length === 0) return parsed
  const rest = parseText(withoutTexts(text, colons)).documents
  if (rest.length !== parsed.documents.length) return parsed
  return { ...parsed, documents: parsed.documents.map((document, index) => without(document, rest[index])) }
}

/** A text with an alias of nothing in each range, whose value is left out of its document; all places stay what they are. */
function withoutTexts(text: string, colons: readonly Ranged[]): string {
  let from = 0
  const parts = colons.map(({ range: [start, end] }) => {
    const part = text.slice(from, start) + '*'.padEnd(end - start)
    from = end
    return part
  })
  return parts.join('') + text.slice(from)
}

function without(document: FirstParsed, rest: FirstParsed | undefined): ParsedDocument {
  const { colons } = document
  if (colons.length === 0 || !rest?.sound) return document
  const texts = new Set(colons.map(({ range }) => range[0]))
  const others = rest.findings.filter(({ range }) => !range || !texts.has(range[0]))
  return { contents: rest.contents, findings: [...colons, ...others], sound: false, isBesideTexts: true }
}

function parseText(text: string): Parsed<FirstParsed> {
  const documents: FirstParsed[] = []
  const findings: Finding[] = []
  try {
    for (const document of compose(text, findings)) {
      const found = parsed(text, document)
      if (isBlank(found)) continue
      if (documents.push(found) <= limits.documents) continue
      findings.push(finding('file-size', `more than ${limits.documents} documents in one file`))
      break
    }
  } catch (error) {
    findings.push(error instanceof Refused ? error.finding : unreadable(error))
  }
  if (documents.length + findings.length === 0) findings.push(empty(text))
  return { documents, findings }
}

function* compose(text: string, findings: Finding[]): Generator<Document.Parsed> {
  const composer = new Composer({
    version: '1.2',
    schema: 'core',
    uniqueKeys: false,
    resolveKnownTags: false,
    logLevel: 'silent',
  })
  let errors = 0
  for (const token of new BoundedParser().parse(text)) {
    if (token.type === 'error' && ++errors > limits.problems) break
    refuseDeep(token)
    yield* composer.next(token)
  }
  yield* composer.end()
  for (const error of composer.streamInfo().errors.slice(0, 1)) findings.push(syntaxFinding(text, error, null))
}

function parsed(text: string, { contents, errors, directives, range }: Document.Parsed): FirstParsed {
  const fatal = errors.findIndex((error) => !isLocal(error))
  const spaces = strangeSpaces(text, contents, [range[0], range[2]], fatal >= 0)
  const whole = { contents, isBesideTexts: false, colons: [] }
  if (spaces.length > 0) return { ...whole, findings: spaces, sound: false }
  const reported = errors.slice(0, fatal < 0 ? limits.problems : Math.min(fatal + 1, limits.problems))
  const findings = reported.map((error) => syntaxFinding(text, error, contents))
  const first = errors[fatal]
  if (first) findings.push(...conflictBeside(text, first, contents))
  const old = directives.yaml.version === '1.1'
  if (old) findings.unshift(oldVersion(text, contents))
  const colons = fatal < 0 ? [] : colonsIn(text, errors)
  return { ...whole, findings, sound: fatal < 0 && !old, colons }
}

/**
 * The texts of a document in which a colon begins another field, each to the end of its line; none if there are too many, or one
 * has an anchor, which aliases below it may name.
 */
function colonsIn(text: string, errors: readonly YAMLError[]): Ranged[] {
  const found: Ranged[] = []
  for (const error of errors) {
    if (error.pos[0] < (found.at(-1)?.range[1] ?? 0) || !isColonInText(text, error)) continue
    const { range = error.pos, ...words } = syntaxFinding(text, error, null)
    if (found.length === limits.problems || anchor.test(text.slice(...range))) return []
    found.push({ ...words, range })
  }
  return found
}

const anchor = /(?<!\S)&\S/

/** An empty document, not one that is an explicit `null`. */
function isBlank({ contents, findings }: ParsedDocument): boolean {
  if (findings.length) return false
  return !contents || (isScalar(contents) && contents.source === '' && !contents.tag && !contents.anchor)
}

/** Why a document is not read. */
class Refused {
  constructor(readonly finding: Finding) {}
}

/** A parser that refuses a document of more words and signs, or levels, than could be read in some seconds. */
class BoundedParser extends Parser {
  #tokens = 0

  override *next(source: string): Generator<CST.Token, void> {
    if (++this.#tokens > limits.tokens) throw new Refused(tooLarge(this.offset))
    // Below the values that are open is their document, and above them may be a scalar.
    if (this.stack.length > limits.depth + 1) refuseOpen(this.stack)
    for (const token of super.next(source)) {
      if (token.type === 'document') this.#tokens = 0
      yield token
    }
  }
}

/** What is open is refused where it nests too deep: to read all of it first takes about a kilobyte of memory for each level. */
function refuseOpen(open: readonly CST.Token[]): void {
  const tooMuch = open.filter((token) => 'items' in token)[limits.depth]
  if (tooMuch) throw new Refused(tooDeep(tooMuch.offset))
}

/** Composing nested values is recursive, so a document that is nested too deep is refused before. */
function refuseDeep(root: CST.Token): void {
  const open: { token: CST.Token; depth: number }[] = [{ token: root, depth: 0 }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { token, depth } = next
    if (token.type === 'document') {
      if (token.value) open.push({ token: token.value, depth })
      continue
    }
    if (!('items' in token)) continue
    if (depth === limits.depth) throw new Refused(tooDeep(token.offset))
    for (const { key, value } of token.items) {
      if (key && 'items' in key) open.push({ token: key, depth: depth + 1 })
      if (value && 'items' in value) open.push({ token: value, depth: depth + 1 })
    }
  }
}

/** The finding of a document that is nested too deep. */
export const tooDeep = (offset: number): Finding =>
  finding('depth', `nested more than ${limits.depth} levels deep`, { range: [offset, offset + 1] })

const tooLarge = (offset: number): Finding =>
  finding('file-size', `more than ${limits.tokens} words and signs in one document`, {
    range: [offset, offset + 1],
    hint: 'split it into several documents',
  })

const unreadable = (error: unknown): Finding => finding('yaml-syntax', `cannot be read as YAML: ${messageOf(error)}`)

const empty = (text: string): Finding =>
  finding('empty', text.trim() === '' ? 'the file is empty' : 'the file contains no document, only comments', {
    hint: 'write a document in it: vatom help catalog shows the kinds; or remove the file',
  })

function oldVersion(text: string, contents: ParsedNode | null): Finding {
  const start = Math.max(0, text.lastIndexOf('%YAML', contents?.range[0] ?? text.length))
  return finding('yaml-version', 'documents are YAML 1.2', { range: [start, start + 5], hint: 'remove the %YAML line' })
}
