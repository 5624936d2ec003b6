import * as z from 'zod/v4'
import type { Path } from './path.ts'

/** The schema behind `optional` and `nullable`. */
function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return unwrap(schema.unwrap())
  return schema
}

/** The schemas of the value at a path; several where a union leaves it open, none where there is no such place. */
export function schemasAt(schema: z.core.$ZodType, path: Path): z.core.$ZodType[] {
  const here = unwrap(schema)
  if (here instanceof z.ZodUnion) return here.options.flatMap((option) => schemasAt(option, path))
  const [step, ...rest] = path
  if (step === undefined) return [here]
  const next = child(here, step)
  return next ? schemasAt(next, rest) : []
}

function child(schema: z.core.$ZodType, step: string | number): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodObject) return Object.hasOwn(schema.shape, step) ? schema.shape[step] : undefined
  if (schema instanceof z.ZodArray) return schema.element
  if (schema instanceof z.ZodRecord) return schema.valueType
  return undefined
}

/** Names of the fields an object at a path may have. */
export function fieldsAt(schema: z.core.$ZodType, path: Path): string[] {
  const objects = schemasAt(schema, path).filter((found) => found instanceof z.ZodObject)
  return [...new Set(objects.flatMap((found) => Object.keys(found.shape)))]
}

const secrets = new WeakSet<z.core.$ZodType>()

/** Marks the value of a field as one that nobody may read in a journal: a password, a code, a token. */
export function secret<S extends z.ZodType>(schema: S): S {
  secrets.add(schema)
  return schema
}

/** Names of the secret fields of values, at any depth. */
export function secretFields(schemas: readonly z.core.$ZodType[]): string[] {
  const names = new Set<string>()
  // What is found in a schema is added while the set is walked, and a schema that holds itself is walked once.
  const found = new Set(schemas.map(unwrap))
  for (const schema of found) {
    for (const inner of innerOf(schema)) found.add(unwrap(inner))
    if (!(schema instanceof z.ZodObject)) continue
    for (const [name, field] of Object.entries(schema.shape)) {
      if (secrets.has(field)) names.add(name)
      else found.add(unwrap(field))
    }
  }
  return [...names]
}

function innerOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodUnion) return schema.options
  if (schema instanceof z.ZodArray) return [schema.element]
  return schema instanceof z.ZodRecord ? [schema.valueType] : []
}
