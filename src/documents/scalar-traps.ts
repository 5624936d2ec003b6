import type { ParsedNode, Scalar } from 'yaml'
import { type Finding, finding } from './finding.ts'

/** The warning for a number that does not come out as it is written: `0012`, or more digits than a number keeps. */
export function lossyNumber(node: Scalar, value: number): Finding | undefined {
  const source = node.source ?? ''
  const leading = /^[-+]?0\d/.test(source)
  const long = /^[-+]?\d+$/.test(source) && !Number.isSafeInteger(value)
  if (!leading && !long) return undefined
  return finding('yaml-number', `${source} is read as the number ${value}`, {
    severity: 'warning',
    hint: `write "${source}" to keep it as it is`,
  })
}

/** The comment that stands where a key's value would: `#fff` of `colour: #fff`. A `# ` with a space is meant as one. */
export function commentAfter(key: ParsedNode, text: string): string | undefined {
  const end = text.indexOf('\n', key.range[1])
  const rest = text.slice(key.range[1], end < 0 ? text.length : end)
  return /^\s*:[ \t]+(#[^\s#].*?)\s*$/.exec(rest)?.[1]
}
