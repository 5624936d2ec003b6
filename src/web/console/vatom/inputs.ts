import { standardActions } from '../../../contract/kinds/standard-actions.ts'
import { parseJson } from '../../../contract/unknown-values.ts'

/** Something that an action takes: one of these keys, and a value. */
export interface InputField {
  readonly keys: readonly string[]
  readonly isRequired: boolean
}

/** What an action of this name takes; undefined if it is no standard action, whose inputs nobody knows. */
export function fieldsOf(action: string): readonly InputField[] | undefined {
  const known = standardActions.find(({ name }) => name === action)
  return known?.inputs.map(({ keys, required }) => ({
    // A key that stands for all of its beginning has another that takes them as an object.
    keys: keys.filter((key) => !key.endsWith('.')),
    isRequired: required,
  }))
}

/** A text as a value: an object or a list where it is one in JSON, else as it is. */
export const typedValue = (text: string): unknown => (/^\s*[[{]/.test(text) ? (parseJson(text) ?? text) : text)
