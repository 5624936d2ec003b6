import { at, isObject } from '../schema/path.ts'
import type { JsonSchema } from './components.ts'

/** A schema with what it refers to written out; its own words come first. */
export function resolved({ $ref, ...own }: JsonSchema, root: JsonSchema): JsonSchema {
  if (typeof $ref !== 'string') return own
  const target = at(root, ...$ref.replace('#/', '').split('/'))
  return { ...(isObject(target) ? resolved(target, root) : {}), ...own }
}

/** The ways that a value may be: options of unions, each with what the union says of all. */
export function variantsOf(schema: JsonSchema, root: JsonSchema): JsonSchema[] {
  const { anyOf, oneOf, ...common } = resolved(schema, root)
  const options = [anyOf, oneOf].find((union) => Array.isArray(union))
  if (options === undefined) return [common]
  const { description: _, ...shared } = common
  return options.filter(isObject).flatMap((option) => variantsOf({ ...shared, ...resolved(option, root) }, root))
}

/** What the entries of a list may be. */
export const entriesOf = ({ items }: JsonSchema, root: JsonSchema): JsonSchema[] =>
  isObject(items) ? variantsOf(items, root) : []

/** The type of a value in words: `boolean`, `list of objects`, `number or string`. */
export const typeOf = (variants: readonly JsonSchema[]): string => [...new Set(variants.map(typeName))].join(' or ')

function typeName({ type, items, format, const: fixed }: JsonSchema): string {
  if (type === 'array') return `list of ${plural(typeName(isObject(items) ? described(items) : {}))}`
  if (format === 'date' || format === 'date-time') return format
  if (type === undefined) return fixed === undefined ? 'anything' : typeof fixed
  return String(type)
}

/** A named schema is an object's. */
const described = (items: Record<string, unknown>): JsonSchema => ('$ref' in items ? { type: 'object' } : items)
const plural = (type: string) => (type === 'anything' ? type : `${type}s`)

interface NamedValues {
  readonly values: readonly unknown[]
  /** Whether other values are allowed, too. */
  readonly open: boolean
}

/** Values that a schema names; open where some way of being names none. */
export function valuesOf(variants: readonly JsonSchema[]): NamedValues {
  const named = variants
    .filter(({ type }) => type !== 'null')
    .map(({ enum: listed, const: fixed, examples }) => {
      if (Array.isArray(listed)) return listed
      if (Array.isArray(examples)) return examples
      return fixed === undefined ? [] : [fixed]
    })
  const values = [...new Set(named.flat())]
  const isOpen = named.some((some) => some.length === 0) || variants.some(({ examples }) => Array.isArray(examples))
  return { values, open: values.length > 0 && isOpen }
}
