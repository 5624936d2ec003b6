import type { Problem } from '../load/loaded.ts'

/** A problem without colours and without its line of the file: `a.yaml:3:1: error[type]: must be a text`, and its hint. */
export function problemText({ file, line, column, rule, severity, message, hint }: Problem): string {
  const place = line === undefined ? file : `${file}:${line}:${column}`
  return `${place}: ${severity}[${rule}]: ${message}${hint === undefined ? '' : `\n  hint: ${hint}`}`
}
