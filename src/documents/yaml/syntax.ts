import { isCollection, isNode, isScalar, type ParsedNode, visit, type YAMLError } from 'yaml'
import { shortened } from '../../contract/schema/wording.ts'
import { type Finding, finding, type Range } from '../finding.ts'
import { hasColon, misaligned, misplaced, unindented } from './indentation.ts'
import { documentAt, lineStart } from './source.ts'

interface Words {
  readonly rule: string
  readonly message: string
  readonly hint?: string
  /** Where it is wrong, if not where the parser noticed. */
  readonly range?: Range
  /** The correction, where it is certain. */
  readonly text?: string
}
/** Where the parser noticed an error: the text of the file, a range of it, and what was read. */
interface Place {
  readonly text: string
  readonly range: Range
  readonly contents: ParsedNode | null
}
type Code = YAMLError['code']

const words: Partial<Record<Code, (underlined: string, place: Place) => Words>> = {
  TAB_AS_INDENT: () => ({ rule: 'yaml-tab', message: 'a tab cannot indent YAML', hint: 'indent with spaces' }),
  BAD_ALIAS: (underlined) =>
    underlined === '*'
      ? { rule: 'yaml-alias', message: 'a bare * is an alias in YAML, not a text', hint: 'write "*"', text: '"*"' }
      : { rule: 'yaml-alias', message: 'not an alias that YAML knows', hint: 'a text that begins with * needs quotes' },
  BAD_SCALAR_START: (underlined) => ({
    rule: 'yaml-quotes',
    message: `a text that begins with ${underlined} needs quotes`,
    hint: `write "${underlined}…"`,
  }),
  BLOCK_AS_IMPLICIT_KEY: (_, { text, range }) => ({
    rule: 'yaml-syntax',
    ...(misplaced(text, range[0]) ?? colonInText(text, range[0])),
  }),
  MULTILINE_IMPLICIT_KEY: (_, place) => ({
    rule: 'yaml-syntax',
    ...withoutColon(place),
  }),
  BAD_DQ_ESCAPE: (_, { text, range: [from] }) => ({
    rule: 'yaml-syntax',
    message: `${text.slice(from, from + 2)} begins no escape sequence that YAML has in double quotes`,
    range: [from, from + 2],
    hint: 'write \\\\ for each \\ of the text, or put the text in single quotes',
  }),
  TAG_RESOLVE_FAILED: () => ({
    rule: 'yaml-tag',
    message: 'the value does not fit its tag',
    hint: 'leave the tag out',
  }),
}
/** A line that git writes around what it could not merge. */
const conflictMark = /^(?:<{7} |>{7} |={7}$)/m

/** What is wrong in a document that git could not merge, wherever the parser stops in it. */
function unmerged({ text, range }: Place): Words | undefined {
  const [start, end] = documentAt(text, range[0])
  const mark = conflictMark.exec(text.slice(start, end))
  if (mark === null) return undefined
  const from = start + mark.index
  return {
    rule: 'yaml-syntax',
    message: `merge conflict at line ${text.slice(0, from).split('\n').length}: git has left its marks here, <<<<<<< and >>>>>>>`,
    hint: 'choose between the lines, and remove the marks',
    range: [from, from + mark[0].length],
  }
}
const withoutStart = {
  message: 'no line --- is between the lines with % and the document',
  hint: 'remove the line %YAML, or write a line --- below it',
}
const noField = {
  message: 'this is not a field: a key must be followed by ": " on its own line',
  hint: 'is a colon missing, or the indentation wrong?',
}
const broken: ReadonlySet<Code> = new Set(['BAD_ALIAS', 'BAD_SCALAR_START', 'TAG_RESOLVE_FAILED'])

/** Whether an error leaves the structure of the document intact, so that the rest can be checked. */
export const isLocal = (error: YAMLError) => broken.has(error.code)

/** Whether an error is a colon in a text, which is on the line of its key. */
export const isColonInText = (text: string, { code, pos: [offset] }: YAMLError): boolean =>
  code === 'BLOCK_AS_IMPLICIT_KEY' &&
  hasColon(text, offset) &&
  text.slice(lineStart(text, offset), offset).trim() !== ''

/** What some messages of the parser mean; undefined where one of them means something else. */
const meanings: readonly (readonly [RegExp, (place: Place) => Omit<Words, 'rule'> | undefined])[] = [
  [/missing closing .quote/i, openQuote],
  [/^flow (map|sequence)|^expected flow/i, openBracket],
  [/must start at the same column|without - indicator/i, ({ text, range }) => misaligned(text, range[0])],
  [/^unexpected scalar at node end/i, afterQuote],
  [/^implicit map keys need/i, withoutColon],
  [/^missing directives-end/i, () => withoutStart],
]

/** The conflict of git in the document of an error that is a colon in a text, which says nothing of it. */
export function conflictBeside(text: string, error: YAMLError, contents: ParsedNode | null): Finding[] {
  const found = isColonInText(text, error) ? unmerged({ text, range: error.pos, contents }) : undefined
  if (found === undefined) return []
  const { rule, message, ...where } = found
  return [finding(rule, message, where)]
}

/** An error of the parser in words that a publisher understands. */
export function syntaxFinding(text: string, error: YAMLError, contents: ParsedNode | null): Finding {
  const { code, message, pos: range } = error
  const place = { text, range, contents }
  const conflict = isLocal(error) || isColonInText(text, error) ? undefined : unmerged(place)
  const found =
    conflict ?? separator(place) ?? words[code]?.(text.slice(...range).trim(), place) ?? plain(message, place)
  return finding(found.rule, found.message, {
    range: found.range ?? range,
    ...(found.hint !== undefined && { hint: found.hint }),
    ...(found.text !== undefined && { edit: { range: [range[0], range[0] + 1], text: found.text } }),
  })
}

function plain(message: string, place: Place): Words {
  const meaning = meanings.find(([pattern]) => pattern.test(message))?.[1](place)
  if (meaning) return { rule: 'yaml-syntax', ...meaning }
  const [first = ''] = message.split('\n')
  const short = first.length > 160 ? `${first.slice(0, 160)}…` : first
  return { rule: 'yaml-syntax', message: short.charAt(0).toLowerCase() + short.slice(1) }
}

/** `--`, `===`, or `---` that is indented: a line that is to part documents, and does not. */
function separator({ text, range: [from] }: Place): Words | undefined {
  const start = lineStart(text, from)
  const [line = ''] = /^.{0,200}/.exec(text.slice(start, start + 201)) ?? []
  if (line.startsWith('---') && line.trim() === '---') return undefined
  const [, indent = '', signs] = /^([ \t]*)(-{2,}|[=_*~+]{3,}|[\u2013\u2014]+)[ \t\r]*$/.exec(line) ?? []
  if (signs === undefined) return undefined
  return {
    rule: 'yaml-document',
    message: `${signs} is no line that parts documents here`,
    hint: 'between documents write a line --- that nothing else is on, and that is not indented',
    range: [start + indent.length, start + indent.length + signs.length],
  }
}

/** A line that is no field, as it has no colon that YAML takes for one. */
function withoutColon(place: Place) {
  return wideColon(place) ?? closeColon(place) ?? noField
}

/** `title:Coffee`, `title = Coffee`: a field but for what parts its key from its value. */
function closeColon({ text, range: [from] }: Place) {
  const [, key, value] =
    /^([\w-]{1,60})(?::(?![:/])|[ \t]*=)[ \t]*(\S.{0,100})/.exec(text.slice(from, from + 200)) ?? []
  if (key === undefined || value === undefined) return undefined
  return { message: noField.message, hint: `write ${key}: ${shortened(value.trimEnd())}` }
}

/** `title：コーヒー`: the colon of a keyboard for Chinese or Japanese. */
function wideColon({ text, range: [from] }: Place) {
  const [, key] = /^([^\s:'"\uff1a]{1,200})\uff1a/.exec(text.slice(from, from + 201)) ?? []
  if (key === undefined) return undefined
  return {
    message: '\uff1a (U+FF1A) looks like a colon, and is none for YAML',
    hint: `write ${key}: with a plain colon and a space`,
    range: [from + key.length, from + key.length + 1] as const,
  }
}

/** `title: Coffee: the best` */
function colonInText(text: string, offset: number) {
  const written = /.*/.exec(text.slice(offset))?.[0].trimEnd() ?? ''
  const isPlain = written !== '' && written.length <= 40 && !/["\\#]/.test(written)
  return {
    message: 'another field begins inside this value',
    hint: isPlain ? `if it is one text, write "${written}"` : 'a text that holds ": " needs quotes',
    range: [offset, offset + Math.max(1, written.length)] as const,
  }
}

function openQuote(place: Place): Omit<Words, 'rule'> {
  const message = 'the quote that begins here is never closed'
  const range = firstLine(place, isScalar)
  if (range === undefined) return { message }
  const written = place.text.slice(...range)
  const hint = `write ${shortened(written)}${written.charAt(0)} if the text ends on this line`
  return continued(place, range[0]) ?? { message, hint, range }
}

/** How a text in quotes ends on a later line, behind which nothing else is. */
const closings: Readonly<Record<string, RegExp>> = {
  '"': /^(?:[^"\\]|\\[\s\S])*"[ \t]*(?:#.*)?(?=\r?\n|$)/,
  "'": /^(?:[^']|'')*'(?!')[ \t]*(?:#.*)?(?=\r?\n|$)/,
}
/** Characters of further lines that are looked at. */
const mostFurther = 2_000

/** A text in quotes whose next line is not indented enough, where the parser stops; undefined where fields or items come before a quote. */
function continued({ text, range: [offset] }: Place, quote: number) {
  const further = text.slice(offset, offset + mostFurther)
  const [written] = closings[text.charAt(quote)]?.exec(further) ?? []
  if (written === undefined || /:(?:\s|$)|^[ \t]*-(?:[ \t]|--)/m.test(written)) return undefined
  return unindented(text, offset + written.search(/\S/), quote)
}

function openBracket(place: Place) {
  const range = firstLine(place, isCollection)
  const closing = range && place.text.charAt(range[0]) === '[' ? ']' : '}'
  if (range) return { message: `what begins here is never closed`, hint: `add the closing ${closing}`, range }
  return { message: 'a [ or { above this is not closed', hint: 'add the closing bracket' }
}

/** The first line of the innermost node that an error is in. */
function firstLine({ text, range: [offset], contents }: Place, is: (node: unknown) => boolean): Range | undefined {
  let found: Range | undefined
  visit(contents, (_, node) => {
    const [start, end] = (isNode(node) && node.range) || [offset, 0]
    if (start < offset && end >= offset && is(node) && /["'[{]/.test(text.charAt(start))) found = [start, end]
  })
  if (!found) return undefined
  const written = text.slice(...found).split('\n')[0] ?? ''
  return [found[0], found[0] + written.trimEnd().length]
}

/** `"Say "hello""`: a text goes on behind the quote that closes it. */
function afterQuote({ text, range }: Place) {
  const quote = text.slice(0, range[0]).trimEnd().at(-1)
  if (quote !== '"' && quote !== "'") return undefined
  const inside = quote === '"' ? '\\"' : "''"
  return {
    message: `the text ends at the quote before this`,
    hint: `write ${inside} for a quote inside the text, or leave the outer quotes out`,
  }
}
