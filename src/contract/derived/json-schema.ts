import { Discover } from '../api/discover.ts'
import { ProfileUpdate } from '../api/user.ts'
import { factsOf, isKindName } from '../kinds/kinds.ts'
import { kindSchemas } from '../kinds/schemas.ts'
import type { Schema } from '../schema/lazy-schema.ts'
import { registry } from '../schema/lazy-schema.ts'
import type { KindName, SchemaKind } from '../values.ts'
import { type JsonSchema, jsonSchemas } from './components.ts'

/** The schemas of what is written by hand and is of no kind. */
const requests: Readonly<Record<Exclude<SchemaKind, KindName>, Schema>> = { discover: Discover, profile: ProfileUpdate }

const schemaOf = (kind: SchemaKind) => (isKindName(kind) ? kindSchemas[kind].document() : requests[kind]())

/**
 * The JSON Schemas (draft 2020-12) of documents, for editors: the wire schema, where `$schema` may stand too and, in
 * a document that has a kind, `kind`. Each refers to no other document, and accepts exactly what the wire schema accepts.
 */
export function jsonSchemasFor<Kind extends SchemaKind>(kinds: readonly Kind[]): (readonly [Kind, JsonSchema])[] {
  const ids = kinds.map((kind) => [kind, idOf(kind)] as const)
  const all = generated()
  return ids.map(([kind, id]) => [kind, documentSchema(kind, id, all)])
}

/** The same of one kind. */
export function jsonSchemaFor(kind: SchemaKind): JsonSchema {
  const id = idOf(kind)
  return documentSchema(kind, id, generated())
}

/** The name of the schema of a kind, which is in the registry from then on. */
const idOf = (kind: SchemaKind): string => registry.get(schemaOf(kind))?.id ?? ''

const generated = () => jsonSchemas(registry, (id) => `#/$defs/${id}`)

function documentSchema(kind: SchemaKind, id: string, all: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const { description, properties, ...rest } = all[id] ?? {}
  const $defs = Object.fromEntries([...reachable(all, id)].map((name) => [name, all[name]]))
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:vatom:schema:v1:${kind}`,
    title: factsOf(kind).title,
    ...(description !== undefined && { description }),
    ...rest,
    properties: { ...ownProperties(kind), ...properties },
    ...(Object.keys($defs).length > 0 && { $defs }),
  }
}

const ownProperties = (kind: SchemaKind): Record<string, JsonSchema> => ({
  $schema: { type: 'string', description: 'Address of this schema, for editors; not sent to the service.' },
  ...(isKindName(kind) && {
    kind: { const: kind, description: 'Kind of the document, if its fields do not show it; not sent to the service.' },
  }),
})

/** Names that a schema refers to, directly or through others. */
function reachable(all: Readonly<Record<string, JsonSchema>>, id: string, seen = new Set<string>()): Set<string> {
  for (const [, name = ''] of JSON.stringify(all[id]).matchAll(/"#\/\$defs\/([^"]+)"/g)) {
    if (seen.has(name)) continue
    seen.add(name)
    reachable(all, name, seen)
  }
  return seen
}
