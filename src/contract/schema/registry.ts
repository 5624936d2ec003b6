import * as z from 'zod/v4'
import { lazy, type Schema } from './lazy.ts'

/** What is known of a named schema: `id` is its name in OpenAPI and JSON Schema. */
export interface SchemaNote {
  readonly id: string
  readonly title?: string
  readonly description?: string
}

/** Every named schema that was built: with the one that is asked for come those it refers to. */
export const registry = z.registry<SchemaNote>()
const byName = new Map<string, { readonly schema: Schema; readonly description: string | undefined }>()

/** Names a schema, which is built at its first use; a second use of a name is a programming error and throws. */
export function named<S extends z.ZodType>(id: string, build: () => S, description?: string): Schema<S> {
  if (byName.has(id)) throw new Error(`two schemas are named ${id}`)
  const schema = lazy(() => {
    const built = build()
    registry.add(built, description ? { id, description } : { id })
    return built
  })
  byName.set(id, { schema, description })
  return schema
}

/** Every named schema by its name, built; complete once the table of operations is loaded. */
export const namedSchemas = (): ReadonlyMap<string, z.ZodType> =>
  new Map([...byName].map(([id, { schema }]) => [id, schema()]))

/** What a name's schema is of, where that is said. */
export const descriptionOf = (id: string): string | undefined => byName.get(id)?.description
