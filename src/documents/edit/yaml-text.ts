import { Document, isScalar, type Scalar, visit } from 'yaml'
import { escapedUnsafe, printable } from '../../contract/printable.ts'
import { hasStrangeEnd } from '../yaml/strange-spaces.ts'

/** The quotes around a text in YAML; undefined leaves them, or a block, to the text. */
export type Quoting = 'QUOTE_DOUBLE' | 'QUOTE_SINGLE' | undefined

/** The quotes around a text that is there. */
export const quotingOf = (type: Scalar.Type | undefined): Quoting =>
  type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE' ? type : undefined

interface Style {
  /** Whether lists and objects are written in one line, with brackets. */
  readonly flow?: boolean
  /** Of the value itself, if it is a text that can be written so. */
  readonly quoting?: Quoting
}

/** Whether readers of YAML 1.1 take a text for a boolean. They do not do so with `y` and `n`, whatever its specification says. */
export const isOldBoolean = (text: string): boolean => /^(?:yes|no|on|off)$/i.test(text)

/** Whether a text has characters that reorder it, that nobody sees, or that a terminal takes for commands. */
const isUnsafe = (text: string): boolean => printable(text) !== text

/** A character as YAML escapes it in double quotes: unlike JSON, it has no pairs of escapes for one. */
function yamlEscaped(character: string): string {
  const digits = (character.codePointAt(0) ?? 0).toString(16)
  return digits.length > 4 ? `\\U${digits.padStart(8, '0')}` : `\\u${digits.padStart(4, '0')}`
}

/** A value as YAML that is parsed to the same value, with a line break at its end. What is unsafe in texts is escaped. */
export function yamlText(value: unknown, { flow = false, quoting }: Style = {}): string {
  const document = new Document(value, { aliasDuplicateObjects: false })
  visit(document, {
    Scalar: (_, scalar) => {
      if (needsQuotes(String(scalar.value), flow)) scalar.type = 'QUOTE_DOUBLE'
    },
  })
  const { contents } = document
  if (quoting !== undefined && typeof value === 'string' && isScalar(contents)) contents.type ??= quoting
  const text = document.toString({
    lineWidth: 0,
    collectionStyle: flow ? 'flow' : 'any',
    // Over several lines, the library loses spaces.
    doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY,
  })
  return escapedUnsafe(text, yamlEscaped)
}

/**
 * Whether a text is read again as it is only in double quotes. Without them it would be a merge key, end with whatever blank
 * lines follow, lose its spaces, or be a key in brackets.
 */
const needsQuotes = (text: string, isInBrackets: boolean): boolean =>
  text === '<<' ||
  (text !== '' && text.trim() === '') ||
  (isInBrackets && text.includes('\n')) ||
  endsBlank(text) ||
  isOldBoolean(text) ||
  hasStrangeEnd(text) ||
  isUnsafe(text)

/** Whether the last line of a text is a blank one, with a line break behind it. */
const endsBlank = (text: string): boolean =>
  text.endsWith('\n') && text.indexOf('\n', text.trimEnd().length) < text.length - 1

/** A value as YAML in one line, as it stands between brackets. */
export function flowText(value: unknown, quoting?: Quoting): string {
  if (quoting === 'QUOTE_DOUBLE' || (typeof value === 'string' && value.includes('\n'))) return quotedText(value)
  if (quoting === 'QUOTE_SINGLE') return yamlText(value, { flow: true, quoting }).trimEnd()
  return yamlText([value], { flow: true }).trimEnd().slice(2, -2)
}

/** A text as YAML in one line; without quotes only where everything that reads YAML takes it for the same text. */
export const lineText = (text: string): string => (isPlain(text) ? text : quotedText(text))

/** A value as JSON, which is YAML, too. */
const quotedText = (value: unknown): string => escapedUnsafe(JSON.stringify(value), yamlEscaped)

/** A value as JSON, in which what is unsafe in texts is escaped. */
export const jsonText = (value: unknown, indent?: number): string => printable(JSON.stringify(value, null, indent))

const isPlain = (text: string) =>
  /^[a-z$][\w$:./-]*$/i.test(text) && !text.endsWith(':') && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text)

/** What stands behind `key:` for a value, a space or line break included; lines below are indented. */
export function memberText(value: unknown, indent: number, quoting?: Quoting): string {
  const text =
    typeof value === 'string' && quoting !== undefined && !value.includes('\n')
      ? `k: ${yamlText(value, { quoting })}`
      : yamlText({ k: value })
  return indented(text, indent).trimStart().slice(2).replace(/\n$/, '')
}

/** Lines that end as those of another text do. */
export const withBreaksOf = (text: string, lines: string): string =>
  text.includes('\r\n') ? lines.replaceAll('\n', '\r\n') : lines

/** Lines, each but blank ones with spaces before it. */
export const indented = (text: string, indent: number): string => text.replace(/^(?=.)/gm, ' '.repeat(indent))
