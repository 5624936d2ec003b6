import { Option } from 'commander'
import { type Format, formats } from '../../contract/values.ts'
import type { Loaded, Problem } from '../../documents/load/loaded.ts'
import type { Failure } from '../failure/failure.ts'
import { numberFrom } from '../io/option-values.ts'
import type { Output } from '../io/output.ts'
import type { Paint } from '../io/paint.ts'
import { type Line, Styled } from '../io/text.ts'
import { version } from '../version.ts'

export interface FormatOption {
  readonly format: Format
  /** How many warnings documents may have. */
  readonly maxWarnings?: number | undefined
}

export const formatOption = (): Option =>
  new Option('--format <format>', 'how to print problems').choices(formats).default('text')

export const maxWarningsOption = (): Option =>
  new Option('--max-warnings <n>', 'fail if there are more warnings').argParser(numberFrom(0, 1_000_000))

/** The format in force: --json overrides --format. */
export const formatOf = (format: Format, { json }: Pick<Output, 'json'>): Format => (json ? 'json' : format)

/** Whether more can be printed beside a report in a format: people read it, and no program that reads one document. */
export const takesMore = (format: Format, output: Pick<Output, 'json'>): boolean =>
  ['github', 'markdown'].includes(formatOf(format, output))

type Found = Pick<Loaded, 'problems' | 'sources'>

/** Problems as lines for stderr, as a compiler shows them. */
export async function problemLines({ problems, sources }: Found, { notePaint, noteColumns }: Output): Promise<Line[]> {
  if (problems.length === 0) return []
  const { render, summary } = await import('../../documents/report/render.ts')
  const text = render('text', problems, { paint: plainPaint(notePaint), width: noteColumns, sources })
  const errors = problems.some(({ severity }) => severity === 'error')
  return [...ready(text), '', ...(errors ? [] : [summary(problems)])]
}

interface Reporting extends Found {
  readonly exitCode: number
  /** Why the command fails as a whole, if it does. */
  readonly failure?: Failure | undefined
}

/**
 * Prints problems and the exit code in a format for other programs. A failure that no error among them says is a problem,
 * too: a step would fail without a reason.
 */
export async function printReport(
  { problems, sources, exitCode, failure }: Reporting,
  format: Format,
  output: Output,
): Promise<void> {
  const { render } = await import('../../documents/report/render.ts')
  const { paint, columns: width, checkout } = output
  const isSaid = failure === undefined || problems.some(({ severity }) => severity === 'error')
  const all = isSaid ? problems : [...problems, wholeProblem(failure, output)]
  const text = render(format, all, { paint: plainPaint(paint), width, sources, ...checkout, version, exitCode })
  // Workflow commands are meant as such, and nothing else is.
  if (format === 'github') output.raw(text)
  else output.result(null, () => ready(text))
}

/** Prints why a command failed as a whole, in a format for other programs: an empty file would be no report. */
export async function printFailure(failure: Failure, format: Format, output: Output): Promise<void> {
  const wanted = formatOf(format, output)
  if (wanted === 'text' || wanted === 'json') return
  await printReport({ problems: [], sources: new Map(), exitCode: failure.exitCode, failure }, wanted, output)
}

/** A failure of a command as a problem of no file. */
const wholeProblem = ({ code, message, hint }: Failure, output: Output): Problem => ({
  file: '<vatom>',
  rule: code,
  severity: 'error',
  path: '',
  message,
  ...(hint !== undefined && { hint: output.hint(hint) }),
})

/** Prints lines as a block of Markdown. */
export async function printFenced(lines: readonly string[], output: Output): Promise<void> {
  if (lines.length === 0) return
  const { fenced } = await import('../../documents/report/markdown.ts')
  output.result(null, () => fenced(lines, 'text'))
}

/** The renderers escape what they show; their lines are ready to print. */
const ready = (text: string) =>
  text === ''
    ? []
    : text
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => new Styled(line))

const plainPaint = (paint: Paint) => {
  const as = (style: keyof Paint) => (text: string) => paint[style](new Styled(text)).text
  return { red: as('red'), yellow: as('yellow'), cyan: as('cyan'), bold: as('bold') }
}
