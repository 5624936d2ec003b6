import * as z from 'zod/v4'

/** A schema that is built when it is first asked for: building all of them would cost every command some milliseconds. */
export type Schema<S extends z.ZodType = z.ZodType> = () => S

/** The value that a schema accepts. */
export type ValueOf<S extends Schema> = z.output<ReturnType<S>>

/** Makes a value on the first call; every call answers that one. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** A schema of lists of entries. */
export const listOf = <S extends z.ZodType>(entry: Schema<S>): Schema<z.ZodArray<S>> => lazy(() => z.array(entry()))
