import type { Difference } from '../../contract/kinds/changes.ts'
import { type Line, styled } from '../io/text.ts'

/** Differences of one document that are shown at most. */
const shown = 20

/** A line for each of the first differences. */
export const differenceLines = (differences: readonly Difference[]): Line[] => [
  ...differences.slice(0, shown).map(({ path, before, after }) => {
    const [was, is] = [textOf(before), textOf(after)]
    const from = shownFrom(was, is)
    return styled`      ${path}: ${partOf(was, from)} -> ${partOf(is, from)}`
  }),
  ...(differences.length > shown ? [styled`      and ${differences.length - shown} more differences`] : []),
]

/** Characters of a value that are shown at most. */
const widest = 60

/** Characters before the first difference of two long values that are shown. */
const around = 20

const textOf = (value: unknown) => (value === undefined ? '(none)' : JSON.stringify(value))

/** Where two values are shown from: their beginning, or a little before their first difference, if that is not in it. */
function shownFrom(before: string, after: string): number {
  let same = 0
  while (same < before.length && before[same] === after[same]) same++
  if (same < widest - around) return 0
  const from = same - around
  return /[\udc00-\udfff]/.test(before.charAt(from)) ? from - 1 : from
}

function partOf(text: string, from: number): string {
  const part = text.slice(from, from + widest)
  const end = from + part.length < text.length ? `${part.slice(0, -1)}…` : part
  return from > 0 ? `…${end}` : end
}
