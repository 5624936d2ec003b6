import { blockMost, fenced, isCut } from '../../../documents/report/markdown.ts'
import type { Failure } from '../../failure/failure.ts'
import type { Output } from '../../io/output.ts'
import { plainText } from '../../io/plain-text.ts'
import type { Line } from '../../io/text.ts'
import { notOfferedLines } from './not-offered.ts'
import type { Plan } from './plan.ts'
import { boundary, headlineOf, planParts, publishBoundary } from './plan-lines.ts'

/** A plan as Markdown, for the comment on a pull request or the summary of a step: the total first, then the details. */
export function planMarkdown(
  plan: Plan,
  failure: Failure | undefined,
  output: Pick<Output, 'paint' | 'hint'>,
): string[] {
  const { written, final, offered, notes, notOffered, refused } = blocksOf(plan, output)
  return [
    `### ${headlineOf(plan)}`,
    ...(failure ? block('**Error:**', { lines: failureText(failure, output), most: blockMost }) : []),
    ...block('', written),
    ...block(`**${boundary}**`, final),
    ...block(`**${publishBoundary}**`, offered),
    ...block('', notes),
    ...block('', notOffered),
    ...block('**Refused, so that apply would send nothing:**', refused),
  ]
}

/** Whether the Markdown of a plan leaves out some of its lines, so that the log must have them. */
export const isCutShort = (plan: Plan, output: Pick<Output, 'paint' | 'hint'>): boolean =>
  Object.values(blocksOf(plan, output)).some(({ lines, most }) => isCut(lines.map(textOf), most))

/** Lines of a block of code, and how many characters of it are shown. */
interface Block {
  readonly lines: readonly Line[]
  readonly most: number
}

/** Characters of all blocks of a plan together, beside the problems of its files, and of what cannot be undone. */
const room = 42_500
const finalMost = 40_000
const notOfferedMost = 1_000

/** The blocks of a plan: what cannot be undone is cut last, and the others share the room that it leaves. */
function blocksOf(plan: Plan, output: Pick<Output, 'paint' | 'hint'>) {
  const { written, final, offered, notes, refused } = planParts(plan, output)
  const size = final.reduce((sum, line) => sum + textOf(line).length + 1, 0)
  const most = Math.min(blockMost, Math.floor((room - Math.min(size, finalMost)) / 4))
  const others = {
    written: { lines: written, most },
    offered: { lines: offered, most },
    notes: { lines: notes, most },
    refused: { lines: refused, most },
    notOffered: { lines: notOfferedLines(plan), most: notOfferedMost },
  }
  return { ...others, final: { lines: final, most: finalMost } } satisfies Record<string, Block>
}

const failureText = ({ message, hint }: Failure, output: Pick<Output, 'hint'>): Line[] => [
  message,
  ...(hint === undefined ? [] : [`hint: ${output.hint(hint)}`]),
]

const textOf = (line: Line) => plainText(line).replace(/^ {2}/, '')

const block = (title: string, { lines, most }: Block): string[] =>
  lines.length === 0 ? [] : ['', ...(title ? [title, ''] : []), ...fenced(lines.map(textOf), 'diff', most)]
