import type * as z from 'zod/v4'
import { ApiError, type ErrorName } from '../contract/api/errors.ts'
import { limits } from '../contract/limits.ts'
import { schemaIssues } from '../contract/schema/issues.ts'
import { messageOf } from '../contract/unknown-values.ts'
import { refusal } from './domain/refusal.ts'

/**
 * The input as a schema reads it; throws `invalid` with an issue for every problem, or `invalidDate` where that is
 * among the declared errors and nothing but a birthday is wrong.
 */
export function validated<S extends z.ZodType>(
  schema: S,
  input: unknown,
  declared: readonly ErrorName[] = [],
): z.output<S> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  const issues = schemaIssues(schema, input, result.error)
  const onlyDate = declared.includes('invalidDate') && issues.every(({ path }) => path.join() === 'birthday')
  throw refusal(onlyDate ? 'invalidDate' : 'invalid', issues)
}

/**
 * A request body as JSON, of any content type. Throws `invalid` for text that is not JSON, is nested too deeply, has a
 * number beyond range, or a key that would change a prototype.
 */
export function parseJsonBody(text: string): unknown {
  const json = text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text
  if (json.trim() === '') return undefined
  try {
    const value: unknown = JSON.parse(json)
    inspect(value, 1)
    return value
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new ApiError('invalid', `the body is not JSON: ${messageOf(error)}`)
  }
}

const byteOrderMark = 0xfeff

function inspect(value: unknown, depth: number): void {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new ApiError('invalid', 'the body has a number beyond the range of numbers')
  if (typeof value !== 'object' || value === null) return
  if (depth > limits.depth) throw new ApiError('invalid', `the body is nested deeper than ${limits.depth} levels`)
  if (Object.hasOwn(value, '__proto__') || poisonsConstructor(value))
    throw new ApiError('invalid', 'the body holds a key that would change what objects inherit')
  for (const inner of Object.values(value)) inspect(inner, depth + 1)
}

function poisonsConstructor(value: object): boolean {
  if (!Object.hasOwn(value, 'constructor')) return false
  const own: unknown = Reflect.get(value, 'constructor')
  return typeof own === 'object' && own !== null && Object.hasOwn(own, 'prototype')
}
