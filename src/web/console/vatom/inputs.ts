import type { StandardAction } from '../../../contract/kinds/standard-actions.ts'
import { parseJson } from '../../../contract/unknown-values.ts'

/** Something that an action takes: one of these keys, and a value. */
export interface InputField {
  readonly keys: readonly string[]
  readonly isRequired: boolean
}

/** What a standard action takes. */
export const fieldsOf = ({ inputs }: StandardAction): readonly InputField[] =>
  inputs.map(({ keys, required }) => ({
    // A key that stands for all of its beginning has another that takes them as an object.
    keys: keys.filter((key) => !key.endsWith('.')),
    isRequired: required,
  }))

/** A text as a value: an object or a list where it is one in JSON, else as it is. */
export const typedValue = (text: string): unknown => (/^\s*[[{]/.test(text) ? (parseJson(text) ?? text) : text)
