import { type Cell, cellsOf, textOf, widthOf } from './cells.ts'

/** A line of source with a place underlined, cut to a width. */
export interface Frame {
  readonly text: string
  /** Columns before the underline, and of it. */
  readonly indent: number
  readonly length: number
  /** Whether the beginning of the line is cut off. */
  readonly cut: boolean
}

const mark: Cell = { text: '…', width: 1, units: 0 }

/** A line with the columns (from 1, in UTF-16 units) from `start` to `end` underlined, in at most `width` columns. */
export function frame(line: string, start: number, end: number, width: number): Frame {
  // A line may be megabytes long, and only this part of it can be shown.
  const from = Math.max(0, start - 1 - 2 * width)
  const cells = cellsOf(line.slice(from, start + 4 * width))
  const first = indexAt(cells, start - 1 - from)
  const last = Math.max(first + 1, indexAt(cells, end - 1 - from))
  const whole = from === 0 && line.length <= start + 4 * width && widthOf(cells) <= width
  const begin = whole ? 0 : beginning(cells, first, width, from > 0)
  const shown = whole ? cells : fitting(cells, begin, width)
  const cut = !whole && (begin > 0 || from > 0)
  const row = cut ? [mark, ...shown.slice(1)] : shown
  const indent = widthOf(row.slice(0, Math.min(first, begin + shown.length) - begin))
  const length = widthOf(cells.slice(first, last))
  return { text: textOf(row), indent, length: Math.max(1, Math.min(length, width - indent)), cut }
}

/** Index of the cell that holds an offset of the line. */
function indexAt(cells: readonly Cell[], offset: number): number {
  let units = 0
  const found = cells.findIndex((cell) => {
    units += cell.units
    return units > offset
  })
  return found < 0 ? cells.length : found
}

/** The first cell to show: the first of the line while the place still fits, else one a third of the width before it. */
function beginning(cells: readonly Cell[], first: number, width: number, cutAlready: boolean): number {
  if (!cutAlready && widthOf(cells.slice(0, first)) < (width * 2) / 3) return 0
  let begin = first
  for (let room = Math.floor(width / 3); begin > 0 && room > 0; begin--) room -= cells[begin - 1]?.width ?? 0
  return begin
}

/** As many cells as fit; the last is a mark where the line goes on. */
function fitting(cells: readonly Cell[], begin: number, width: number): Cell[] {
  const row: Cell[] = []
  let used = 0
  for (const cell of cells.slice(begin)) {
    if (used + cell.width > width - 1) return [...row, mark]
    row.push(cell)
    used += cell.width
  }
  return row
}
