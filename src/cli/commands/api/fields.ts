import { usage } from '../../failure/failure.ts'

interface FieldOptions {
  readonly rawField?: readonly string[]
  readonly field?: readonly string[]
}

/** Fields of a request, each given once: `-f` as strings, `-F` as what they look like. */
export function fieldsFrom({ rawField = [], field = [] }: FieldOptions): Record<string, unknown> {
  const fields = new Map<string, unknown>()
  const add = (text: string, flag: string, read: (text: string) => unknown) => {
    const at = text.indexOf('=')
    if (at < 1) throw usage(`${flag} ${text} is no field`, `write KEY=VALUE, for example ${flag} first_name=Ada`)
    const key = text.slice(0, at)
    if (fields.has(key)) throw usage(`The field ${key} is given twice`, 'for lists and objects use --input')
    fields.set(key, read(text.slice(at + 1)))
  }
  for (const text of rawField) add(text, '-f', (value) => value)
  for (const text of field) add(text, '-F', typed)
  return Object.fromEntries(fields)
}

const words: Readonly<Record<string, unknown>> = { true: true, false: false, null: null }

/** A value as JSON would read it, if it is a word or a number of JSON; else the text itself. */
function typed(text: string): unknown {
  if (Object.hasOwn(words, text)) return words[text]
  return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : text
}
