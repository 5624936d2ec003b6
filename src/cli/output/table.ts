import stringWidth from 'string-width'
import { printableLine } from '../../documents/printable.ts'
import type { Output } from './output.ts'
import { type Line, Styled, styled } from './text.ts'

type Row = readonly string[]
const gap = '  '

/**
 * Rows for people: aligned under a head and cut to the terminal's width on a terminal; tab-separated and without a
 * head elsewhere, for cut and awk.
 */
export function tableLines(head: Row, rows: readonly Row[], { isTTY, columns, paint }: Output): Line[] {
  const cells = rows.map((row) => row.map(printableLine))
  if (!isTTY) return cells.map((row) => new Styled(row.join('\t')))
  const widths = shrink(natural([head, ...cells]), columns)
  const aligned = (row: Row) =>
    row
      .map((cell, column) => pad(cell, widths[column] ?? 0))
      .join(gap)
      .trimEnd()
  return [styled`${paint.bold(aligned(head))}`, ...cells.map((row) => new Styled(aligned(row)))]
}

const natural = (rows: readonly Row[]) =>
  (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => stringWidth(row[column] ?? ''))))

/** Widths that fit the terminal: the widest column gives way first, down to 6; the first, which names the row, stays. */
function shrink(widths: readonly number[], columns: number): number[] {
  const fitted = [...widths]
  const room = columns - gap.length * (widths.length - 1)
  for (let over = sum(fitted) - room; over > 0; over--) {
    const widest = fitted.indexOf(Math.max(...fitted.slice(1)), 1)
    if ((fitted[widest] ?? 0) <= 6) break
    fitted[widest] = (fitted[widest] ?? 0) - 1
  }
  return fitted
}
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

function pad(cell: string, width: number): string {
  const cut = stringWidth(cell) <= width ? cell : shorten(cell, width)
  return cut + ' '.repeat(Math.max(0, width - stringWidth(cut)))
}

/** A name and an address are told apart by their end, other text by its beginning. */
const shorten = (cell: string, width: number) =>
  /::|:\/\//.test(cell) ? `…${reversed(take(reversed(cell), width - 1))}` : `${take(cell, width - 1)}…`

const reversed = (text: string) => [...text].reverse().join('')

/** The longest beginning that is at most so wide. */
function take(text: string, width: number): string {
  let taken = ''
  for (const character of text) {
    if (stringWidth(taken + character) > width) break
    taken += character
  }
  return taken
}
