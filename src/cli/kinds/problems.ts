import { Option } from 'commander'
import { type Format, formats } from '../../contract/values.ts'
import type { Loaded } from '../../documents/load/loaded.ts'
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

type Found = Pick<Loaded, 'problems' | 'sources'>

/** Problems as lines for stderr, as a compiler shows them. */
export async function problemLines({ problems, sources }: Found, { notePaint, noteColumns }: Output): Promise<Line[]> {
  if (problems.length === 0) return []
  const { render, summary } = await import('../../documents/report/render.ts')
  const text = render('text', problems, { paint: plainPaint(notePaint), width: noteColumns, sources })
  const errors = problems.some(({ severity }) => severity === 'error')
  return [...ready(text), '', ...(errors ? [] : [summary(problems)])]
}

/** Prints problems and the exit code in a format for other programs. */
export async function printReport(
  { problems, sources, exitCode }: Found & { readonly exitCode: number },
  format: Format,
  output: Output,
): Promise<void> {
  const { render } = await import('../../documents/report/render.ts')
  const { paint, columns: width, folder } = output
  const text = render(format, problems, { paint: plainPaint(paint), width, sources, folder, version, exitCode })
  output.result(null, () => ready(text))
}

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
