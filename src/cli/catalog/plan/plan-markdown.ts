import { stripVTControlCharacters } from 'node:util'
import { fenced, isCut } from '../../../documents/report/markdown.ts'
import type { Failure } from '../../failure/failure.ts'
import type { Output } from '../../io/output.ts'
import { type Line, render } from '../../io/text.ts'
import { notOfferedLines } from './not-offered.ts'
import type { Plan } from './plan.ts'
import { boundary, headlineOf, planParts, publishBoundary } from './plan-lines.ts'

/** A plan as Markdown, for the comment on a pull request or the summary of a step: the total first, then the details. */
export function planMarkdown(
  plan: Plan,
  failure: Failure | undefined,
  output: Pick<Output, 'paint' | 'hint'>,
): string[] {
  const { written, final, offered, notes, refused } = planParts(plan, output)
  return [
    `### ${headlineOf(plan)}`,
    ...(failure ? block('**Error:**', failureText(failure, output)) : []),
    ...block('', written),
    ...block(`**${boundary}**`, final),
    ...block(`**${publishBoundary}**`, offered),
    ...[...notes, ...notOfferedLines(plan)].flatMap((line) => ['', textOf(line)]),
    ...block('**Refused, so that apply would send nothing:**', refused),
  ]
}

/** Whether the Markdown of a plan leaves out some of its lines, so that the log must have them. */
export function isCutShort(plan: Plan, output: Pick<Output, 'paint' | 'hint'>): boolean {
  const { written, final, offered, refused } = planParts(plan, output)
  return [written, final, offered, refused].some((lines) => isCut(lines.map(textOf)))
}

const failureText = ({ message, hint }: Failure, output: Pick<Output, 'hint'>): Line[] => [
  message,
  ...(hint === undefined ? [] : [`hint: ${output.hint(hint)}`]),
]

const textOf = (line: Line) => stripVTControlCharacters(render(line)).replace(/^ {2}/, '')

const block = (title: string, lines: readonly Line[]): string[] =>
  lines.length === 0 ? [] : ['', ...(title ? [title, ''] : []), ...fenced(lines.map(textOf), 'diff')]
