import type { Paint } from '../io/paint.ts'
import { render } from '../io/text.ts'
import { parseSpans, type Span } from './markdown.ts'

/** Pieces of text without a space between them. */
export type Word = readonly Span[]

/** The words of a text in Markdown; `quote` stands around its code. */
export function wordsOf(text: string, quote = ''): Word[] {
  const words: Span[][] = [[]]
  for (const span of parseSpans(text)) {
    const marked = span.style === 'code' ? `${quote}${span.text}${quote}` : span.text
    const [first = '', ...rest] = marked.split(' ')
    if (first) words.at(-1)?.push({ ...span, text: first })
    for (const part of rest) words.push(part ? [{ ...span, text: part }] : [])
  }
  return words.filter((word) => word.length > 0)
}

export const wordWidth = (word: Word): number => word.reduce((width, { text }) => width + text.length, 0)

/** Columns that words take on one line. */
export const lineWidth = (words: readonly Word[]): number =>
  words.reduce((width, word) => width + wordWidth(word), Math.max(0, words.length - 1))

/** Words in lines of at most so many columns; a word that is longer stands on a line of its own. */
export function wrapWords(words: readonly Word[], width: number): Word[][] {
  const lines: Word[][] = []
  for (const word of words) {
    const last = lines.at(-1)
    if (last && lineWidth(last) + 1 + wordWidth(word) <= width) last.push(word)
    else lines.push([word])
  }
  return lines
}

const paints = { bold: 'bold', code: 'cyan' } as const

/** A line of words, painted. */
export const paintWords = (words: readonly Word[], paint: Paint): string =>
  words
    .map((word) =>
      word.map(({ text, style }) => render(style === 'plain' ? text : paint[paints[style]](text))).join(''),
    )
    .join(' ')
