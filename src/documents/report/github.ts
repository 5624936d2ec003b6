import { printable } from '../../contract/printable.ts'
import type { Severity } from '../../contract/schema/issues.ts'
import { plural } from '../../contract/schema/wording.ts'
import type { Problem } from '../load/loaded.ts'
import { type Checkout, fromRoot, isNoFile } from './from-root.ts'
import { withoutAnyCommand } from './log-commands.ts'
import type { RenderOptions } from './render.ts'

/** Annotations that GitHub shows for one step and severity. */
const maxAnnotations = 10
/** Characters that GitHub shows of an annotation. */
const maxAnnotation = 4000

/** Problems as annotations of a GitHub workflow: the errors, the warnings, and the number of those that GitHub would not show. */
export function renderGithub(problems: readonly Problem[], options: RenderOptions): string {
  const annotated = severities.flatMap((severity) => ofSeverity(problems, severity).slice(0, maxAnnotations))
  return [...annotated.map((problem) => annotation(problem, options)), ...leftOut(problems)]
    .map((line) => `${line}\n`)
    .join('')
}

const severities: readonly Severity[] = ['error', 'warning']
const ofSeverity = (problems: readonly Problem[], wanted: Severity) =>
  problems.filter(({ severity }) => severity === wanted)

function annotation(problem: Problem, checkout: Checkout): string {
  const { file, line, column, endLine, endColumn, rule, severity, message, hint } = problem
  const oneLine = line === endLine
  const properties = {
    file: isNoFile(file) ? undefined : fromRoot(checkout, file),
    line,
    endLine: oneLine ? undefined : endLine,
    col: oneLine ? column : undefined,
    endColumn: oneLine ? endColumn : undefined,
    title: rule,
  }
  const written = Object.entries(properties).flatMap(([key, value]) =>
    value === undefined ? [] : `${key}=${withoutAnyCommand(property(printable(String(value))))}`,
  )
  return `::${severity} ${written.join(',')}::${shown(hint ? `${message}\n${hint}` : message)}`
}

/** An annotation of what is neither an error nor a warning. */
export const notice = (title: string, text: string): string => `::notice title=${title}::${shown(text)}`

/** A notice that counts what GitHub leaves out silently. */
function leftOut(problems: readonly Problem[]): string[] {
  const more = severities.flatMap((severity) => {
    const count = ofSeverity(problems, severity).length - maxAnnotations
    return count > 0 ? [plural(count, `more ${severity}`)] : []
  })
  if (more.length === 0) return []
  const why = `GitHub shows ${maxAnnotations} of each in a step; see its log`
  return [notice('vatom', `${more.join(' and ')}: ${why}`)]
}

/** A text as an annotation holds it: the log shows it again. */
const shown = (text: string) => withoutAnyCommand(data(printable(bounded(text))))

const bounded = (text: string) =>
  text.length <= maxAnnotation ? text : `${text.slice(0, maxAnnotation - 1).replace(/[\ud800-\udbff]$/, '')}…`

const data = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
