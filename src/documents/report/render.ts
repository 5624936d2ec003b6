import { plural } from '../../contract/schema/wording.ts'
import type { Format } from '../../contract/values.ts'
import type { Problem } from '../load/loaded.ts'
import { isError } from '../load/problems.ts'
import type { Checkout } from './from-root.ts'
import { renderGithub } from './github.ts'
import { renderGitlab } from './gitlab.ts'
import { renderJson } from './json.ts'
import { renderMarkdown } from './markdown.ts'
import { renderSarif } from './sarif.ts'
import { renderText } from './text.ts'

/** Functions that colour a text: a chalk instance, or `plain`. */
export type Paint = Readonly<Record<'red' | 'yellow' | 'cyan' | 'bold', (text: string) => string>>
const same = (text: string) => text
/** No colours. */
export const plain: Paint = { red: same, yellow: same, cyan: same, bold: same }

export interface RenderOptions extends Checkout {
  readonly paint: Paint
  /** Columns of the terminal. */
  readonly width: number
  /** Text of each file, for the lines around a place. */
  readonly sources: ReadonlyMap<string, string>
  /** The version of vatom, and the exit code that the run will have. */
  readonly version?: string
  readonly exitCode?: number
}

const renderers: Readonly<Record<Format, (problems: readonly Problem[], options: RenderOptions) => string>> = {
  text: renderText,
  json: renderJson,
  github: renderGithub,
  gitlab: renderGitlab,
  sarif: renderSarif,
  markdown: renderMarkdown,
}

/** Problems in a format. Without problems it is an empty text, in `json`, `gitlab` and `sarif` an empty report. */
export const render = (format: Format, problems: readonly Problem[], options: RenderOptions): string =>
  renderers[format](problems, options)

/** `3 errors, 1 warning in 2 files`. */
export function summary(problems: readonly Problem[]): string {
  const errors = problems.filter(isError).length
  const files = new Set(problems.map(({ file }) => file)).size
  const warnings = problems.length - errors
  const counts = [errors > 0 && plural(errors, 'error'), warnings > 0 && plural(warnings, 'warning')].filter(Boolean)
  const fixed = problems.filter(({ edit }) => edit !== undefined).length
  const fix = fixed > 0 ? `; with --fix, vatom validate corrects ${fixed}` : ''
  return counts.length ? `${counts.join(', ')} in ${plural(files, 'file')}${fix}` : 'no problems'
}
