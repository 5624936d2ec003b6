import type { Difference } from '../../contract/kinds/changes.ts'
import { type Line, styled } from '../io/text.ts'

/** Differences of one document that are shown at most. */
const shown = 20

/** Lines for each of the first differences. */
export const differenceLines = (differences: readonly Difference[]): Line[] => [
  ...differences.slice(0, shown).flatMap(linesOf),
  ...(differences.length > shown ? [styled`      and ${differences.length - shown} more differences`] : []),
]

/** A line for a difference; two where a long value also differs behind what is shown of it: nobody would look there. */
function linesOf({ path, before, after }: Difference): Line[] {
  const [was, is] = [textOf(before), textOf(after)]
  if (Math.max(was.length, is.length) <= wholeUpTo) return [styled`      ${path}: ${was} -> ${is}`]
  const from = shownFrom(was, is)
  const line = styled`      ${path}: ${partOf(was, from)} -> ${partOf(is, from)}`
  const [wasLast, isLast] = lastFrom(was, is)
  const last = Math.max(wasLast, isLast)
  if (before === undefined || after === undefined || last <= from) return [line]
  const hidden = last > from + widest ? '; what differs between is shown by --json' : ''
  return [line, styled`      ${path}, further on: ${partOf(was, wasLast)} -> ${partOf(is, isLast)}${hidden}`]
}

/** Characters of values that are shown as a whole. */
const wholeUpTo = 120

/** Characters of a longer value that are shown at most. */
const widest = 60

/** Characters before the first difference of two long values that are shown. */
const around = 20

const textOf = (value: unknown) => (value === undefined ? '(none)' : JSON.stringify(value))

/** Where two values are shown from: their beginning, or a little before their first difference, if that is not in it. */
function shownFrom(before: string, after: string): number {
  let same = 0
  while (same < before.length && before[same] === after[same]) same++
  if (same < widest - around) return 0
  return wholeFrom(before, same - around)
}

/** Where each of two values is shown from so that their last difference ends a little before the end of what is shown. */
function lastFrom(before: string, after: string): [number, number] {
  const most = Math.min(before.length, after.length)
  let same = 0
  while (same < most && before.at(-1 - same) === after.at(-1 - same)) same++
  const from = (text: string) => wholeFrom(text, Math.max(0, text.length - same + around - widest))
  return [from(before), from(after)]
}

/** An index that is not in the middle of a character. */
const wholeFrom = (text: string, index: number): number =>
  /[\udc00-\udfff]/.test(text.charAt(index)) ? index - 1 : index

function partOf(text: string, from: number): string {
  const part = text.slice(from, from + widest)
  const end = from + part.length < text.length ? `${part.slice(0, -1)}…` : part
  return from > 0 ? `…${end}` : end
}
