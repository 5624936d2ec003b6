import { printableLine } from '../../documents/report/printable.ts'

/** Text that holds colours and so must not be escaped again; made only by `styled` and by paint. */
export class Styled {
  constructor(readonly text: string) {}
}

/** A line of output. A plain string may come from anywhere, and is escaped when it is written. */
export type Line = string | Styled

export const render = (line: Line): string => (line instanceof Styled ? line.text : printableLine(line))

/** A line with colours in it: what is put in plain is escaped, what is painted stays. */
export const styled = (strings: TemplateStringsArray, ...parts: readonly (Line | number)[]): Styled =>
  new Styled(strings.map((text, index) => text + renderPart(parts[index])).join(''))

const renderPart = (part: Line | number | undefined) =>
  part === undefined ? '' : typeof part === 'number' ? String(part) : render(part)

/** `1 record`, `2 records` */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
