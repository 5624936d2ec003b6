import { type Finding, finding } from '../finding.ts'
import { jsonOffence } from './json-scan.ts'

/** What makes a text no JSON, at its place; undefined where it is JSON. */
export function jsonFinding(text: string): Finding | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch {
    return described(text, jsonOffence(text))
  }
}

function described(text: string, offset: number): Finding {
  const hint = hintAt(text, offset)
  const [found] = text.slice(offset, offset + 2)
  return finding(
    'json-syntax',
    found ? `not JSON: ${JSON.stringify(found)} is not expected here` : 'the JSON ends too early',
    {
      range: [offset, offset + (found?.length ?? 0)],
      ...(hint !== undefined && { hint }),
    },
  )
}

function hintAt(text: string, offset: number): string | undefined {
  const found = text.charAt(offset)
  const before = text.slice(Math.max(0, offset - 200), offset).trimEnd()
  if (/[\]}]/.test(found) && before.endsWith(',')) return 'remove the comma after the last entry'
  if (/['/#]/.test(found)) return 'JSON has no comments, and only double quotes'
  return undefined
}
