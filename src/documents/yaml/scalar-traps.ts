import type { ParsedNode, Scalar } from 'yaml'
import { word } from '../../contract/schema/wording.ts'
import { type Finding, finding, type Range } from '../finding.ts'

/** The warning for a number that does not come out as it is written: `0012`, or more digits than a number keeps. */
export function lossyNumber(node: Scalar, value: number): Finding | undefined {
  const source = node.source ?? ''
  const leading = /^[-+]?0\d/.test(source)
  const long = /^[-+]?\d+$/.test(source) && !Number.isSafeInteger(value)
  if (!leading && !long) return undefined
  return finding('yaml-number', `${word(source)} is read as the number ${value}`, {
    severity: 'warning',
    hint: `write "${word(source)}" to keep it as it is`,
  })
}

/** A comment that stands where a key's value would. */
export interface MisplacedComment {
  readonly text: string
  readonly range: Range
}

/** The comment where a key's value would be: `#fff` of `colour: #fff`. A `# ` with a space is meant as one. */
export function commentAfter(key: ParsedNode, text: string): MisplacedComment | undefined {
  const from = key.range[1]
  const end = text.indexOf('\n', from)
  const found = /^(\s*:[ \t]+)(#[^\s#].*?)\s*$/.exec(text.slice(from, end < 0 ? text.length : end))
  const [, before = '', comment] = found ?? []
  if (comment === undefined) return undefined
  const start = from + before.length
  return { text: comment, range: [start, start + comment.length] }
}

/** How such a comment is reported. */
export const commentWords = ({ text, range }: MisplacedComment) => ({
  range,
  rule: 'yaml-comment',
  message: `${word(text)} is a comment, so there is no value here`,
  hint: `write "${word(text)}"`,
  ...(!/["\\]/.test(text) && { edit: { range, text: `"${text}"` } }),
})
