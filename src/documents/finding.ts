import type { Issue } from '../contract/schema/issues.ts'
import { printPath } from '../contract/schema/path.ts'
import { tokenHint, withoutTokens } from '../contract/tokens.ts'
import type { Edit } from './edit/edit.ts'
import type { Problem } from './load/loaded.ts'
import type { Source } from './yaml/source.ts'

/** Offsets in a text; `end` is exclusive. */
export type Range = readonly [start: number, end: number]

/** Something wrong at a range of a text, or with the whole file. */
export interface Finding extends Issue {
  readonly range?: Range
  /** The correction, where it is certain. */
  readonly edit?: Edit
  /** Another place that the message refers to. */
  readonly other?: { readonly range: Range; readonly says: string }
}

/** An error of a text. */
export const finding = (rule: string, message: string, rest: Partial<Finding> = {}): Finding => ({
  path: [],
  severity: 'error',
  ...rest,
  rule,
  message,
})

/** A finding as a problem, with lines and columns. */
export function problemOf(source: Pick<Source, 'file' | 'span'>, found: Finding): Problem {
  const { path, rule, severity, hint, spec, range, other, edit, names } = found
  const message = other ? `${found.message}; ${other.says} ${placeOf(source, other.range)}` : found.message
  return {
    file: source.file,
    ...(range && source.span(...range)),
    rule,
    severity,
    path: printPath(path),
    message,
    ...(hint && { hint }),
    ...(spec && { spec }),
    ...(edit && { edit }),
    ...(names && { names }),
  }
}

/** A place as messages name it: `coffee.yaml:3:1`. */
export function placeOf(source: Pick<Source, 'file' | 'span'>, range: Range): string {
  const { line, column } = source.span(...range)
  return `${source.file}:${line}:${column}`
}

/** A problem of an input that could not be read: what was given for its name may be a token. */
export function inputProblem(file: string, rule: string, message: string, given?: string): Problem {
  const shown = withoutTokens(file)
  const hint = shown === file ? given : tokenHint
  return { file: shown, rule, severity: 'error', path: '', message, ...(hint && { hint }) }
}
