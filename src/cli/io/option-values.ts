import { InvalidArgumentError } from 'commander'
import { isRounded } from '../../contract/schema/rounded.ts'
import { usage } from '../failure/failure.ts'

/** Whether a text is a whole number in a range, written in digits: who writes `1e3` or `0x10` may mean something else. */
const isWithin = (text: string, least: number, most: number) =>
  /^\d+$/.test(text.trim()) && Number.isSafeInteger(Number(text)) && Number(text) >= least && Number(text) <= most

/** A flag's value as a whole number from 0 up. */
export function wholeNumber(text: string): number {
  if (isWithin(text, 0, Number.MAX_SAFE_INTEGER)) return Number(text)
  throw new InvalidArgumentError('it must be a whole number')
}

/** A flag's value as the number of a page. */
export function pageNumber(text: string): number {
  if (isWithin(text, 1, Number.MAX_SAFE_INTEGER)) return Number(text)
  throw new InvalidArgumentError('it must be a whole number, from 1')
}

/** Reads a flag's value as a whole number in a range. */
export const numberFrom =
  (least: number, most: number) =>
  (text: string): number => {
    if (isWithin(text, least, most)) return Number(text)
    throw new InvalidArgumentError(`it must be a whole number from ${least} to ${most}`)
  }

/** Collects the values of a flag that may be given again. */
export const collected = (text: string, before: readonly string[] = []): readonly string[] => [...before, text]

/** The `key=value` texts of one flag, and how their values are read. */
export interface Assigning {
  readonly flag: string
  readonly texts: readonly string[]
  readonly read: (text: string, key: string) => unknown
}

/** The fields of flags of the form `-f key=value`, each key once. `elsewhere` names the option for lists and objects. */
export function assigned(given: readonly Assigning[], elsewhere: string): Record<string, unknown> {
  const fields = new Map<string, unknown>()
  for (const { flag, texts, read } of given)
    for (const text of texts) {
      const at = text.indexOf('=')
      if (at < 1) throw usage(`${flag} ${text} is not a field`, `write KEY=VALUE, for example ${flag} first_name=Ada`)
      const key = text.slice(0, at)
      if (fields.has(key)) throw usage(`The field ${key} is given twice`, `for lists and objects use ${elsewhere}`)
      fields.set(key, read(text.slice(at + 1), key))
    }
  return Object.fromEntries(fields)
}

const words: Readonly<Record<string, unknown>> = { true: true, false: false, null: null }

/**
 * The value of a JSON word or number; any other text as it is. Throws a usage error for a number that JSON would not keep;
 * `asText` says how to give it as a text.
 */
export function typed(text: string, asText: string): unknown {
  if (Object.hasOwn(words, text)) return words[text]
  if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return text
  const value = Number(text)
  if (Number.isFinite(value) && !isRounded(text, value)) return value
  throw usage(
    `${text} would be sent as ${Number.isFinite(value) ? value : 'null'}: it has more digits than a number`,
    asText,
  )
}

/** The flag of a field: `--first-name` for `first_name`. */
export const flagOf = (field: string): string => `--${field.replaceAll('_', '-')}`

/** The field of a flag. */
export const fieldOfFlag = (flag: string): string => flag.slice(2).replaceAll('-', '_')

/** Options by the names of their fields: `viewMode` is `view_mode`. */
export const fieldsOf = (options: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(options).map(([option, value]) => [
      option.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  )
