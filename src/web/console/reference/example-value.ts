import type { JsonSchema } from '../../../contract/derived/components.ts'
import { variantsOf } from '../../../contract/derived/schema-variants.ts'
import { isObject } from '../../../contract/schema/path.ts'

/** A value with what a schema requires, to begin with. */
export function exampleValue(schema: JsonSchema, root: JsonSchema): unknown {
  const [first = {}] = variantsOf(schema, root)
  const { type, const: fixed, enum: listed, examples, properties = {}, required = [], items, minItems, minimum } = first
  if (fixed !== undefined) return fixed
  for (const known of [listed, examples]) if (Array.isArray(known)) return known[0]
  if (type === 'object')
    return Object.fromEntries(required.map((name) => [name, exampleValue(properties[name] ?? {}, root)]))
  if (type === 'array') return minItems !== undefined && isObject(items) ? [exampleValue(items, root)] : []
  if (type === 'integer' || type === 'number') return minimum ?? 0
  return type === 'boolean' ? false : ''
}
