import type { YAMLError } from 'yaml'
import { type Finding, finding } from '../finding.ts'

interface Words {
  readonly rule: string
  readonly message: string
  readonly hint?: string
  /** The correction, where it is certain. */
  readonly text?: string
}
type Code = YAMLError['code']

const words: Partial<Record<Code, (text: string) => Words>> = {
  TAB_AS_INDENT: () => ({ rule: 'yaml-tab', message: 'a tab cannot indent YAML', hint: 'indent with spaces' }),
  BAD_ALIAS: (text) =>
    text === '*'
      ? { rule: 'yaml-alias', message: 'a bare * is an alias in YAML, not a text', hint: 'write "*"', text: '"*"' }
      : { rule: 'yaml-alias', message: 'not an alias that YAML knows', hint: 'a text that begins with * needs quotes' },
  BAD_SCALAR_START: (text) => ({
    rule: 'yaml-quotes',
    message: `a text that begins with ${text} needs quotes`,
    hint: `write "${text}…"`,
  }),
  BLOCK_AS_IMPLICIT_KEY: () => ({
    rule: 'yaml-syntax',
    message: 'another field begins inside this value',
    hint: 'a text that holds ": " needs quotes; nested fields go below a key that has no value of its own',
  }),
  MULTILINE_IMPLICIT_KEY: () => ({
    rule: 'yaml-syntax',
    message: 'this is not a field: a key must be followed by ": " on its own line',
    hint: 'is a colon missing, or the indentation wrong?',
  }),
  TAG_RESOLVE_FAILED: () => ({
    rule: 'yaml-tag',
    message: 'the value does not fit its tag',
    hint: 'leave the tag out',
  }),
}
const broken: ReadonlySet<Code> = new Set(['BAD_ALIAS', 'BAD_SCALAR_START', 'TAG_RESOLVE_FAILED'])

/** Whether an error leaves the structure of the document intact, so that the rest can be checked. */
export const isLocal = (error: YAMLError) => broken.has(error.code)

/** An error of the parser in words that a publisher understands. */
export function syntaxFinding(text: string, { code, message, pos }: YAMLError): Finding {
  const [start, end] = pos
  const found = words[code]?.(text.slice(start, end).trim()) ?? plain(message)
  return finding(found.rule, found.message, {
    range: [start, end],
    ...(found.hint !== undefined && { hint: found.hint }),
    ...(found.text !== undefined && { edit: { range: [start, start + 1], text: found.text } }),
  })
}

function plain(message: string): Words {
  if (/missing closing .quote/i.test(message))
    return { rule: 'yaml-syntax', message: 'a quote is opened and never closed' }
  if (/^flow (map|sequence)|^expected flow/i.test(message))
    return { rule: 'yaml-syntax', message: 'a [ or { above this is not closed', hint: 'add the closing bracket' }
  const [first = ''] = message.split('\n')
  const short = first.length > 160 ? `${first.slice(0, 160)}…` : first
  return { rule: 'yaml-syntax', message: short.charAt(0).toLowerCase() + short.slice(1) }
}
