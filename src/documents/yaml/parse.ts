import { Composer, type CST, type Document, isScalar, type ParsedNode, Parser } from 'yaml'
import { limits } from '../../contract/limits.ts'
import { type Finding, finding } from '../finding.ts'
import { isLocal, syntaxFinding } from './syntax.ts'

/** One document of a text, as the parser sees it. */
export interface ParsedDocument {
  readonly contents: ParsedNode | null
  /** What the parser found wrong. */
  readonly findings: readonly Finding[]
  /** Whether its structure can be relied on. */
  readonly sound: boolean
}
/** The documents of a text, and what stands in the way of reading more. */
export interface Parsed {
  readonly documents: readonly ParsedDocument[]
  readonly findings: readonly Finding[]
}

/** The YAML documents of a text; whatever the text is, it does not throw. Blank documents are left out. */
export function parse(text: string): Parsed {
  // A text may hold millions of errors, and only their places are wanted.
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return parseText(text)
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

function parseText(text: string): Parsed {
  const documents: ParsedDocument[] = []
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
    findings.push(error instanceof TooDeep ? error.finding : unreadable(error))
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
  for (const token of new Parser().parse(text)) {
    if (token.type === 'error' && ++errors > limits.problems) break
    refuseDeep(token)
    yield* composer.next(token)
  }
  yield* composer.end()
  for (const error of composer.streamInfo().errors.slice(0, 1)) findings.push(syntaxFinding(text, error))
}

function parsed(text: string, { contents, errors, directives }: Document.Parsed): ParsedDocument {
  const fatal = errors.findIndex((error) => !isLocal(error))
  const reported = errors.slice(0, fatal < 0 ? limits.problems : Math.min(fatal + 1, limits.problems))
  const findings = reported.map((error) => syntaxFinding(text, error))
  const old = directives.yaml.version === '1.1'
  if (old) findings.unshift(oldVersion(text, contents))
  return { contents, findings, sound: fatal < 0 && !old }
}

/** An empty document, not one that says `null` outright. */
function isBlank({ contents, findings }: ParsedDocument): boolean {
  if (findings.length) return false
  return !contents || (isScalar(contents) && contents.source === '' && !contents.tag && !contents.anchor)
}

class TooDeep {
  constructor(readonly finding: Finding) {}
}

/** Composing nested values is recursive, so that too deep a document is refused before it. */
function refuseDeep(root: CST.Token): void {
  const open: { token: CST.Token; depth: number }[] = [{ token: root, depth: 0 }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { token, depth } = next
    if (token.type === 'document') {
      if (token.value) open.push({ token: token.value, depth })
      continue
    }
    if (!('items' in token)) continue
    if (depth === limits.depth) throw new TooDeep(tooDeep(token.offset))
    for (const { key, value } of token.items) {
      if (key && 'items' in key) open.push({ token: key, depth: depth + 1 })
      if (value && 'items' in value) open.push({ token: value, depth: depth + 1 })
    }
  }
}

/** The answer to a document that nests too deep, at an offset when there is one. */
export const tooDeep = (offset?: number): Finding =>
  finding('depth', `nested more than ${limits.depth} levels deep`, {
    ...(offset !== undefined && { range: [offset, offset + 1] }),
  })

const unreadable = (error: unknown): Finding =>
  finding('yaml-syntax', `cannot be read as YAML: ${error instanceof Error ? error.message : String(error)}`)

const empty = (text: string): Finding =>
  text.trim() === ''
    ? finding('empty', 'the file is empty')
    : finding('empty', 'the file holds no document, only comments')

function oldVersion(text: string, contents: ParsedNode | null): Finding {
  const start = Math.max(0, text.lastIndexOf('%YAML', contents?.range[0] ?? text.length))
  return finding('yaml-version', 'documents are YAML 1.2', { range: [start, start + 5], hint: 'remove the %YAML line' })
}
