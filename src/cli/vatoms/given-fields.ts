import { isObject } from '../../contract/schema/path.ts'
import { parseJson } from '../../contract/unknown-values.ts'
import type { Context } from '../context.ts'
import { assigned, typed } from '../io/option-values.ts'
import { soleValue, sourceOf } from '../kinds/load-checked.ts'

/** Options that give fields of a request: `-d key=value`, and a file. */
export interface FieldOptions {
  readonly field?: readonly string[]
  readonly data?: string
}

/** What is read: what a message calls the file, and the fields whose values are texts, be they of digits alone. */
interface Given {
  readonly noun: string
  readonly texts: readonly string[]
}

/** The fields that a file and -d give. */
export async function givenFields(
  { field = [], data }: FieldOptions,
  { noun, texts }: Given,
  context: Context,
): Promise<Record<string, unknown>> {
  const read = (text: string, key: string) => jsonOr(text, texts.includes(key) ? asIs : scalar)
  const fields = assigned([{ flag: '-d', texts: field, read }], '--data')
  return { ...(data !== undefined && (await fieldsIn(data, noun, context))), ...fields }
}

async function fieldsIn(file: string, noun: string, context: Context): Promise<Record<string, unknown>> {
  const { loadValue } = await import('../../documents/load/load-one.ts')
  const options = { ...sourceOf(context), noun, issues: notObject, is: isObject }
  return await soleValue(await loadValue(file, options), context)
}

const notObject = (value: unknown) =>
  isObject(value)
    ? []
    : [{ path: [], rule: 'input', severity: 'error', message: 'inputs must be an object', spec: '4' } as const]

/** JSON that is a list, an object or a string in quotes; other text as it is read. */
const jsonOr = (text: string, read: (text: string) => unknown): unknown =>
  /^\s*[[{"]/.test(text) ? (parseJson(text) ?? text) : read(text)

const asIs = (text: string) => text

/** A boolean, null, a number or a text. */
const scalar = (text: string) => typed(text, `give it as a text, in quotes: '"${text}"'`)
