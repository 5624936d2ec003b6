import * as z from 'zod/v4'
import { wording } from './wording.ts'

z.config({ customError: wording })

/** A schema that is built when it is first asked for: building all of them would cost every command some milliseconds. */
export type Schema<S extends z.ZodType = z.ZodType> = () => S

/** The value that a schema accepts. */
export type ValueOf<S extends Schema> = z.output<ReturnType<S>>

/** Makes a value on the first call; every call returns that one. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** A schema of lists of entries. */
export const listOf = <S extends z.ZodType>(entry: Schema<S>): Schema<z.ZodArray<S>> => lazy(() => z.array(entry()))

/** Why fields that are often sent with an object are refused, by name: the hint of `unknown field`. */
type Refused = Readonly<Record<string, string>>

/** What is known of a named schema: `id` is its name in OpenAPI and JSON Schema. */
export interface SchemaNote {
  readonly id: string
  readonly description?: string | undefined
  readonly refused?: Refused | undefined
}

/** Every named schema that was built, and those that it refers to. */
export const registry = z.registry<SchemaNote>()
const byName = new Map<string, { readonly schema: Schema; readonly description: string | undefined }>()

/** Names a schema, which is built at its first use; a second use of a name is a programming error and throws. */
export function named<S extends z.ZodType>(
  id: string,
  build: () => S,
  description?: string,
  refused?: Refused,
): Schema<S> {
  if (byName.has(id)) throw new Error(`two schemas are named ${id}`)
  const schema = lazy(() => {
    const built = build()
    registry.add(built, { id, description, refused })
    return built
  })
  byName.set(id, { schema, description })
  return schema
}

/** Builds every named schema, one in a step. */
export function* buildSchemas(): Generator<undefined, void> {
  for (const { schema } of byName.values()) {
    schema()
    yield
  }
}

/** Every named schema by its name, built; complete once the table of operations is loaded. */
export const namedSchemas = (): ReadonlyMap<string, z.ZodType> =>
  new Map([...byName].map(([id, { schema }]) => [id, schema()]))

/** The description of a named schema, if it has one. */
export const descriptionOf = (id: string): string | undefined => byName.get(id)?.description

/** Why one of the schemas of an object refuses a field, where that is known. */
export function reasonAgainst(schemas: readonly z.core.$ZodType[], field: string): string | undefined {
  const reasons = schemas.map((schema) => registry.get(schema)?.refused)
  return reasons.find((refused) => refused && Object.hasOwn(refused, field))?.[field]
}
