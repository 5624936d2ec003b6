import { type Endpoint, isChange } from '../contract/api/endpoint.ts'
import type { Files, WireRequest } from '../contract/api/wire.ts'
import { at, isObject } from '../contract/schema/path.ts'

/** The request of an operation with its input, without credentials. Files declare their type as they are sent. */
export function buildRequest(row: Endpoint, input: unknown, appId: string): WireRequest {
  const body = row.body === undefined ? undefined : JSON.stringify(at(input, 'body'))
  return {
    method: row.method,
    path: buildPath(row.path, input) + buildQuery(at(input, 'query')),
    headers: {
      'app-id': appId,
      ...(!row.upload && contentType(row.method)),
      ...(at(input, 'unlessThere') === true && { 'if-none-match': '*' }),
    },
    ...(body !== undefined && { body }),
    changes: isChange(row),
    repeatable: row.repeatable ?? !isChange(row),
    ...(row.upload && { files: filesIn(input) }),
  }
}

/** The type that a request declares, even without a body: as Get Profile for a GET, else JSON. Spec 4, 4.1, 4.3. */
export const contentType = (method: string) => ({
  'content-type': method === 'GET' ? 'application/x-www-form-urlencoded' : 'application/json',
})

/** The client's types say that an upload's input has files. */
const filesIn = (input: unknown) => at(input, 'files') as Files

/** The names of what a path has in place of its parameters. */
export const parametersOf = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)

const buildPath = (path: string, input: unknown) =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(at(input, name))))

function buildQuery(query: unknown): string {
  if (!isObject(query)) return ''
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return given.length
    ? `?${new URLSearchParams(Object.fromEntries(given.map(([name, value]) => [name, String(value)])))}`
    : ''
}
