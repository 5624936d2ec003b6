import * as z from 'zod/v4'
import { ApiError } from '../../contract/api/errors.ts'
import { at, isObject, listAt, type Path } from '../../contract/schema/path.ts'
import { refusal } from '../domain/refusal.ts'
import type { Route } from './routes.ts'

/** Refuses an operation that the specification does not name. Throws `assumedOff`. */
export function checkNamed({ operation, row: { spec, method }, path }: Route): void {
  if (spec === null)
    throw new ApiError('assumedOff', `The specification does not name ${operation}, ${method} ${path} (--strict-spec)`)
}

/** Refuses fields and values beyond those that the specification lists. Throws `invalid`. */
export function checkListed(schema: z.ZodType, body: unknown): void {
  const found = unlistedIn(schema, body, [])
  const message = 'it is not in the specification, which --strict-spec asks for'
  if (found.length > 0)
    throw refusal(
      'invalid',
      found.map((path) => ({ path, rule: 'strict-spec', severity: 'error', message })),
    )
}

/** Places of a valid value that are marked with `x-unlisted` in its schema. */
function unlistedIn(schema: z.core.$ZodType, value: unknown, path: Path): Path[] {
  if (value === undefined || value === null) return []
  const note = z.globalRegistry.get(schema)
  const ways = listAt(note, 'anyOf')
  if (isUnlisted(note) || (ways.length > 0 && isUnlisted(ways.find((way) => describes(way, value))))) return [path]
  return inner(schema, value, path)
}

function inner(schema: z.core.$ZodType, value: unknown, path: Path): Path[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return unlistedIn(schema.unwrap(), value, path)
  if (schema instanceof z.ZodUnion)
    return unlistedIn(schema.options.find((option) => z.safeParse(option, value).success) ?? schema, value, path)
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.flatMap((entry, index) => unlistedIn(schema.element, entry, [...path, index]))
  if (schema instanceof z.ZodObject && isObject(value))
    return Object.entries(schema.shape).flatMap(([key, field]) => unlistedIn(field, at(value, key), [...path, key]))
  return []
}

const isUnlisted = (note: unknown) => at(note, 'x-unlisted') === true

/** Whether a way of being, in words of JSON Schema, describes a value. */
function describes(way: unknown, value: unknown): boolean {
  const pattern = at(way, 'pattern')
  return typeof pattern === 'string' ? new RegExp(pattern).test(String(value)) : listAt(way, 'enum').includes(value)
}
