import type * as z from 'zod/v4'
import type { ErrorName } from '../contract/api/errors.ts'
import { schemaIssues } from '../contract/schema/issues.ts'
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
