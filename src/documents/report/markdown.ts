import { printable } from '../../contract/printable.ts'
import { plural } from '../../contract/schema/wording.ts'
import type { Problem } from '../load/loaded.ts'
import { problemText } from './problem-text.ts'

/** Characters of a block that are shown, unless somebody says otherwise; a comment on GitHub has 65,536 at most. */
export const blockMost = 20_000

/** Problems as Markdown for a comment or a summary of a pipeline. */
export const renderMarkdown = (problems: readonly Problem[]): string =>
  problems.length === 0
    ? ''
    : `${fenced(
        problems.flatMap((problem) => problemText(problem).split('\n')),
        'text',
      ).join('\n')}\n`

/** Whether a block of code with so many characters leaves out some of its lines. */
export const isCut = (lines: readonly string[], most: number): boolean => shownOf(lines, most).length < lines.length

function shownOf(lines: readonly string[], most: number): string[] {
  const shown: string[] = []
  let size = 0
  for (const line of lines.map(printable)) {
    size += line.length + 1
    if (size > most) break
    shown.push(line)
  }
  return shown
}

/**
 * Lines in a block of code, in which nothing is read as Markdown or as a mention of somebody; the `info` string says the
 * language. Lines beyond what a comment can hold are counted.
 */
export function fenced(lines: readonly string[], info: 'diff' | 'text', most = blockMost): string[] {
  const shown = shownOf(lines, most)
  const rest = lines.length - shown.length
  const runs = shown.join('\n').match(/`+/g) ?? []
  const fence = '`'.repeat(Math.max(3, ...runs.map(({ length }) => length + 1)))
  return [
    `${fence}${info}`,
    ...shown,
    fence,
    ...(rest > 0 ? ['', `and ${plural(rest, 'more line')}: see the log.`] : []),
  ]
}
