import { isObject } from '../schema/path.ts'
import type { SchemaKind } from '../values.ts'
import type { JsonSchema } from './components.ts'
import { jsonSchemaFor } from './json-schema.ts'
import { entriesOf, resolved, variantsOf } from './schema-variants.ts'
import { withSettings } from './settings.ts'

/** What stands in a path for a name of the publisher's choosing. */
export const anyName = '<name>'

/** A field of a document. */
export interface FieldNode {
  /** Names from the document down, without the entries of lists. */
  readonly names: readonly string[]
  /** As people read it: `template.vatom.vAtom::vAtomType.states[].name`. */
  readonly place: string
  readonly required: boolean
  readonly description: string | undefined
  /** What a value may be: one schema for each way. */
  readonly variants: readonly JsonSchema[]
  readonly fields: readonly FieldNode[]
}

const trees = new Map<SchemaKind, FieldNode>()

/** All fields of a kind of document, from its JSON Schema; made once. */
export function schemaTree(kind: SchemaKind): FieldNode {
  const known = trees.get(kind)
  if (known) return known
  const root = withSettings(kind, jsonSchemaFor(kind))
  const tree = node({ names: [], place: kind, required: true, schema: root, root })
  trees.set(kind, tree)
  return tree
}

interface Source {
  readonly names: readonly string[]
  readonly place: string
  readonly required: boolean
  readonly schema: JsonSchema
  readonly root: JsonSchema
}

function node({ schema, ...source }: Source): FieldNode {
  const own = resolved(schema, source.root)
  const variants = variantsOf(own, source.root)
  const { names, place, required } = source
  return { names, place, required, description: own.description, variants, fields: fieldsOf(variants, source) }
}

/** Fields of objects, and of the objects in lists. */
function fieldsOf(variants: readonly JsonSchema[], source: Omit<Source, 'schema'>): FieldNode[] {
  const objects = variants.filter(({ type }) => type === 'object')
  const entries = variants.flatMap((variant) => entriesOf(variant, source.root))
  return [
    ...named(objects, source),
    ...freelyNamed(objects, source),
    ...(entries.length > 0 ? fieldsOf(entries, { ...source, place: `${source.place}[]` }) : []),
  ]
}

function named(objects: readonly JsonSchema[], { names, place, root }: Omit<Source, 'schema'>): FieldNode[] {
  const found = [...new Set(objects.flatMap(({ properties }) => Object.keys(properties ?? {})))]
  return found.map((name) => {
    const options = objects.flatMap(({ properties: own }) => (own && Object.hasOwn(own, name) ? [own[name] ?? {}] : []))
    const [only = {}] = options
    const schema = options.length === 1 ? only : { anyOf: options }
    const required = objects.every((object) => object.required?.includes(name))
    return node({ names: [...names, name], place: `${place}.${name}`, required, schema, root })
  })
}

/** The field that stands for all those whose name is the publisher's choice. */
const freelyNamed = (objects: readonly JsonSchema[], { names, place, root }: Omit<Source, 'schema'>): FieldNode[] =>
  objects.flatMap(({ additionalProperties: schema }) =>
    isObject(schema)
      ? [node({ names: [...names, anyName], place: `${place}.${anyName}`, required: false, schema, root })]
      : [],
  )
