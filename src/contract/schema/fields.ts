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
