import type { Issue } from '../../contract/schema/issues.ts'
import { isObject } from '../../contract/schema/path.ts'
import { isRounded } from '../../contract/schema/rounded.ts'
import { shortened, word } from '../../contract/schema/wording.ts'
import { reactorMeant } from '../../contract/values.ts'
import { type Finding, finding, type Range } from '../finding.ts'
import { dashHint } from './indentation.ts'
import type { Found, Place } from './places.ts'

type Words = Pick<Finding, 'rule' | 'message' | 'hint' | 'range' | 'fix' | 'edit'>

/** A value and its places. */
interface FoundValue extends Found {
  readonly value: unknown
}

/** An issue as the YAML mistake that causes it, where there is one. */
export function explain(issue: Issue, found: FoundValue, text: string): Finding {
  const { place, value, complete } = found
  if (issue.path.length === 0 && Array.isArray(value) && isBracket.test(text)) return { ...issue, hint: ownFiles }
  if (place.form === 'map' && issue.wanted?.includes('array')) return withHint(issue, dashTrap(value))
  if (!complete || !isScalarAt(place) || issue.part === 'key') return issue
  const isPlain = place.form === 'PLAIN'
  const words =
    commentTrap(found, text) ??
    booleanTrap(issue, value, isPlain) ??
    (isPlain ? quoteTrap(issue, value, text.slice(...place.range)) : undefined) ??
    commaTrap(issue, value) ??
    reactorTrap(issue, value) ??
    durationTrap(issue, value)
  return words ? { ...issue, ...words } : issue
}

/** A list as JSON has it, in which no line parts documents. */
const isBracket = /^\s*\[/
const ownFiles = 'write each document into a file of its own, without the brackets of the list'

const withHint = (issue: Issue, hint = issue.hint): Issue => (hint === undefined ? issue : { ...issue, hint })

/** `-name: Activated` in the place of an item. */
const dashTrap = (value: unknown): string | undefined => (isObject(value) ? dashHint(Object.keys(value)[0]) : undefined)

const isScalarAt = ({ form }: Place) => form !== 'map' && form !== 'seq' && form !== 'alias'

/** `description: #1 in town`: the rest of the line is a comment. */
function commentTrap({ key, place, value }: FoundValue, text: string): Words | undefined {
  const comment = key && value === null ? commentInsteadOf(place, key, text) : undefined
  return comment ? commentWords(comment) : undefined
}

const booleans: Readonly<Record<string, boolean>> = { yes: true, on: true, y: true, no: false, off: false, n: false }

/** The boolean that a word other than true and false means to people. */
export const booleanMeant = (text: string): boolean | undefined => {
  const word = text.toLowerCase()
  return Object.hasOwn(booleans, word) ? booleans[word] : undefined
}

/** The word that a boolean may be meant by, also in wide letters: `ｔｒｕｅ`. */
const booleanWord = (value: unknown): string =>
  typeof value === 'string' && value.length <= 'false'.length ? value.normalize('NFKC').toLowerCase() : ''

/** `unpublished: no`: YAML 1.2 reads `no` as a string. */
function booleanTrap({ wanted }: Issue, value: unknown, isPlain: boolean): Words | undefined {
  if (!wanted?.includes('boolean')) return undefined
  const word = booleanWord(value)
  if (word === 'true' || word === 'false')
    return {
      rule: 'yaml-boolean',
      message: `must be true or false, not the string ${JSON.stringify(value)}`,
      hint: isPlain ? `write ${word}` : `write ${word}, without quotes`,
      fix: { value: word === 'true' },
    }
  const meant = booleanMeant(word)
  if (meant === undefined) return undefined
  return {
    rule: 'yaml-boolean',
    message: isPlain
      ? `must be true or false: in YAML 1.2 ${String(value)} is a string`
      : `must be true or false, not the string ${JSON.stringify(value)}`,
    hint: isPlain ? `write ${meant}` : `write ${meant}, without quotes`,
    fix: { value: meant },
  }
}

/** `serial: 0012` or `value: true` where the schema wants a string. */
function quoteTrap(issue: Issue, value: unknown, source: string): Words | undefined {
  const { wanted } = issue
  if (!wanted?.includes('string') || source === '') return undefined
  if (typeof value === 'boolean')
    return {
      rule: 'yaml-quotes',
      message: `must be a string: ${source} without quotes is a boolean`,
      hint: `write "${source}"`,
      fix: { value: source },
    }
  if (typeof value !== 'number') return undefined
  const text = issue.rule === 'range' ? wholeText(source, value) : source
  if (text === undefined) return undefined
  return {
    rule: 'yaml-number',
    message: `must be a string: ${word(source)} without quotes is the number ${value}`,
    hint: `write "${word(text)}"`,
    fix: { value: text },
  }
}

/** A whole number in digits alone, also one that is written `1e20`; undefined for one that no uint holds. Spec 2.3. */
function wholeText(source: string, value: number): string | undefined {
  if (value >= 2 ** 256) return undefined
  return /^\d+$/.test(source) ? source : BigInt(value).toString()
}

/** `price: 3,50`: a decimal comma. */
function commaTrap({ message, hint }: Issue, value: unknown): Words | undefined {
  if (hint !== undefined || !/number/.test(message)) return undefined
  const [, whole, decimals] = /^(-?\d+),(\d+)$/.exec(String(value)) ?? []
  return decimals === undefined ? undefined : { rule: 'format', message, hint: withoutComma(whole, decimals, '"') }
}

/** What to write for a number with a comma: three digits behind it may be those of thousands. */
export function withoutComma(whole = '', decimals = '', quote = ''): string {
  const point = `write a decimal point: ${quote}${whole}.${decimals}${quote}`
  const isThousands = decimals.length === 3 && /^-?[1-9]\d{0,2}$/.test(whole)
  return isThousands ? `for thousands write ${whole}${decimals}; else ${point}` : point
}

/** `reactor: v1/Transfer`: a reactor of the platform without its scheme. */
function reactorTrap({ path, rule, message }: Issue, value: unknown): Words | undefined {
  const meant = path.at(-1) === 'reactor' && rule === 'format' ? reactorMeant(String(value)) : undefined
  return meant === undefined ? undefined : { rule, message, fix: { value: meant } }
}

const milliseconds: Readonly<Record<string, number>> = { ms: 1, s: 1000, sec: 1000, m: 60_000, min: 60_000 }

/** `timeout: 5s`: a unit where milliseconds are meant. */
function durationTrap({ path, message }: Issue, value: unknown): Words | undefined {
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?)\s*(ms|s|sec|m|min)$/.exec(String(value)) ?? []
  const factor = path.at(-1) === 'timeout' ? milliseconds[unit] : undefined
  if (count === undefined || factor === undefined) return undefined
  return { rule: 'format', message, hint: `write ${Math.round(Number(count) * factor)}: milliseconds` }
}

/** The warning for a number that is not read exactly as it is written: `0012`, or one with too many digits. */
export function lossyNumber(source: string, value: number): Finding | undefined {
  const leading = /^[-+]?0\d/.test(source)
  if (!leading && !isRounded(source, value)) return undefined
  return finding('yaml-number', `${word(source)} is read as the number ${value}`, {
    severity: 'warning',
    hint: source.includes('.')
      ? 'round it yourself: a number has 17 digits at most'
      : `write "${word(source)}" to keep it as it is`,
  })
}

/** A whole text in curly quotes, double or single ones, and no other such quote in it. */
const inCurlyQuotes =
  /^(?:[\u201c-\u201f][^\u201c-\u201f]*[\u201c\u201d\u201f]|[\u2018-\u201b][^\u2018-\u201b]*[\u2018\u2019\u201b])$/

/** The warning for a text in curly quotes, as editors put them in the place of plain ones: `title: “Free tea”`. */
export function curlyQuotes(text: string): Finding | undefined {
  if (!inCurlyQuotes.test(text)) return undefined
  const meant = JSON.stringify(shortened(text.slice(1, -1)))
  return finding('yaml-curly', 'curly quotes are none for YAML: they are part of the text', {
    severity: 'warning',
    hint: `write ${meant}; if the quotes are meant, put the text with them in plain ones`,
  })
}

/** A comment right behind a text, which begins with a letter or digit; `#vatom-ignore` is no text of a publisher. */
const closeComment = /[ \t]+(#(?!vatom-ignore)[\p{L}\p{N}].*)/uy

/** The warning for a plain text that ends because of a `#`, at an offset, where perhaps none was meant: `title: Pint #7`. */
export function cutText(value: string, end: number, text: string): Finding | undefined {
  closeComment.lastIndex = end
  const [behind = '', comment] = closeComment.exec(text) ?? []
  if (comment === undefined) return undefined
  const shown = comment.trimEnd()
  const start = end + behind.length - comment.length
  return finding('yaml-comment', `the text ends before ${word(shown)}, which is a comment`, {
    severity: 'warning',
    range: [start, start + shown.length],
    hint: `write ${JSON.stringify(shortened((value + behind).trimEnd()))}; if a comment is meant, write a space after its #`,
  })
}

/** Whether a number may be meant as a text, which it is not again: a plus, zeros behind the point, hexadecimal digits, `12e4`. */
export const isPerhapsText = (source: string, value: number): boolean =>
  /^\+|^0[xo]|\.\d*0$/.test(source) || (/e/i.test(source) && !String(value).includes('e'))

interface Ranged {
  readonly range: readonly [start: number, end: number, ...rest: number[]]
}

/** A comment in the place of a key's value. */
interface MisplacedComment {
  readonly text: string
  readonly range: Range
}

/** The comment in the place of a key's value, which is null: `#fff` of `colour: #fff`. With a space, `# fff`, a comment is intended. */
export function commentInsteadOf(value: Ranged, key: Ranged, text: string): MisplacedComment | undefined {
  if (value.range[0] < value.range[1]) return undefined
  // It begins at the key, and looks for no end of the line: that may be long, and have very many keys.
  const place = /([^\S\n]*:[ \t]+)(#[^\s#][^\n]*)/y
  place.lastIndex = key.range[1]
  const [, before = '', written] = place.exec(text) ?? []
  if (written === undefined) return undefined
  const comment = written.trimEnd()
  const start = key.range[1] + before.length
  return { text: comment, range: [start, start + comment.length] }
}

/** The report of such a comment. */
export const commentWords = ({ text, range }: MisplacedComment) => ({
  range,
  rule: 'yaml-comment',
  message: `${word(text)} is a comment, so there is no value here`,
  hint: `write "${word(text)}"`,
  ...(!/["\\]/.test(text) && { edit: { range, text: `"${text}"` } }),
})
