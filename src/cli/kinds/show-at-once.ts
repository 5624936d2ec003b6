import type { Format } from '../../contract/values.ts'
import type { Output } from '../io/output.ts'
import { formatOf } from './problems.ts'
import { isToPrint, type Row, textOf } from './results.ts'

/** Shows what was done, if it was; `line` is what it shows instead of the text of the row. Returns the row. */
export type Show = (row: Row, line?: string) => Row

/**
 * Shows each thing as soon as it is done, so that the log of a run that is killed names it: with text as output there, else
 * as a note. What a reader of the output would keep waiting is left to the end.
 */
export const showAtOnce =
  (format: Format, output: Output): Show =>
  (row, line = textOf(row)) => {
    if (!isToPrint(row)) return row
    if (formatOf(format, output) === 'text') return { ...row, shown: output.offer(line) }
    output.note(line)
    return { ...row, shown: true }
  }
