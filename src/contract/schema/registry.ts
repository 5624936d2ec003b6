import * as z from 'zod/v4'

/** What is told about a named schema: `id` is its name in OpenAPI and JSON Schema. */
export interface SchemaNote {
  readonly id: string
  readonly title?: string
  readonly description?: string
}

/** Every schema that has a name. Field descriptions travel in the schemas' own metadata. */
export const registry = z.registry<SchemaNote>()
const byName = new Map<string, z.ZodType>()

/** Names a schema once; a second use of a name is a programming error and throws. */
export function named<S extends z.ZodType>(id: string, schema: S, description?: string): S {
  if (byName.has(id)) throw new Error(`two schemas are named ${id}`)
  byName.set(id, schema)
  registry.add(schema, description ? { id, description } : { id })
  return schema
}

/** Every named schema by its name; complete once the table of `api.ts` is loaded. */
export const namedSchemas: ReadonlyMap<string, z.ZodType> = byName
