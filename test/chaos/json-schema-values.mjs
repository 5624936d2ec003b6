import * as fc from 'fast-check'

/** Values that break what expects a usual one. */
export const strange = fc.oneof(
  fc.jsonValue({ maxDepth: 6 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    null,
    true,
    -1,
    0,
    1e308,
    2 ** 53,
    '',
    '\u0000',
    '\ud800',
    '__proto__',
    'constructor',
    [],
    {},
    '$publisher::A',
  ),
  fc.constantFrom('a'.repeat(10_000), [[[[[]]]]], '../../etc/passwd', "' OR 1=1 --", '%', '*', '\u202e\u001b[31m'),
)

/**
 * Values that a JSON Schema accepts. `resolve` gives the schema of a `$ref`; `known` gives values of a property by its
 * name, which are taken more often than others.
 */
export function valuesOf(schema, { resolve, known }, depth = 0) {
  const inner = (one, name) => withKnown(valuesOf(one, { resolve, known }, depth + 1), known[name])
  if (schema === true || schema === undefined || Object.keys(schema).length === 0) return fc.jsonValue({ maxDepth: 1 })
  if (schema.$ref) return valuesOf(resolve(schema.$ref), { resolve, known }, depth + 1)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return fc.oneof(...choices.map((one) => inner(one)))
  const make = byType[schema.type]
  return make ? make(schema, inner, depth) : fc.jsonValue({ maxDepth: 1 })
}

const withKnown = (values, names) =>
  names ? fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: values }) : values

const byType = {
  null: () => fc.constant(null),
  boolean: () => fc.boolean(),
  integer: ({ minimum = -1000, maximum = 1000 }) =>
    fc.integer({ min: Math.max(minimum, -(2 ** 31)), max: Math.min(maximum, 2 ** 31 - 1) }),
  number: ({ minimum = -1e6, maximum = 1e6 }) =>
    fc.double({ min: minimum, max: maximum, noNaN: true }).map((number) => number + 0),
  string: ({ pattern, minLength = 0, maxLength = 30, examples }) => {
    if (examples) return fc.constantFrom(...examples)
    if (pattern) return fc.stringMatching(new RegExp(pattern))
    return fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 30)) })
  },
  array: ({ items, minItems = 0, maxItems = 4 }, inner, depth) =>
    fc.array(inner(items), {
      minLength: minItems,
      maxLength: depth > 8 ? minItems : Math.max(minItems, Math.min(maxItems, 4)),
    }),
  object: ({ properties = {}, required = [] }, inner, depth) => {
    const names = Object.keys(properties).filter((name) => required.includes(name) || depth < 8)
    const model = Object.fromEntries(names.map((name) => [name, inner(properties[name], name)]))
    return fc.record(model, { requiredKeys: names.filter((name) => required.includes(name)), noNullPrototype: true })
  },
}

/** A value with one place anywhere in it replaced, removed or doubled; `picks` choose it. */
export function mutated(value, picks, replacement) {
  if (typeof value !== 'object' || value === null || picks.length === 0) return replacement
  const keys = Object.keys(value)
  const key = keys[picks[0] % (keys.length + 1)]
  if (key === undefined) return Array.isArray(value) ? [...value, replacement] : { ...value, unexpected: replacement }
  if (picks.length === 1 && picks[0] % 5 === 0) return without(value, key)
  const inner = mutated(value[key], picks.slice(1), replacement)
  return Array.isArray(value) ? value.with(Number(key), inner) : { ...value, [key]: inner }
}

const without = (value, key) =>
  Array.isArray(value)
    ? value.toSpliced(Number(key), 1)
    : Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))
