import { assigned, typed } from '../io/option-values.ts'

interface FieldOptions {
  readonly rawField?: readonly string[]
  readonly field?: readonly string[]
}

/** Fields of a request, each given once: `-f` as strings, `-F` as what they look like. */
export const fieldsFrom = ({ rawField = [], field = [] }: FieldOptions): Record<string, unknown> =>
  assigned(
    [
      { flag: '-f', texts: rawField, read: (text) => text },
      { flag: '-F', texts: field, read: typed },
    ],
    '--input',
  )
