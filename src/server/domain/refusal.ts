import { ApiError, type ErrorName, type WireIssue } from '../../contract/api/errors.ts'
import type { Issue } from '../../contract/schema/issues.ts'
import { printPath } from '../../contract/schema/path.ts'

/** An error that names every issue; its message is the first one's. */
export function refusal(kind: ErrorName, issues: readonly Issue[]): ApiError {
  const wire = issues.map(wireIssue)
  const [first] = wire
  if (!first) return new ApiError(kind)
  const place = first.path && !first.message.includes(first.path) ? `${first.path}: ` : ''
  const more = wire.length > 1 ? ` (and ${wire.length - 1} more)` : ''
  return new ApiError(kind, `${place}${first.message}${more}`, wire)
}

/** An issue as it is answered: its hint is part of the message. */
export const wireIssue = ({ path, message, hint }: Issue): WireIssue => ({
  path: printPath(path),
  message: hint ? `${message}; ${hint}` : message,
})
