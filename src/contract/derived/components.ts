import * as z from 'zod/v4'
import { type LocalRow, localRoutes } from '../api/local-routes.ts'
import { operations } from '../api/table.ts'
import '../api/envelope.ts'
import { descriptionOf, namedSchemas, registry, type SchemaNote } from '../schema/lazy-schema.ts'

/** The part of a JSON Schema that is looked into here; draft 2020-12. */
export interface JsonSchema {
  readonly [keyword: string]: unknown
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
}

const parts = ['body', 'payload', 'query'] as const

/** A reference to a named schema within an OpenAPI document. */
export const componentRef = (id: string): JsonSchema => ({ $ref: `#/components/schemas/${id}` })

/**
 * The JSON Schemas of an OpenAPI document: `schemas` holds the named ones for `components.schemas`; `unnamed` what
 * stands at `<operation>.<body|payload|query>`, a reference where that has a name.
 */
export function componentSchemas(): { schemas: Record<string, JsonSchema>; unnamed: Map<string, JsonSchema> } {
  const uses = [...operations, ...localRoutes].flatMap(
    ([key, row]: readonly [string, Pick<LocalRow, (typeof parts)[number]>]) =>
      parts.flatMap((part) => (row[part] ? [{ use: `${key}.${part}`, schema: row[part]() }] : [])),
  )
  const all = z.registry<SchemaNote>()
  const named = namedSchemas()
  for (const [id, schema] of named) all.add(schema, { id })
  for (const { use, schema } of uses) if (!registry.has(schema)) all.add(schema, { id: use })
  const generated = jsonSchemas(all, (id) => `#/components/schemas/${id}`)
  const schema = (id: string) => generated[id] ?? {}
  return {
    schemas: Object.fromEntries([...named.keys()].map((id) => [id, schema(id)])),
    unnamed: new Map(uses.map(({ use, schema: type }) => [use, useOf(use, registry.get(type)?.id)])),
  }

  function useOf(use: string, id: string | undefined): JsonSchema {
    return id === undefined ? schema(use) : componentRef(id)
  }
}

/** The JSON Schemas of a registry by name, described, referring to each other by `uri`. */
export function jsonSchemas(
  schemas: z.core.$ZodRegistry<SchemaNote>,
  uri: (id: string) => string,
): Record<string, JsonSchema> {
  const override = ({ jsonSchema }: { jsonSchema: Record<string, unknown> }) => {
    const record = jsonSchema['x-record']
    if (typeof record === 'string') {
      for (const keyword of Object.keys(jsonSchema)) delete jsonSchema[keyword]
      jsonSchema.$ref = uri(record)
    }
    // A number in a query is text that has a pattern.
    if (jsonSchema.type === 'integer') delete jsonSchema.pattern
  }
  const generated = z.toJSONSchema(schemas, { io: 'input', uri, override }).schemas
  return Object.fromEntries(Object.entries(generated).map(([id, schema]) => [id, described(id, schema as JsonSchema)]))
}

function described(id: string, { $schema, $id, ...rest }: JsonSchema): JsonSchema {
  const description = descriptionOf(id)
  return description ? { description, ...rest } : rest
}
