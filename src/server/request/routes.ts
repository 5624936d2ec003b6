import type { Endpoint } from '../../contract/api/endpoint.ts'
import { ApiError } from '../../contract/api/errors.ts'
import { notOffered } from '../../contract/api/not-offered.ts'
import { type Operation, operations } from '../../contract/api/table.ts'
import { type Found, fits, PathTable, segmentsOf } from './path-table.ts'

/** A path under which an operation is served. */
export interface Route {
  readonly operation: Operation
  readonly row: Endpoint
  readonly path: string
}

/** Paths that some clients use for an operation, besides its own. */
const aliases: Partial<Record<Operation, readonly string[]>> = { discover: ['/vatom/discover'] }

/** Every path of every row of the table. */
export const routes: readonly Route[] = operations.flatMap(([operation, row]) =>
  [row.path, ...(aliases[operation] ?? [])].map((path) => ({ operation, row, path })),
)

/** The operations by method and path. */
export const operationPaths = new PathTable(() =>
  routes.map((route) => ({ method: route.row.method, path: route.path, value: route })),
)

/** The route of a path, and its parameters. Throws `invalid` and what `noRoute` returns. */
export function findRoute(method: string, path: string): Found<Route> {
  const found = operationPaths.find(method.toUpperCase(), path)
  if (found) return found
  throw noRoute(method, path)
}

/**
 * The error of a request that no operation is served for: `notOffered` where the operation is known, `wrongMethod` where
 * the path has other methods, else `unknownPath`.
 */
export function noRoute(method: string, path: string): ApiError {
  const segments = segmentsOf(path)
  const isFor = (row: { readonly path: string }) => fits(row.path.split('/'), segments)
  const known = notOffered.find((row) => row.method === method && isFor(row))
  if (known)
    return new ApiError(
      'notOffered',
      `${known.method} ${known.path} is known, and this service does not offer it: ${known.subject}`,
    )
  const others = routes.filter(isFor)
  if (!others[0]) return new ApiError('unknownPath')
  const methods = others.map(({ row }) => row.method).join(', ')
  return new ApiError('wrongMethod', `No such method: ${others[0].path} has ${methods}, not ${method}`)
}
