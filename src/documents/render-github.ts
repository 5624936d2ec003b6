import { printable } from './printable.ts'
import type { Problem } from './types.ts'

/** Problems as annotations of a GitHub workflow, errors first: it shows only the first ten. */
export const renderGithub = (problems: readonly Problem[]): string =>
  [...problems]
    .sort((a, b) => rank(a) - rank(b))
    .map((problem) => `${annotation(problem)}\n`)
    .join('')

const rank = ({ severity }: Problem) => (severity === 'error' ? 0 : 1)

function annotation({ file, line, column, endLine, endColumn, rule, severity, message, hint }: Problem): string {
  const oneLine = line === endLine
  const properties = {
    file: file === '<stdin>' ? undefined : file,
    line,
    endLine: oneLine ? undefined : endLine,
    col: oneLine ? column : undefined,
    endColumn: oneLine ? endColumn : undefined,
    title: rule,
  }
  const written = Object.entries(properties).flatMap(([key, value]) =>
    value === undefined ? [] : `${key}=${property(printable(String(value)))}`,
  )
  return `::${severity} ${written.join(',')}::${data(printable(hint ? `${message}\n${hint}` : message))}`
}

const data = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
