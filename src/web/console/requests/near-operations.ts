import { operations } from '../../../contract/api/table.ts'
import { suggest } from '../../../contract/schema/suggest.ts'

/** An operation by its name, and how it is requested. */
interface Near {
  readonly name: string
  readonly request: string
}

/** The operations of the path that one without any misspells; none where no path is near. */
export function operationsNear(path: string): Near[] {
  const given = path.split('/')
  const candidates = operations.map(([name, row]) => ({ name, row, like: withParts(row.path, given) }))
  const near = suggest(path, [...new Set(candidates.map(({ like }) => like))])
  return candidates
    .filter(({ like }) => like === near)
    .map(({ name, row }) => ({ name, request: `${row.method} ${row.path}` }))
}

/** A path of the API with the parts of another in place of its parameters. */
const withParts = (pattern: string, given: readonly string[]): string =>
  pattern
    .split('/')
    .map((part, index) => (part.startsWith(':') ? (given[index] ?? part) : part))
    .join('/')
