import type * as z from 'zod/v4'
import type { Endpoint } from '../../contract/api/endpoint.ts'
import { ApiError, type ErrorName, type WireIssue } from '../../contract/api/errors.ts'
import { type Issue, schemaIssues } from '../../contract/schema/issues.ts'
import { printPath } from '../../contract/schema/path.ts'

/**
 * The input as a schema of the row reads it; throws `invalid` with an issue for every problem, or `invalidDate`
 * where the row declares that and nothing but a birthday is wrong.
 */
export function validated<S extends z.ZodType>(
  schema: S,
  input: unknown,
  { spec, errors }: Pick<Endpoint, 'spec' | 'errors'>,
): z.output<S> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  const issues = schemaIssues(schema, input, result.error, spec)
  const onlyDate = errors.includes('invalidDate') && issues.every(({ path }) => path.join() === 'birthday')
  throw refusal(onlyDate ? 'invalidDate' : 'invalid', issues)
}

/** An error that names every issue; its message is the first one's. */
export function refusal(kind: ErrorName, issues: readonly Issue[]): ApiError {
  const wire = issues.map(wireIssue)
  const [first] = wire
  if (!first) return new ApiError(kind)
  const place = first.path && !first.message.includes(first.path) ? `${first.path}: ` : ''
  const more = wire.length > 1 ? ` (and ${wire.length - 1} more)` : ''
  return new ApiError(kind, `${place}${first.message}${more}`, wire)
}

const wireIssue = ({ path, message, hint }: Issue): WireIssue => ({
  path: printPath(path),
  message: hint ? `${message}; ${hint}` : message,
})
