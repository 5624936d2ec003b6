import { limits } from '../../contract/limits.ts'
import { printableLine } from '../../contract/printable.ts'
import { groupBy } from '../../contract/schema/group-by.ts'
import { nameList } from '../../contract/schema/suggest.ts'
import { plural } from '../../contract/schema/wording.ts'
import type { Problem } from '../load/loaded.ts'
import { isError } from '../load/problems.ts'
import { frame } from './frame.ts'
import { problemPlace } from './problem-text.ts'
import type { RenderOptions } from './render.ts'

/**
 * Problems as a compiler shows them: the rule, the place, its lines with the place underlined, and a hint. Of many that differ
 * in their place alone, the first is shown, and where the others are. Of very many only some are shown, errors first, and the
 * rest are counted.
 */
export function renderText(problems: readonly Problem[], options: RenderOptions): string {
  const lines = lineReader(options.sources)
  const shown = worst(grouped(problems))
  const blocks = shown.map((group) => `${block(group, lines, options).join('\n')}\n`)
  const more = problems.length - shown.flat().length
  return [...blocks, ...(more > 0 ? [`and ${plural(more, 'more problem')}\n`] : [])].join('\n')
}

/** A problem, and the others that are shown with it. */
type Group = readonly [Problem, ...Problem[]]

/** Problems of which more are alike than are shown one by one as a group, in the place of the first; others by themselves. */
function grouped(problems: readonly Problem[]): Group[] {
  const alike = groupBy(problems, likeness)
  return problems.flatMap((problem): Group[] => {
    const group = alike.get(likeness(problem)) ?? []
    if (group.length <= limits.problemsAlike) return [[problem]]
    return problem === group[0] ? [[problem, ...group.slice(1)]] : []
  })
}

const likeness = ({ severity, rule, message, hint }: Problem) => JSON.stringify([severity, rule, message, hint])

/** The groups to show; where there are too many, errors come first. */
function worst(groups: readonly Group[]): readonly Group[] {
  if (groups.length <= limits.problemsShown) return groups
  const areErrors = ([first]: Group) => isError(first)
  return [...groups.filter(areErrors), ...groups.filter((one) => !areErrors(one))].slice(0, limits.problemsShown)
}

export type LineReader = (file: string, line: number) => string | undefined

/** Lines of files by number; each file is split once. */
export function lineReader(sources: RenderOptions['sources']): LineReader {
  const split = new Map<string, readonly string[]>()
  return (file, line) => {
    const lines = split.get(file) ?? (sources.get(file) || undefined)?.split(/\r?\n/)
    if (lines) split.set(file, lines)
    return lines?.[line - 1]
  }
}

function block([problem, ...others]: Group, lines: LineReader, { paint, width }: RenderOptions): string[] {
  const { file, line, column, severity, rule, message, hint, spec } = problem
  const colour = severity === 'error' ? paint.red : paint.yellow
  const gutter = ' '.repeat(String(line ?? 1).length)
  const place = line === undefined ? '' : `:${line}:${column}`
  const note = (label: string, text: string | undefined) =>
    text === undefined ? [] : [`${gutter} ${paint.cyan('=')} ${paint.bold(`${label}:`)} ${printableLine(text)}`]
  return [
    `${colour(`${severity}[${printableLine(rule)}]`)}: ${paint.bold(printableLine(message))}`,
    `${gutter}${paint.cyan('-->')} ${printableLine(file)}${place}`,
    ...excerpt(problem, lines, gutter, width).map((row) => row(paint, colour)),
    ...note('hint', hint),
    ...note('spec', spec),
    ...(others.length > 0 ? note('also', `in ${nameList(others.map(problemPlace), limits.problemsAlike)}`) : []),
  ]
}

type Row = (paint: RenderOptions['paint'], colour: (text: string) => string) => string

/** The line of the place, the one before it, and the underline. */
function excerpt(problem: Problem, lines: LineReader, gutter: string, width: number): Row[] {
  const { file, line, column = 1, endLine, endColumn = column } = problem
  const text = line === undefined ? undefined : lines(file, line)
  if (line === undefined || text === undefined) return []
  const room = Math.max(20, width - gutter.length - 3)
  const shown = frame(text, column, endLine === line ? endColumn : text.length + 1, room)
  const before = shown.cut ? undefined : lines(file, line - 1)
  const row =
    (number: string, content: string): Row =>
    (paint) =>
      `${paint.cyan(`${number} |`)}${content && ` ${content}`}`.trimEnd()
  return [
    row(gutter, ''),
    ...(before?.trim() ? [row(String(line - 1).padStart(gutter.length), frame(before, 1, 1, room).text)] : []),
    row(String(line), shown.text),
    (paint, colour) => `${paint.cyan(`${gutter} |`)} ${' '.repeat(shown.indent)}${colour('^'.repeat(shown.length))}`,
  ]
}
