import stringWidth from 'string-width'
import { printableLine } from '../../contract/printable.ts'
import type { Output } from './output.ts'
import { type Line, Styled, styled } from './text.ts'

type Row = readonly string[]
type Screen = Pick<Output, 'isTTY' | 'columns' | 'paint'>
const gap = '  '

/**
 * Rows for people: on a terminal aligned under a head and cut to its width, with ids as short as they can be told apart
 * and without the last columns for which there is no room, of which addresses stand below their rows; elsewhere separated
 * by tabs, without a head, for cut and awk.
 */
export const tableLines = (heads: Row, rows: readonly Row[], output: Screen): readonly Line[] =>
  finished(drawn(heads, rows, output)).lines

interface Drawn {
  readonly lines: readonly Line[]
  /** The heads of the columns for which there was no room. */
  readonly leftOut: Row
  /** The heads of the columns with addresses that are not whole. */
  readonly cut: Row
}

/** Rows that are laid out in one step. */
const rowsAtOnce = 1000

/** Lays rows out, in steps between which a long table can be given up. */
function* drawn(heads: Row, rows: readonly Row[], screen: Screen): Steps<Drawn> {
  const whole = yield* inSteps(rows, (row) => row.map(printableLine))
  if (!screen.isTTY) return { lines: whole.map((row) => new Styled(row.join('\t'))), leftOut: [], cut: [] }
  if (rows.length === 0) return nothing
  const table = yield* aligned(heads, whole, screen)
  const [last = ''] = heads.slice(-1)
  const isWhole = ![...table.cut, ...table.leftOut].includes(last)
  return isWhole || !whole.every(endsInAddress) ? table : yield* aboveAddresses(heads, whole, screen)
}

const endsInAddress = (row: Row): boolean => isAddress(row.at(-1) ?? '')

/** Rows with their last cells whole on lines of their own: a part of an address is of no use to those who copy it. */
function* aboveAddresses(heads: Row, rows: readonly Row[], screen: Screen): Steps<Drawn> {
  const others = rows.map((row) => row.slice(0, -1))
  const table = yield* aligned(heads.slice(0, -1), others, screen)
  const addresses = rows.map((row) => new Styled(`${gap}${row.at(-1)}`))
  const [head = '', ...lines] = table.lines
  return { ...table, lines: [head, ...lines.flatMap((line, index) => [line, addresses[index] ?? ''])] }
}

function* aligned(heads: Row, whole: readonly Row[], { columns, paint }: Screen): Steps<Drawn> {
  const natural = yield* columnsOf(heads, whole)
  const short = hasRoom(heads, natural, columns) ? whole : withShortIds(heads, whole)
  const measured = short === whole ? natural : yield* columnsOf(heads, short)
  const shown = columnsShown(measured, columns)
  const head = heads.slice(0, shown)
  const widths = shrink(measured.slice(0, shown), columns)
  const padded = (row: Row) => row.map((cell, column) => pad(cell, widths[column] ?? 0))
  const painted = (cell: string, column: number) => {
    const colour = head[column] === stateHead ? states.get(cell.trimEnd()) : undefined
    return colour === undefined ? cell : paint[colour](cell).text
  }
  const lineOf = (row: Row) => new Styled(padded(row.slice(0, shown)).map(painted).join(gap).trimEnd())
  const headLine = styled`${paint.bold(padded(head).join(gap).trimEnd())}`
  const isCut = (_: string, index: number) =>
    measured[index]?.isAddress && (widths[index] ?? 0) < (measured[index]?.cells ?? 0)
  const lines = [headLine, ...(yield* inSteps(short, lineOf))]
  return { lines, leftOut: heads.slice(shown), cut: head.filter(isCut) }
}

/** Work with pauses, and what it makes. */
type Steps<T> = Generator<undefined, T>

function* inSteps<T, R>(items: readonly T[], make: (item: T) => R): Steps<R[]> {
  const made: R[] = []
  for (let from = 0; from < items.length; from += rowsAtOnce) {
    for (const item of items.slice(from, from + rowsAtOnce)) made.push(make(item))
    yield
  }
  return made
}

/** What steps make, without pauses. */
function finished<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** The same, with a pause after each step in which an interruption ends it. */
async function unlessInterrupted<T>(steps: Steps<T>, { pause }: Pick<Output, 'pause'>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await pause()
  }
}

/** Prints rows as a table, with --json a value instead; names the columns for which a terminal has no room, or too little. */
export async function printTable(value: unknown, heads: Row, rows: readonly Row[], output: Output): Promise<void> {
  const { lines, leftOut, cut } = output.json ? nothing : await unlessInterrupted(drawn(heads, rows, output), output)
  await output.listing(value, () => lines)
  const lacks = [
    ...(leftOut.length > 0 ? [`No room for ${leftOut.join(', ')}`] : []),
    ...(cut.length > 0 ? [`Not whole: ${cut.join(', ')}`] : []),
  ]
  if (lacks.length > 0) output.note(styled`${lacks.join('; ')}: use a wider terminal, or add --json`)
}

const nothing: Drawn = { lines: [], leftOut: [], cut: [] }

/** The head of a column with states, which are words to be read whole. */
const stateHead = 'STATE'

/** Colours of what is final, and of what is not yet. */
const states: ReadonlyMap<string, keyof Screen['paint']> = new Map([
  ['published', 'green'],
  ['draft', 'yellow'],
])

/** Whether columns fit a terminal with nothing cut. */
const fits = (columns: readonly Column[], terminal: number): boolean => widthOf(columns.map(naturalWidth)) <= terminal

/** The head of a column with ids. As the first column they are shortened, as another they are whole or left out. */
const idHead = 'ID'
/** The head of a first column with ids of users, which few commands take a part of: shortened rather than columns left out. */
const userHead = 'USER'

/** Whether ids are shown whole. */
const hasRoom = ([first]: Row, columns: readonly Column[], terminal: number): boolean =>
  first === userHead ? columnsShown(columns, terminal) === columns.length : fits(columns, terminal)

/** How many characters of ids are shown at least. */
export const shortId = 8

/** Rows with the fewest characters by which their ids can be distinguished, if these are the first column. */
function withShortIds([first]: Row, rows: readonly Row[]): readonly Row[] {
  if (first !== idHead && first !== userHead) return rows
  const ids = rows.map(([id = '']) => id)
  let length = shortId
  while (new Set(ids.map((id) => id.slice(0, length))).size < new Set(ids).size) length++
  return rows.map(([id = '', ...rest]) => [id.slice(0, length), ...rest])
}

/** How many columns there is room for: names at least without their domain, whole times, and some words of texts. */
function columnsShown(columns: readonly Column[], terminal: number): number {
  if (fits(columns, terminal)) return columns.length
  const widths = columns.map((column, index) =>
    index === 0 ? column.name : column.isId ? terminal : Math.min(naturalWidth(column), floorOf(column)),
  )
  let shown = columns.length
  while (shown > 2 && widthOf(widths.slice(0, shown)) > terminal) shown--
  return shown
}

interface Column {
  readonly isId: boolean
  readonly isName: boolean
  readonly isState: boolean
  readonly isAddress: boolean
  /** Whether it has instants, of which a part says little: they differ at their end. */
  readonly isTime: boolean
  /** Of the widest cell, in names without their domain. */
  readonly name: number
  /** Of the head, and of the widest cell. */
  readonly head: number
  readonly cells: number
}
const floorOf = (column: Column) => (column.isTime ? naturalWidth(column) : column.isName ? leastName : word)
const naturalWidth = ({ head, cells }: Column) => Math.max(head, cells)

/** Columns wider than this hold texts, which are shortened first. */
const word = 12
/** Other columns are not cut to less than this. */
const least = 4
/** Names are not cut to less than this. */
const leastName = 20

/** Widths that fit the terminal. Heads wider than their cells are cut only if nothing else helps. */
function shrink(columns: readonly Column[], terminal: number): number[] {
  const widths = shrunk(columns, terminal)
  if (widthOf(widths) <= terminal) return widths
  return shrunk(
    columns.map((column) => ({ ...column, head: Math.min(column.head, Math.max(column.cells, least)) })),
    terminal,
  )
}

/**
 * Texts are shortened first, the widest of them before the others, and those of states after the others; then the
 * domains in the first column, which names the row; then texts and names further; then the last columns, but not below
 * the width of a head with narrower cells.
 */
function shrunk(columns: readonly Column[], terminal: number): number[] {
  const widths = columns.map(naturalWidth)
  const over = () => widthOf(widths) - terminal
  const texts = columns.flatMap((column, index) =>
    index > 0 && !column.isTime && naturalWidth(column) > word ? [index] : [],
  )
  const narrow = (some: readonly number[], floorAt: (index: number) => number) => {
    while (over() > 0) {
      const [first = 0, ...others] = some.filter((index) => (widths[index] ?? 0) > floorAt(index))
      const widest = others.reduce((one, other) => ((widths[other] ?? 0) > (widths[one] ?? 0) ? other : one), first)
      if (widest === 0) break
      widths[widest] = (widths[widest] ?? 0) - 1
    }
  }
  const notStates = texts.filter((index) => !columns[index]?.isState)
  narrow(notStates, (index) => (columns[index]?.isName ? leastName : word))
  narrow(notStates, () => word)
  const cut = (index: number, narrowest: number) => {
    const width = widths[index] ?? 0
    widths[index] = Math.min(width, Math.max(narrowest, width - Math.max(0, over())))
  }
  cut(0, Math.max(leastName, columns[0]?.name ?? 0))
  narrow(texts, () => 6)
  cut(0, leastName)
  for (const [index, column] of [...columns.entries()].slice(1).reverse())
    cut(index, column.cells < column.head ? column.head : least)
  return widths
}

function* columnsOf(head: Row, rows: readonly Row[]): Steps<Column[]> {
  const columns: Column[] = []
  for (const [index, text] of head.entries()) {
    columns.push(columnOf(text, index, rows))
    yield
  }
  return columns
}

const columnOf = (text: string, index: number, rows: readonly Row[]): Column => ({
  isId: text === idHead,
  isName: rows.some((row) => isName(row[index] ?? '')),
  isState: text === stateHead,
  isAddress: rows.some((row) => isAddress(row[index] ?? '')),
  isTime: rows.every((row) => /^$|^\d{4}-\d\d-\d\d[T ]/.test(row[index] ?? '')),
  name: widest(rows, index, (cell) => cellWidth(cell.replace(/^[^:.]*\.[^:]*(?=::)/, '…'))),
  head: cellWidth(text),
  cells: widest(rows, index, cellWidth),
})

const widest = (rows: readonly Row[], index: number, width: (cell: string) => number) =>
  rows.reduce((most, row) => Math.max(most, width(row[index] ?? '')), 0)

/** Columns of a terminal that columns of a table take with the gaps between them. */
const widthOf = (widths: readonly number[]) => widths.reduce((total, one) => total + gap.length + one, -gap.length)

/** Texts of which each character takes a column: those of ASCII, and what stands for what was cut. */
const narrow = /^[ -~\u2026]*$/

/** The columns of a terminal that a text takes. */
const cellWidth = (text: string): number => (narrow.test(text) ? text.length : stringWidth(text))

function pad(cell: string, width: number): string {
  const own = cellWidth(cell)
  if (own <= width) return cell + ' '.repeat(width - own)
  const cut = shorten(cell, width)
  return cut + ' '.repeat(Math.max(0, width - cellWidth(cut)))
}

const isAddress = (cell: string) => /^https?:/.test(cell)

/** Names and addresses, which differ at their end. */
const isName = (cell: string) => /::|:\/\//.test(cell)

/** Of names and addresses the beginning is cut, of other text the end. */
const shorten = (cell: string, width: number) =>
  isName(cell) ? `…${reversed(take(reversed(cell), width - 1))}` : `${take(cell, width - 1)}…`

const reversed = (text: string) => [...text].reverse().join('')

/** The longest beginning that is at most so wide. */
function take(text: string, width: number): string {
  if (narrow.test(text)) return text.slice(0, Math.max(0, width))
  let taken = ''
  for (const character of text) {
    if (stringWidth(taken + character) > width) break
    taken += character
  }
  return taken
}

/** How a list is shown: the head of each column, and its cell for a record. */
export type Columns<R> = Readonly<Record<string, (record: R) => string>>

/** Prints records as a table, with --json as they are; without records, a note on stderr says `none`. */
export async function printRecords<R>(
  records: readonly R[],
  columns: Columns<R>,
  none: string,
  output: Output,
): Promise<void> {
  const cells = Object.values(columns)
  const rows = records.map((record) => cells.map((cell) => cell(record)))
  await printTable(records, Object.keys(columns), rows, output)
  if (records.length === 0 && !output.json) output.note(none)
}
