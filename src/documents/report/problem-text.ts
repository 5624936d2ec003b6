import type { Problem } from '../load/loaded.ts'
import { printableLine } from './printable.ts'

/** A problem without colours and without its line of the file: `a.yaml:3:1: error[type]: must be a text`, and its hint. */
export function problemText({ file, line, column, rule, severity, message, hint }: Problem): string {
  const place = line === undefined ? file : `${file}:${line}:${column}`
  const head = printableLine(`${place}: ${severity}[${rule}]: ${message}`)
  return hint === undefined ? head : `${head}\n  hint: ${printableLine(hint)}`
}
