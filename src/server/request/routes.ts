import { type Operation, operations } from '../../contract/api/api.ts'
import type { Endpoint } from '../../contract/api/endpoint.ts'

/** A path under which an operation is served. */
export interface Route {
  readonly operation: Operation
  readonly row: Endpoint
  readonly path: string
}

/** Paths under which some clients look for an operation, besides its own. */
const aliases: Partial<Record<Operation, readonly string[]>> = { discover: ['/vatom/discover'] }

/** Every path of every row of the table. */
export const routes: readonly Route[] = operations.flatMap(([operation, row]) =>
  [row.path, ...(aliases[operation] ?? [])].map((path) => ({ operation, row, path })),
)
