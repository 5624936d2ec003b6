import { printable } from '../../contract/printable.ts'

/** One code point of a line as a terminal shows it. */
export interface Cell {
  readonly text: string
  readonly width: number
  /** UTF-16 units that it has in the line. */
  readonly units: number
}

const tab = '    '
const zeroWidth = /^(\p{Mn}|\p{Me}|\u200c|\u200d)$/u
const pictograph = /^\p{Emoji_Presentation}$/u

/** A line as it is shown: tabs as four spaces, control characters as escapes. */
export function cellsOf(line: string): Cell[] {
  if (/^[\x20-\x7e]*$/.test(line)) return [...line].map((text) => ({ text, width: 1, units: 1 }))
  let joined = false
  return [...line].map((character) => {
    const cell = joined && character.length === 2 ? { text: character, width: 0, units: 2 } : cellOf(character)
    joined = character === '\u200d'
    return cell
  })
}

function cellOf(character: string): Cell {
  const text = character === '\t' ? tab : printable(character)
  const units = character.length
  if (text !== character) return { text, width: text.length, units }
  if (zeroWidth.test(character)) return { text, width: 0, units }
  return { text, width: isWide(character.codePointAt(0) ?? 0) || pictograph.test(character) ? 2 : 1, units }
}

/** Scripts that take two columns: East Asian wide and full-width forms. */
const wide: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1b000, 0x1b2ff],
  [0x1f300, 0x1f64f],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
]
const isWide = (code: number) => code >= 0x1100 && wide.some(([from, to]) => from <= code && code <= to)

/** Columns that cells take together. */
export const widthOf = (cells: readonly Cell[]): number => cells.reduce((sum, { width }) => sum + width, 0)
/** Cells as text. */
export const textOf = (cells: readonly Cell[]): string => cells.map(({ text }) => text).join('')
