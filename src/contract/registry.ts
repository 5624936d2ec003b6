import * as z from 'zod/v4'

/** What is told about a named schema: `id` is its name in OpenAPI and JSON Schema. */
export interface SchemaNote {
  readonly id: string
  readonly title?: string
  readonly description?: string
}

/** Every schema that has a name. Field descriptions travel in the schemas' own metadata. */
export const registry = z.registry<SchemaNote>()
const names = new Set<string>()

/** Names a schema once; a second use of a name is a programming error and throws. */
export function named<S extends z.ZodType>(id: string, schema: S, description?: string): S {
  if (names.has(id)) throw new Error(`two schemas are named ${id}`)
  names.add(id)
  registry.add(schema, description ? { id, description } : { id })
  return schema
}
