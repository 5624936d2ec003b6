import { isObject } from '../../contract/schema/path.ts'
import { parseJson } from '../../contract/unknown-values.ts'
import { projectFileName } from '../../contract/values.ts'
import { inputProblem } from '../finding.ts'
import { isJson, isStatusLine } from '../yaml/source.ts'
import type { Problem } from './loaded.ts'

/**
 * What a file without any sign of a document is: `broken` is what nobody can read, and `stray` may be what came in the place of
 * documents. What is `foreign` is of another tool.
 */
export type Remains = 'broken' | 'stray' | 'foreign'

/** What is left where a document was: the text of a file that does not look like one of ours. */
export async function remainsOf(file: string, text: string): Promise<Remains> {
  if (isStatusLine(text)) return 'broken'
  const json = parseJson(text)
  if (json !== undefined) return isAnswer(json) || isEncrypted(json) ? 'stray' : 'foreign'
  if (isJson(file) || text.length > parsedAtMost || ofTemplates.test(text)) return 'foreign'
  if (isInclude.test(text)) return 'stray'
  return isPlain(text) ? 'foreign' : await unparsed(text)
}

/** Templates of Helm, of ERB and of others are no YAML before they are filled in. */
const ofTemplates = /\{\{|<%/

/** A template of Jinja from its first word on. */
const isInclude = /^\s*\{%/

/** Characters of the files that are parsed only to learn whether they can be. */
const parsedAtMost = 2 ** 18

/** A value that ends on its line, and a line with one. */
const value = `(?:[\\w./$(~=+-][^"'#:[\\]{}]*(?::[^\\s"'#:[\\]{}][^"'#:[\\]{}]*)*|"[^"\\\\]*"|'[^']*'|\\[[^[\\]{}"'#]*\\]|\\{\\})`
const key = '[\\w./$@-]+:'
const plainLine = new RegExp(`^\\s*(?:(?:- +)*${key}(?: +${value})?|(?:- +)+${value}|---|)\\s*(?:(?<=^|\\s)#.*)?$`)
/** Characters of a line that the expression is asked about: its time grows with their square. */
const plainAtMost = 300
const blockStart = /[:-] +[|>][+-]?\d?\s*$/

/**
 * Whether all lines of a text are those of simple YAML, as in most files of other tools: to parse hundreds of them only to learn
 * that they can be parsed takes seconds.
 */
function isPlain(text: string): boolean {
  let block = -1
  for (const line of text.split('\n')) {
    const indent = line.search(/\S/)
    if (indent < 0 || (block >= 0 && indent > block)) continue
    block = blockStart.test(line) ? keyStart(line) : -1
    if (block < 0 && (line.length > plainAtMost || !plainLine.test(line))) return false
  }
  return true
}

/** Where the key of a line begins, behind the dashes of an item: what is further to the right is in its block. */
const keyStart = (line: string): number => /^\s*(?:- +)*(?=[^\s|>-])/.exec(line)?.[0].length ?? line.search(/\S/)

/** What a text is by its errors: the parsers of other tools take more than YAML allows, but nothing that is not closed. */
async function unparsed(text: string): Promise<Remains> {
  const { parse } = await import('../yaml/parse.ts')
  const { documents, findings } = parse(text)
  const found = [...findings, ...documents.flatMap((one) => one.findings)]
  const errors = found.filter(({ rule }) => unparsable.includes(rule))
  if (errors.some(({ range }) => range && isOpen(text.slice(...range)))) return 'broken'
  return errors.length > 0 ? 'stray' : 'foreign'
}

/** Whether a quote or bracket at the beginning of a text is not closed at its end. */
function isOpen(text: string): boolean {
  const closing = closings.get(text.charAt(0))
  return closing !== undefined && !(text.length > 1 && text.endsWith(closing))
}

const closings = new Map([
  ['[', ']'],
  ['{', '}'],
  ['"', '"'],
  ["'", "'"],
])

const unparsable: readonly string[] = ['yaml-syntax', 'yaml-tab']

/** The fields of what services answer where they refuse something. */
const answerFields: readonly string[] = [
  ...['message', 'error', 'errors', 'error_description', 'error_message', 'detail', 'title', 'reason'],
  ...['status', 'statusCode', 'status_code', 'code', 'type', 'instance', 'path', 'success', 'ok'],
  ...['documentation_url', 'request_id', 'requestId', 'timestamp', 'trace_id', 'traceId'],
]
const reasons: readonly string[] = ['message', 'error', 'errors', 'detail']

function isAnswer(value: unknown): boolean {
  if (!isObject(value)) return false
  const fields = Object.keys(value)
  // A title alone is a text of an app.
  const isReason = (field: string) => reasons.includes(field) || (field === 'title' && fields.length > 1)
  return fields.every((field) => answerFields.includes(field)) && fields.some(isReason)
}

/** A whole file that SOPS has encrypted. */
const isEncrypted = (value: unknown): boolean => isObject(value) && 'sops' in value && typeof value.data === 'string'

/** The rule of files that may have come in the place of documents. */
export const strayRule = 'stray-file'

/** What to do about one that did not. */
export const ifOfOthers = `if it is of another tool, list it under ignore in ${projectFileName}`

/** What to do about what cannot be read and may stay so: of what is ignored, nothing keeps its records from being deleted. */
export const ifNeverOwned = `only if the catalog never owned what it describes: list it under ignore in ${projectFileName}`

/** The warning of a file that may have come in the place of documents. */
export const strayProblem = (file: string): Problem => ({
  ...inputProblem(
    file,
    strayRule,
    'is ignored: it holds no document, and may be what came in the place of one, as the answer of a failed download',
    `get the file anew; ${ifOfOthers}`,
  ),
  severity: 'warning',
})

/** The warning of a file that is too large to be looked through. */
export const unsearchedProblem = (file: string): Problem => ({
  ...inputProblem(file, strayRule, 'is ignored: it begins with no document, and is not looked through', ifOfOthers),
  severity: 'warning',
})
