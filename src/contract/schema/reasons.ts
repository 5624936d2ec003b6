import type * as z from 'zod/v4'

const reasons = new WeakMap<z.core.$ZodType, Readonly<Record<string, string>>>()

/** Says why fields that are often sent with an object are refused; the reason is the hint of `unknown field`. */
export function refuses<S extends z.ZodType>(schema: S, why: Readonly<Record<string, string>>): S {
  reasons.set(schema, why)
  return schema
}

/** Why an object does not take a field, where that is known. */
export function reasonAgainst(schemas: readonly z.core.$ZodType[], field: string): string | undefined {
  for (const schema of schemas) {
    const why = reasons.get(schema)
    if (why && Object.hasOwn(why, field)) return why[field]
  }
  return undefined
}
