import type { Fix } from '../../contract/schema/issues.ts'
import { publisherPlaceholder } from '../../contract/values.ts'
import type { Range } from '../finding.ts'
import type { Found, Place } from '../yaml/places.ts'
import { lineText } from './yaml-text.ts'

/** One text that changes, at its place in a file. */
export interface Change {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly before: string
  readonly after: string
}
/** Text that replaces a range. */
export interface Edit {
  readonly range: Range
  readonly text: string
}

/** The edit of a correction; none where the text is used by other places, too, or has several lines. */
export function editOf(fix: Fix | undefined, { place, key, complete, shared }: Found, text: string): Edit | undefined {
  const target = fix && 'key' in fix ? key : place
  if (fix === undefined || !complete || shared || !target || !isSimple(target, text)) return undefined
  return {
    range: target.range,
    text: written('key' in fix ? fix.key : fix.value, target.form, text.slice(...target.range)),
  }
}

/** Whether a scalar stands in one line, without a tag or an anchor, and is no block. */
export const isSimple = ({ range: [start, end], form, isBare }: Place, text: string) =>
  isBare &&
  (form === 'PLAIN' || form === 'QUOTE_DOUBLE' || form === 'QUOTE_SINGLE') &&
  start < end &&
  !text.slice(start, end).includes('\n')

/** A value as it is written for another: with the same quotes, and with `$publisher` where the other has it. */
function written(value: string | number | boolean, form: Place['form'], old: string): string {
  if (typeof value !== 'string') return String(value)
  const placeheld = old.replace(/^["']/, '').startsWith(`${publisherPlaceholder}::`)
  const text = placeheld ? value.replace(/^[^:]*/, () => publisherPlaceholder) : value
  if (form === 'QUOTE_SINGLE') return `'${text.replaceAll("'", "''")}'`
  return form === 'PLAIN' ? lineText(text) : JSON.stringify(text)
}

/** A text with all edits; of two that overlap only the first is applied. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const inOrder = [...edits].sort((a, b) => a.range[0] - b.range[0])
  let result = ''
  let from = 0
  for (const { range, text: fresh } of inOrder) {
    if (range[0] < from) continue
    result += text.slice(from, range[0]) + fresh
    from = range[1]
  }
  return result + text.slice(from)
}
