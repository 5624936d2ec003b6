import { printableLine } from '../../contract/printable.ts'
import type { Problem } from '../load/loaded.ts'

/** Where a problem is: `a.yaml:3:1`, or a file as a whole. */
export const problemPlace = ({ file, line, column }: Problem): string =>
  line === undefined ? file : `${file}:${line}:${column}`

/** A problem in one line, without colours and without its line of the file: `a.yaml:3:1: error[type]: must be a text`. */
export const problemHead = (problem: Problem): string =>
  printableLine(`${problemPlace(problem)}: ${problem.severity}[${problem.rule}]: ${problem.message}`)

/** The same, and its hint. */
export const problemText = (problem: Problem): string =>
  problem.hint === undefined ? problemHead(problem) : `${problemHead(problem)}\n  hint: ${printableLine(problem.hint)}`
