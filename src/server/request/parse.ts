import type * as z from 'zod/v4'
import { type Endpoint, needsBody } from '../../contract/api/endpoint.ts'
import { ApiError } from '../../contract/api/errors.ts'
import type { Files } from '../../contract/api/wire.ts'
import { limits } from '../../contract/limits.ts'
import { schemaIssues } from '../../contract/schema/issues.ts'
import { isObject, type Path, printPath } from '../../contract/schema/path.ts'
import { refusal } from '../domain/refusal.ts'
import { rewrites } from './compat.ts'
import type { Notices } from './notices.ts'
import type { Route } from './routes.ts'

/** What a request came with. */
export interface Contents {
  readonly params: Readonly<Record<string, string>>
  readonly query: unknown
  readonly body: string
  /** The files of an upload, one after the other. */
  readonly files: Files | undefined
  readonly ifNoneMatch: string | undefined
  /** Address under which the caller reaches the service. */
  readonly baseUrl: string
}

/** What a request gives its operation. The body is parsed when it is first read: an operation checks the path before. */
export function inputOf(route: Route, contents: Contents, reading: Reading): object {
  const { row } = route
  let body: { readonly value: unknown } | undefined
  return {
    ...contents.params,
    ...(row.upload && { files: contents.files ?? [] }),
    ...(row.unlessThere && { unlessThere: contents.ifNoneMatch === '*' }),
    ...(row.query && { query: validated(row.query(), contents.query, row) }),
    get body() {
      body ??= { value: bodyOf(route, contents.body, reading) }
      return body.value
    },
  }
}

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

/** How bodies are read, and where their warnings and ignored keys go. */
interface Reading {
  readonly compat: 'spec' | 'sdk'
  readonly notices: Notices
}

function bodyOf({ operation, row }: Route, text: string, { compat, notices }: Reading): unknown {
  if (!row.body) throw new ApiError('internal', `${row.path} declares no body`)
  const sent = parseJsonBody(text)
  const completed = sent === undefined && !needsBody(row) ? {} : sent
  const rewrite = rewrites[operation]
  const body =
    rewrite && isObject(completed) ? rewrite(completed, compat, (warning) => notices.warn(warning)) : completed
  const value = validated(row.body(), body, row)
  if (row.unknownKeys === 'ignored') notices.ignored(keysLeftOut(body, value))
  return value
}

/** Keys of a body that its schema left out, as printed paths. */
function keysLeftOut(input: unknown, read: unknown, path: Path = []): string[] {
  if (Array.isArray(input) && Array.isArray(read))
    return input.flatMap((entry, index) => keysLeftOut(entry, read[index], [...path, index]))
  if (!isObject(input) || !isObject(read)) return []
  return Object.keys(input).flatMap((key) =>
    Object.hasOwn(read, key) ? keysLeftOut(input[key], read[key], [...path, key]) : [printPath([...path, key])],
  )
}

/**
 * A request body as JSON, whatever its content type says. Refuses with `invalid` what is not JSON, is nested too
 * deeply, holds a number beyond range, or would change what objects inherit.
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
    throw new ApiError('invalid', `the body is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const byteOrderMark = 0xfeff

function inspect(value: unknown, depth: number): void {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new ApiError('invalid', 'the body holds a number beyond the range of numbers')
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
