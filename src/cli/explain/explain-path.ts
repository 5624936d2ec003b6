import type { Bounds, Explained, FieldSummary } from '../../contract/derived/explain.ts'
import type { Context } from '../context.ts'
import { exit, Failure, usage } from '../failure/failure.ts'
import type { Output } from '../io/output.ts'
import { defined, type Line, shellWord, styled, wrapped } from '../io/text.ts'

export interface ExplainOptions {
  readonly rules?: boolean
  readonly codes?: boolean
}

/** What is listed in place of one thing that is explained. */
const lists = [
  {
    name: 'rules',
    show: async (context: Context) => (await import('./explain-rules.ts')).explainRules(context),
  },
  {
    name: 'codes',
    show: async (context: Context) => (await import('./explain-codes.ts')).explainCodes(context),
  },
] as const

/** Prints what a field is, a rule, an error, a warning of the service, or a standard action, or all kinds and their fields, all rules, or all codes of errors. */
export async function explainPath(path: string | undefined, options: ExplainOptions, context: Context): Promise<void> {
  const { output } = context
  const [list, other] = lists.filter(({ name }) => options[name])
  if (list && other) throw usage(`--${list.name} and --${other.name} are two lists`, 'choose one of them')
  if (list && path !== undefined)
    throw usage(`--${list.name} takes no field`, `give a field or --${list.name}, not both`)
  if (list) return list.show(context)
  const { explain, explainAll } = await import('../../contract/derived/explain.ts')
  if (path === undefined) {
    const all = explainAll()
    return output.listing(all, () => all.flatMap((kind, index) => [...(index ? [''] : []), ...kindLines(kind, output)]))
  }
  const found = explain(path)
  if ('message' in found) {
    const { explainRule, nearRule } = await import('./explain-rules.ts')
    if (await explainRule(path, context)) return
    if (await (await import('./explain-errors.ts')).explainError(path, context)) return
    if (await (await import('./explain-failures.ts')).explainFailure(path, context)) return
    if (await (await import('./explain-warnings.ts')).explainWarning(path, context)) return
    if (await (await import('./explain-actions.ts')).explainAction(path, context)) return
    if (found.paths) throw severalFields(found.message, found.paths)
    const { nearCode } = await import('./explain-codes.ts')
    throw usage(found.message, nearRule(path) ?? nearCode(path) ?? found.hint)
  }
  const { isNamePattern } = await import('../../contract/schema/scalars.ts')
  await output.listing(found, () => explainedLines(found, isNamePattern, output))
}

/** Names the commands that explain each of several fields. */
const severalFields = (message: string, paths: readonly string[]) =>
  new Failure('usage', exit.usage, message, {
    issues: paths.map((path) => ({ path: '', message: `vatom explain ${shellWord(path)}` })),
    hint: 'run one of these commands',
  })

/** A kind and the names of its fields. */
function kindLines({ path, description, fields }: Explained, output: Output): Line[] {
  const names = fields.map(({ name, required }) => (required ? `${name} (required)` : name)).join(', ')
  const text = [description ?? '', names].flatMap((text) => wrapped(text, output.columns - 2))
  return [styled`${output.paint.bold(path)}`, ...text.map((line) => `  ${line}`)]
}

function explainedLines(found: Explained, isNamePattern: (pattern: string) => boolean, output: Output): Line[] {
  const { path, description, fields } = found
  return [
    styled`${output.paint.bold(path)}`,
    ...(description ? wrapped(description, output.columns) : []),
    '',
    ...factLines(factsOf(found, isNamePattern), output),
    ...(fields.length > 0 ? ['', styled`${output.paint.bold('fields')}`, ...fieldLines(fields, output)] : []),
  ]
}

type Fact = readonly [term: string, meaning: string]
const factIndent = 13

/** Facts about a field or a rule as lines, each a term and its meaning. */
export const factLines = (facts: readonly Fact[], { columns }: Output): string[] =>
  facts.flatMap(([term, meaning]) => defined(term, meaning, factIndent, columns))

function factsOf(found: Explained, isNamePattern: (pattern: string) => boolean): Fact[] {
  const bounds = boundsText(found.limits, found.values.length > 0, isNamePattern)
  const values = listed(found.values)
  return [
    ['type', found.type],
    ['required', found.required ? 'yes' : 'no'],
    ...(values === '' ? [] : [[found.open ? 'such as' : 'values', values] as const]),
    ...(found.unlisted
      ? [['also', `${listed(found.unlisted)}; not in the specification: a service may refuse them`] as const]
      : []),
    ...(bounds === '' ? [] : [['limits', bounds] as const]),
    ...('default' in found ? [['default', JSON.stringify(found.default)] as const] : []),
    ...(found.variation ? [['variation', overwritten(found.variation)] as const] : []),
    ['spec', `${found.spec ?? 'not in the specification'} (vatom help specification)`],
  ]
}

const listed = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join(', ')

const overwritten = ({ allowed, note }: { allowed: boolean; note: string }) =>
  [allowed ? 'can overwrite it' : 'cannot overwrite it', note].filter(Boolean).join(': ')

/** Limits in words: `from 1 to 60000`, `at most 256 characters`; no pattern where values show what fits it. */
function boundsText(bounds: Bounds, isShown: boolean, isNamePattern: (pattern: string) => boolean): string {
  const { minimum, maximum, min_length, max_length, min_items, max_items, pattern } = bounds
  return [
    range(minimum, maximum, ''),
    range(min_length, max_length, ' characters'),
    range(min_items, max_items, ' entries'),
    pattern === undefined || isShown ? '' : isNamePattern(pattern) ? 'no control characters' : `matches ${pattern}`,
  ]
    .filter(Boolean)
    .join('; ')
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  if (least !== undefined && most !== undefined) return `from ${least} to ${most}${unit}`
  if (most !== undefined) return `at most ${most}${unit}`
  return least === undefined ? '' : `at least ${least}${unit}`
}

function fieldLines(fields: readonly FieldSummary[], { columns }: Output): string[] {
  const indent = Math.min(30, Math.max(...fields.map(({ name }) => name.length)) + 4)
  return fields.flatMap(({ name, type, required, description }) => {
    const text = `${type}${required ? ', required' : ''}${description ? `: ${description}` : ''}`
    return defined(name, text, indent, columns)
  })
}
