import { printableLine } from '../../contract/printable.ts'
import type { Problem } from '../load/loaded.ts'

/** Where a problem is: `a.yaml:3:1`, or a file as a whole. */
export const problemPlace = ({ file, line, column }: Problem): string =>
  line === undefined ? file : `${file}:${line}:${column}`

/** A problem without colours and without its line of the file: `a.yaml:3:1: error[type]: must be a text`, and its hint. */
export function problemText(problem: Problem): string {
  const { rule, severity, message, hint } = problem
  const head = printableLine(`${problemPlace(problem)}: ${severity}[${rule}]: ${message}`)
  return hint === undefined ? head : `${head}\n  hint: ${printableLine(hint)}`
}
