import { Document, isScalar, type Scalar, visit } from 'yaml'
import { escapedUnsafe, printable } from '../../contract/printable.ts'
import { hasStrangeEnd } from '../yaml/strange-spaces.ts'

/** How a text is written in YAML: plain, with one of the two quotes, or as a block. */
export type Quoting = Scalar.Type | undefined

interface Style {
  /** Whether lists and objects are written in one line, with brackets. */
  readonly flow?: boolean
  /** Of the value itself, if it is a text that can be written so. */
  readonly quoting?: Quoting
}

/** Whether readers of YAML 1.1 take a text for a boolean. They do not do so with `y` and `n`, whatever its specification says. */
export const isOldBoolean = (text: string): boolean => /^(?:yes|no|on|off)$/i.test(text)

/** A value as YAML that is parsed to the same value, with a line break at its end. */
export function yamlText(value: unknown, { flow = false, quoting }: Style = {}): string {
  const document = new Document(value, { aliasDuplicateObjects: false })
  visit(document, {
    Scalar: (_, scalar) => {
      const text = String(scalar.value)
      // Without quotes it would be a merge key, or end with whatever blank lines follow.
      if (text === '<<' || endsBlank(text) || isOldBoolean(text) || hasStrangeEnd(text) || !isVisible(text))
        scalar.type = 'QUOTE_DOUBLE'
    },
  })
  const { contents } = document
  if (quoting !== undefined && typeof value === 'string' && isScalar(contents) && isVisible(value))
    contents.type = quoting
  return inQuotes(document.toString({ lineWidth: 0, collectionStyle: flow ? 'flow' : 'any' }))
}

/** Whether every reader of a file sees all of a text, and in its order. */
const isVisible = (text: string): boolean => printable(text) === text

/** YAML in which what is not visible stands between double quotes: there it is escaped. */
const inQuotes = (yaml: string): string =>
  escapedUnsafe(yaml, (character) => {
    const point = character.codePointAt(0) ?? 0
    return point > 0xffff ? `\\U${hex(point, 8)}` : `\\u${hex(point, 4)}`
  })

const hex = (number: number, digits: number) => number.toString(16).padStart(digits, '0')

/** A value as JSON, which YAML reads in quotes. */
const quoted = (value: unknown): string => inQuotes(JSON.stringify(value))

/** Whether the last line of a text is a blank one, with a line break behind it. */
const endsBlank = (text: string): boolean =>
  text.endsWith('\n') && text.indexOf('\n', text.trimEnd().length) < text.length - 1

/** A value as YAML in one line, as it stands between brackets. */
export function flowText(value: unknown, quoting?: Quoting): string {
  if (quoting === 'QUOTE_DOUBLE' || (typeof value === 'string' && value.includes('\n'))) return quoted(value)
  if (quoting === 'QUOTE_SINGLE') return yamlText(value, { flow: true, quoting }).trimEnd()
  return yamlText([value], { flow: true }).trimEnd().slice(2, -2)
}

/** A text as YAML in one line; without quotes only where everything that reads YAML takes it for the same text. */
export const lineText = (text: string): string => (isPlain(text) ? text : quoted(text))

const isPlain = (text: string) =>
  /^[a-z$][\w$:./-]*$/i.test(text) && !text.endsWith(':') && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text)

/** What stands behind `key:` for a value, a space or line break included; lines below are indented. */
export function memberText(value: unknown, indent: number, quoting?: Quoting): string {
  const text =
    typeof value === 'string' && quoting?.startsWith('QUOTE') && !value.includes('\n')
      ? `k: ${yamlText(value, { quoting })}`
      : yamlText({ k: value })
  return indented(text, indent).trimStart().slice(2).replace(/\n$/, '')
}

/** Lines that end as those of another text do. */
export const withBreaksOf = (text: string, lines: string): string =>
  text.includes('\r\n') ? lines.replaceAll('\n', '\r\n') : lines

/** Lines, each but blank ones with spaces before it. */
export const indented = (text: string, indent: number): string => text.replace(/^(?=.)/gm, ' '.repeat(indent))
