import type { Output } from '../io/output.ts'
import type { Paint } from '../io/paint.ts'
import { type Line, render, Styled, styled, wrapWords } from '../io/text.ts'
import { type Block, parseMarkdown, parseSpans, type Span } from './markdown.ts'

type Screen = Pick<Output, 'columns' | 'paint'>
type Table = Extract<Block, { type: 'table' }>
type Row = readonly string[]

/** Spaces before text, before code, and between the columns of a table. */
const margin = 2
const codeMargin = 4
const gap = 2
/** Columns of text are at least this wide. */
const leastColumn = 12

/** A page of the manual as lines: wrapped at the width, code indented, tables fitted. */
export function renderPage(page: string, screen: Screen): Line[] {
  const blocks = parseMarkdown(page)
  return blocks.flatMap((block, index) => {
    const lines = renderBlock(block, screen)
    return index === 0 || isSameList(blocks[index - 1], block) ? lines : ['', ...lines]
  })
}

const isSameList = (before: Block | undefined, block: Block) => before?.type === 'item' && block.type === 'item'

function renderBlock(block: Block, screen: Screen): Line[] {
  switch (block.type) {
    case 'heading':
      return [styled`${screen.paint.bold(block.text.replaceAll('`', ''))}`]
    case 'paragraph':
      return renderText(block.text, { first: '', indent: margin }, screen)
    case 'item':
      return renderText(block.text, { first: block.marker, indent: margin + block.marker.length + 1 }, screen)
    case 'code':
      return block.lines.map((line) => (line === '' ? '' : styled`${' '.repeat(codeMargin)}${screen.paint.cyan(line)}`))
    case 'table':
      return renderTable(block, screen)
  }
}

interface Placing {
  /** The beginning of the first line, such as the number of an item. */
  readonly first: string
  readonly indent: number
}

/** Without colours, code is in backquotes. */
function renderText(text: string, { first, indent }: Placing, { columns, paint }: Screen): Line[] {
  const quote = render(paint.cyan('-')) === '-' ? '`' : ''
  const head = `${' '.repeat(margin)}${first}`.padEnd(indent)
  return wrapWords(wordsOf(text, quote), columns - indent, wordWidth).map(
    (words, index) => new Styled(`${index === 0 ? head : ' '.repeat(indent)}${paintWords(words, paint)}`),
  )
}

/** Columns side by side if they fit, else each row as a list of its cells. */
function renderTable(table: Table, screen: Screen): Line[] {
  const widths = fittedWidths([table.head, ...table.rows], screen.columns - margin)
  if (!widths)
    return table.rows.flatMap((row, index) => [...(index ? [''] : []), ...renderRecord(table.head, row, screen)])
  const head = table.head.map((title) => `**${title}**`)
  return [...(table.head.some(Boolean) ? [head] : []), ...table.rows].flatMap((row) => renderRow(row, widths, screen))
}

/** The width of each column; undefined if they do not fit side by side. */
function fittedWidths(rows: readonly Row[], total: number): number[] | undefined {
  const cells = (rows[0] ?? []).map((_, index) => rows.map((row) => wordsOf(row[index] ?? '')))
  const widths = cells.map((column) => Math.max(...column.map(lineWidth)))
  const least = cells.map((column, index) =>
    Math.min(widths[index] ?? 0, Math.max(leastColumn, ...column.flat().map(wordWidth))),
  )
  const room = total - gap * (widths.length - 1)
  if (sum(least) > room) return undefined
  for (let over = sum(widths) - room; over > 0; over--) {
    const spare = widths.map((width, index) => (width > (least[index] ?? 0) ? width : 0))
    const widest = spare.indexOf(Math.max(...spare))
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return widths
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

function renderRow(row: Row, widths: readonly number[], { paint }: Screen): Line[] {
  const cells = widths.map((width, index) => wrapWords(wordsOf(row[index] ?? ''), width, wordWidth))
  const height = Math.max(...cells.map((lines) => lines.length))
  return Array.from({ length: height }, (_, at) => {
    const parts = cells.map((lines, index) => {
      const words = lines[at] ?? []
      return (
        paintWords(words, paint) + ' '.repeat((widths[index] ?? 0) - Math.min(lineWidth(words), widths[index] ?? 0))
      )
    })
    return new Styled(' '.repeat(margin) + parts.join(' '.repeat(gap)).trimEnd())
  })
}

/** The first cell, and below it the others by their titles. */
function renderRecord(head: Row, [name = '', ...cells]: Row, screen: Screen): Line[] {
  const indent = margin * 2 + Math.max(...head.slice(1).map((title) => title.length)) + gap
  const named = cells.flatMap((cell, index) =>
    cell === '' ? [] : renderText(cell, { first: `${' '.repeat(margin)}${head[index + 1]}`, indent }, screen),
  )
  return [...renderText(`**${name.replaceAll('`', '')}**`, { first: '', indent: margin }, screen), ...named]
}

/** Pieces of text without a space between them. */
type Word = readonly Span[]

/** The words of a text in Markdown; `quote` stands around its code. */
function wordsOf(text: string, quote = ''): Word[] {
  const words: Span[][] = [[]]
  for (const span of parseSpans(text)) {
    const marked = span.style === 'code' ? `${quote}${span.text}${quote}` : span.text
    const [first = '', ...rest] = marked.split(' ')
    if (first) words.at(-1)?.push({ ...span, text: first })
    for (const part of rest) words.push(part ? [{ ...span, text: part }] : [])
  }
  return words.filter((word) => word.length > 0)
}

const wordWidth = (word: Word): number => word.reduce((width, { text }) => width + text.length, 0)

/** Columns that words take on one line. */
const lineWidth = (words: readonly Word[]): number =>
  words.reduce((width, word) => width + wordWidth(word), Math.max(0, words.length - 1))

const paints = { bold: 'bold', code: 'cyan' } as const

/** A line of words, painted. */
const paintWords = (words: readonly Word[], paint: Paint): string =>
  words
    .map((word) =>
      word.map(({ text, style }) => render(style === 'plain' ? text : paint[paints[style]](text))).join(''),
    )
    .join(' ')
