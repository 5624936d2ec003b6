import { isScalar, type ParsedNode, type Scalar } from 'yaml'
import type { Issue } from '../../contract/schema/issues.ts'
import { word } from '../../contract/schema/wording.ts'
import { type Finding, finding, type Range } from '../finding.ts'
import type { Found } from './locate.ts'

type Words = Pick<Finding, 'rule' | 'message' | 'hint' | 'range' | 'fix' | 'edit'>

/** An issue as the YAML mistake that causes it, where there is one. */
export function explain(issue: Issue, found: Found, text: string): Finding {
  if (!found.complete || !isScalar(found.node) || issue.part === 'key') return issue
  const words =
    commentTrap(found, text) ??
    booleanTrap(issue, found.node) ??
    quoteTrap(issue, found.node) ??
    commaTrap(issue, found.node) ??
    durationTrap(issue, found.node)
  return words ? { ...issue, ...words } : issue
}

const isPlain = (node: Scalar) => node.type === 'PLAIN'

/** `description: #1 in town`: the rest of the line is a comment. */
function commentTrap({ key, node }: Found, text: string): Words | undefined {
  const comment = key && commentInsteadOf(node, key, text)
  return comment ? commentWords(comment) : undefined
}

const booleans: Readonly<Record<string, boolean>> = { yes: true, on: true, y: true, no: false, off: false, n: false }

/** The boolean that a word other than true and false means to people. */
export const booleanMeant = (text: string): boolean | undefined => {
  const word = text.toLowerCase()
  return Object.hasOwn(booleans, word) ? booleans[word] : undefined
}

/** `unpublished: no`: YAML 1.2 reads `no` as a string. */
function booleanTrap({ wanted }: Issue, node: Scalar): Words | undefined {
  const word = typeof node.value === 'string' ? node.value.toLowerCase() : ''
  if (!wanted?.includes('boolean')) return undefined
  if (word === 'true' || word === 'false')
    return {
      rule: 'yaml-boolean',
      message: `must be true or false, not the string ${JSON.stringify(node.value)}`,
      hint: isPlain(node) ? `write ${word}` : `write ${word}, without quotes`,
      fix: { value: word === 'true' },
    }
  const meant = booleanMeant(word)
  if (meant === undefined) return undefined
  return {
    rule: 'yaml-boolean',
    message: `must be true or false: in YAML 1.2 ${String(node.value)} is a string`,
    hint: `write ${meant}`,
    fix: { value: meant },
  }
}

/** `serial: 0012` or `value: true` where the schema wants a string. */
function quoteTrap(issue: Issue, node: Scalar): Words | undefined {
  const { wanted } = issue
  const { value, source = '' } = node
  if (!wanted?.includes('string') || !isPlain(node) || source === '') return undefined
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
function commaTrap({ message, hint }: Issue, { value }: Scalar): Words | undefined {
  if (hint !== undefined || !/number/.test(message)) return undefined
  const [, whole, decimals] = /^(-?\d+),(\d+)$/.exec(String(value)) ?? []
  return decimals === undefined
    ? undefined
    : { rule: 'format', message, hint: `write a decimal point: "${whole}.${decimals}"` }
}

const milliseconds: Readonly<Record<string, number>> = { ms: 1, s: 1000, sec: 1000, m: 60_000, min: 60_000 }

/** `timeout: 5s`: a unit where milliseconds are meant. */
function durationTrap({ path, message }: Issue, { value }: Scalar): Words | undefined {
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?)\s*(ms|s|sec|m|min)$/.exec(String(value)) ?? []
  const factor = path.at(-1) === 'timeout' ? milliseconds[unit] : undefined
  if (count === undefined || factor === undefined) return undefined
  return { rule: 'format', message, hint: `write ${Math.round(Number(count) * factor)}: milliseconds` }
}

/** The digits of a decimal number that count: without its point, its exponent, and zeros around them. */
const digitsOf = (text: string): string =>
  text.replace(/e.*$/i, '').replaceAll(/[-+.]/g, '').replace(/^0+/, '').replace(/0+$/, '')

/** Digits that every number keeps. */
const keptDigits = 15

/** Whether a decimal number is rounded when it is read. */
const isRounded = (source: string, value: number): boolean =>
  source.length > keptDigits &&
  /^[-+]?[\d.]+(e[-+]?\d+)?$/i.test(source) &&
  digitsOf(source) !== digitsOf(String(value))

/** The warning for a number that is not read exactly as it is written: `0012`, or one with too many digits. */
export function lossyNumber(node: Scalar, value: number): Finding | undefined {
  const source = node.source ?? ''
  const leading = /^[-+]?0\d/.test(source)
  if (!leading && !isRounded(source, value)) return undefined
  return finding('yaml-number', `${word(source)} is read as the number ${value}`, {
    severity: 'warning',
    hint: source.includes('.')
      ? 'round it yourself: a number has 17 digits at most'
      : `write "${word(source)}" to keep it as it is`,
  })
}

/** A comment in the place of a key's value. */
interface MisplacedComment {
  readonly text: string
  readonly range: Range
}

/** The comment in the place of a key's value: `#fff` of `colour: #fff`. With a space, `# fff`, a comment is intended. */
export function commentInsteadOf(node: ParsedNode, key: ParsedNode, text: string): MisplacedComment | undefined {
  if (!isScalar(node) || node.source !== '' || node.value !== null) return undefined
  const from = key.range[1]
  const end = text.indexOf('\n', from)
  const found = /^(\s*:[ \t]+)(#[^\s#].*?)\s*$/.exec(text.slice(from, end < 0 ? text.length : end))
  const [, before = '', comment] = found ?? []
  if (comment === undefined) return undefined
  const start = from + before.length
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
