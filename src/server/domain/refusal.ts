import { ApiError, type ErrorName, type WireIssue } from '../../contract/api/errors.ts'
import type { Issue } from '../../contract/schema/issues.ts'
import { printPath } from '../../contract/schema/path.ts'

/** An error with every issue; its message is the first one's, with its path. */
export function refusal(kind: ErrorName, issues: readonly Issue[]): ApiError {
  const [first] = issues
  if (!first) return new ApiError(kind)
  const { path, message } = wireIssue(first)
  const place = path === '' || namesPath(first) ? '' : `${path}: `
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''
  return new ApiError(kind, `${place}${message}${more}`, issues.map(wireIssue))
}

/** Whether the message of an issue has the path already, as that of a missing or unknown field does. */
const namesPath = ({ rule, path }: Issue): boolean =>
  rule === 'required' || (rule === 'unknown-field' && path.length === 1)

/** An issue as it is answered: its hint is part of the message. */
export const wireIssue = ({ path, message, hint }: Issue): WireIssue => ({
  path: printPath(path),
  message: hint ? `${message}; ${hint}` : message,
})
