import { stripVTControlCharacters } from 'node:util'
import { printableLine } from '../../contract/printable.ts'
import { shellWord } from '../../contract/shell-word.ts'

export { operandWord, quoted, shellWord } from '../../contract/shell-word.ts'

/** Text that holds colours and so must not be escaped again; made only by `styled` and by paint. */
export class Styled {
  constructor(readonly text: string) {}
}

/** A line of output. A plain string may come from anywhere, and is escaped when it is written. */
export type Line = string | Styled

export const render = (line: Line): string => (line instanceof Styled ? line.text : printableLine(line))

/** A line with colours: plain parts are escaped, painted parts stay as they are. */
export const styled = (strings: TemplateStringsArray, ...parts: readonly (Line | number)[]): Styled =>
  new Styled(strings.map((text, index) => text + renderPart(parts[index])).join(''))

const renderPart = (part: Line | number | undefined) =>
  part === undefined ? '' : typeof part === 'number' ? String(part) : render(part)

/** Words in lines of at most so many columns; a word that is longer stands on a line of its own. */
export function wrapWords<W>(words: readonly W[], columns: number, widthOf: (word: W) => number): W[][] {
  const lines: { words: W[]; width: number }[] = []
  for (const word of words) {
    const last = lines.at(-1)
    const width = widthOf(word)
    if (last === undefined || last.width + 1 + width > columns) lines.push({ words: [word], width })
    else {
      last.words.push(word)
      last.width += 1 + width
    }
  }
  return lines.map((line) => line.words)
}

/** Columns of a terminal that does not say how many it has. */
export const defaultColumns = 80

/** Text in lines of at most so many columns. */
export const wrapped = (text: string, columns: number): string[] =>
  wrapWords(text.split(' '), columns, ({ length }) => length).map((words) => words.join(' '))

/** Lines as a screen shows them: on a terminal broken between words, with the indent of their text. */
export const screenLines = (
  lines: readonly Line[],
  { isTTY, columns }: { readonly isTTY: boolean; readonly columns: number },
): readonly Line[] => (isTTY ? lines.flatMap(parts).flatMap((line) => brokenLine(line, columns)) : lines)

/** The lines of a text that has several. */
const parts = (line: Line): readonly Line[] =>
  line instanceof Styled ? line.text.split('\n').map((part) => new Styled(part)) : [line]

function brokenLine(line: Line, columns: number): readonly Line[] {
  const text = render(line)
  if (shownWidth(text) <= columns) return [line]
  const shown = stripVTControlCharacters(text)
  const [indent = ''] = /^ */.exec(shown) ?? []
  const [label = ''] = /^ *(?:(?:= )?(?:hint|spec|error|warning):|[+~!x>?-]) /.exec(shown) ?? []
  const hanging = ' '.repeat(label.length || indent.length + (/^(error|warning)\[/.test(shown) ? 2 : 0))
  const words = text.match(unbroken) ?? []
  const inLabel = label.split(' ').filter(Boolean).length
  const room = columns - hanging.length
  const [first = [], ...rest] = wrapWords(words.slice(inLabel), room, shownWidth)
  const head = [...words.slice(0, inLabel), ...first].join(' ')
  // A long command must not be broken: without room for one behind the indent, none that stands alone has it.
  const isWide = rest.some((line) => shownWidth(line.join(' ')) > room)
  const indentOf = (line: readonly string[]) => (isWide && isCommand(line) ? '' : hanging)
  return [indent + head, ...rest.map((line) => indentOf(line) + line.join(' '))].map((one) => new Styled(one))
}

/** Whether a line is a command alone, or what is as long as one. */
const isCommand = ([word = '', ...others]: readonly string[]) =>
  others.length === 0 && /^vatom /.test(stripVTControlCharacters(word))

/** A word, or a command, which stays whole so that it can be copied. */
const unbroken = /(?<=\s)vatom [^;,]*[^;,\s][;,]?|\S+/g

const shownWidth = (text: string) => stripVTControlCharacters(text).length

/** A term and its meaning, side by side: `  term    its meaning`, later lines below the first. */
export function defined(term: string, meaning: string, indent: number, columns: number): string[] {
  const lines = wrapped(meaning, Math.max(20, columns - indent)).map((line) => ' '.repeat(indent) + line)
  const head = `  ${term}`
  const [first = '', ...rest] = lines
  return head.length > indent ? [head, ...lines] : [(head + first.slice(head.length)).trimEnd(), ...rest]
}

const units = ['KiB', 'MiB', 'GiB', 'TiB']

/** A number of bytes as people read it: `512 B`, `1.5 KiB`, `64 MiB`. */
export function sizeText(bytes: number): string {
  let size = bytes
  let unit = 'B'
  for (const larger of units) {
    if (size < 1024) break
    size /= 1024
    unit = larger
  }
  return `${size.toFixed(1).replace(/\.0$/, '')} ${unit}`
}

/** A command with words behind it, as a shell reads them: `vatom preview shop '$publisher'`. */
export const shellLine = (command: string, words: readonly string[]): string =>
  [command, ...words.map(shellWord)].join(' ')
