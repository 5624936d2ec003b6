import { plural, shortened } from '../../contract/schema/wording.ts'
import type { Range } from '../finding.ts'
import { documentAt, lineStart } from './source.ts'

/** What is wrong with the indentation of a line, in words, and the part of the line to underline. */
interface Misplaced {
  readonly message: string
  readonly hint: string
  readonly range: Range
}
/** The first thing of a line, or what follows a `-` in it. */
interface Start {
  /** The key there; undefined where the line has none. */
  readonly key: string | undefined
  readonly column: number
  readonly isDash: boolean
}
/** A line that has content. */
interface Line {
  readonly offset: number
  readonly starts: readonly Start[]
}

/**
 * What is in the wrong column where another field begins inside a value; undefined where it begins on the value's own
 * line, which is a colon in a text.
 */
export const misplaced = (text: string, offset: number): Misplaced | undefined =>
  /^[ \t]*$/.test(text.slice(lineStart(text, offset), offset)) ? misaligned(text, offset) : strayIndent(text, offset)

/** A field below a value that takes no fields: `root_type: X`, and `title: Y` below it, indented more. */
function strayIndent(text: string, offset: number): Misplaced | undefined {
  if (hasColon(text, offset)) return undefined
  const from = lineStart(text, offset)
  const [own, ...rest] = linesOf(text, [from, documentAt(text, offset)[1]])
  const holder = own?.starts.findLast(({ key }) => key !== undefined)
  const stray = rest.find(({ starts: [start] }) => start?.key !== undefined)
  const [start] = stray?.starts ?? []
  if (!own || !holder || !stray || !start) return undefined
  return {
    message: `${start.key} is indented more than ${holder.key}, which has a value already`,
    hint: dashHint(holder.key) ?? likeIt([holder]),
    range: rangeOf(stray, start),
  }
}

/** What to write where a key begins with the dash of an item, without the space behind it: `-name: Activated`. */
export function dashHint(key = ''): string | undefined {
  const [, name] = /^-([\p{L}_][^\s:]*)/u.exec(key) ?? []
  return name === undefined ? undefined : `write - ${shortened(name)}: with a space after the dash`
}

/** Whether a text goes on with `: ` on its line, as if it were a key. */
export const hasColon = (text: string, offset: number) => /:(?:[ \t\r]|$)/.test(text.slice(offset, endOf(text, offset)))

/** The first line at or after an offset, where its indentation is that of nothing above it. */
export function misaligned(text: string, offset: number): Misplaced | undefined {
  const [first, end] = documentAt(text, offset)
  const [line] = linesOf(text, [lineStart(text, offset), end])
  const [start] = line?.starts ?? []
  if (!line || !start) return undefined
  const near = nearest(start, enclosing(linesOf(text, [first, line.offset]), start.isDash))
  if (near.length === 0) return undefined
  return {
    message: `the indentation of ${start.key ?? 'this line'} is that of nothing above it`,
    hint: likeIt(near),
    range: rangeOf(line, start),
  }
}

/** A line, from an offset on, of a text in quotes, which is indented no further than what the text belongs to. */
export function unindented(text: string, offset: number, quote: number): Misplaced | undefined {
  const [own] = linesOf(text, [lineStart(text, quote), endOf(text, quote)])
  const start = own?.starts.at(-1)
  if (!start) return undefined
  const most = start.key === undefined ? 'far enough' : `further than ${start.key}`
  return {
    message: `the text in quotes that begins above goes on in this line, which is not indented ${most}`,
    hint: `indent each further line of the text with ${plural(start.column + 2, 'space')}`,
    range: [offset, offset + text.slice(offset, endOf(text, offset)).trimEnd().length],
  }
}

/** What the lines above begin with, each further left than those below it. */
function enclosing(above: readonly Line[], isDash: boolean): Start[] {
  const found: Start[] = []
  for (const start of above.flatMap(({ starts }) => starts).reverse()) {
    const least = found.at(-1)?.column ?? Number.POSITIVE_INFINITY
    if (start.column < least && (isDash ? start.isDash : start.key !== undefined)) found.push(start)
  }
  return found
}

/** The starts with the least distance from another. */
function nearest({ column }: Start, starts: readonly Start[]): Start[] {
  const distance = (start: Start) => Math.abs(start.column - column)
  const least = starts.reduce((found, start) => Math.min(found, distance(start)), Number.POSITIVE_INFINITY)
  return starts.filter((start) => distance(start) === least)
}

const likeIt = (starts: readonly Start[]): string =>
  starts.map(({ column, key }) => `${spaces(column)}${key ? `, as ${key}` : ''}`).join(', or ')

const spaces = (count: number) => (count === 0 ? 'do not indent it' : `indent it with ${plural(count, 'space')}`)

const rangeOf = ({ offset }: Line, { column, key }: Start): Range => [
  offset + column,
  offset + column + (key?.length ?? 1),
]

const endOf = (text: string, offset: number) => {
  const end = text.indexOf('\n', offset)
  return end < 0 ? text.length : end
}

/** Lines with content in a range, which begins with a line. */
function linesOf(text: string, [from, to]: Range): Line[] {
  let offset = from
  return text
    .slice(from, to)
    .split('\n')
    .map((content) => {
      const line = { offset, starts: /^\s*(#|$)/.test(content) ? [] : startsOf(content) }
      offset += content.length + 1
      return line
    })
    .filter(({ starts }) => starts.length > 0)
}

function startsOf(line: string): Start[] {
  const starts: Start[] = []
  for (let column = line.search(/\S/); ; ) {
    const rest = line.slice(column)
    const dash = /^-[ \t]+(?=\S)/.exec(rest)
    const key = dash ? undefined : /^([^\s#'"[{][^#]*?):(\s|$)/.exec(rest)?.[1]
    starts.push({ key, column, isDash: rest.startsWith('-') })
    if (!dash) return starts
    column += dash[0].length
  }
}
