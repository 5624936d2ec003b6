import { parse } from 'node:querystring'
import { needsBody } from '../../contract/api/endpoint.ts'
import { ApiError } from '../../contract/api/errors.ts'
import { parseJsonBody } from '../../contract/api/json-body.ts'
import type { Files } from '../../contract/api/wire.ts'
import { limits } from '../../contract/limits.ts'
import { isObject, type Path, printPath } from '../../contract/schema/path.ts'
import type { Environment } from '../environment.ts'
import { validated } from '../valid-input.ts'
import { rewrites } from './compatibility.ts'
import type { Notices } from './notices.ts'
import { operationPaths, type Route } from './routes.ts'
import { checkListed } from './strict-spec.ts'

/** What the path and query of a request say to its operation. */
interface Asked {
  readonly params: Readonly<Record<string, string>>
  readonly query: unknown
}

/** The contents of a request. */
export interface Contents extends Asked {
  readonly body: string
  /** The files of an upload, one after the other. */
  readonly files: Files | undefined
  readonly ifNoneMatch: string | undefined
  /** Address under which the caller reaches the service. */
  readonly baseUrl: string
}

/** The path of a URL, as the web server reads it. */
export const pathIn = (url: string): string => url.split(/[?#]/, 1)[0] ?? ''

/** A query as an object. More keys than are read have some among them that are refused. */
export const parseQuery = (text: string) => parse(text, '&', '=', { maxKeys: limits.queryKeys })

/** What a path and query, as they came, say to an operation. */
export const askedIn = ({ method }: Route['row'], url: string): Asked => ({
  params: operationPaths.find(method, pathIn(url))?.params ?? {},
  query: queryIn(url),
})

/** The query of a path and query. */
export const queryIn = (url: string) => parseQuery(url.slice(pathIn(url).length + 1))

/** A body that is parsed when it is first read: an operation checks the path before. */
class LaterBody {
  readonly #read: () => unknown
  #known: { readonly value: unknown } | undefined

  constructor(read: () => unknown) {
    this.#read = read
  }

  get body(): unknown {
    this.#known ??= { value: this.#read() }
    return this.#known.value
  }
}

/** The input of an operation: its parameters, query and files, and its body. */
export function inputOf(route: Route, contents: Contents, reading: Reading): object {
  const { row } = route
  return Object.assign(
    new LaterBody(() => bodyOf(route, contents.body, reading)),
    contents.params,
    row.upload && { files: contents.files ?? [] },
    row.unlessThere && { unlessThere: contents.ifNoneMatch === '*' },
    row.query && { query: validated(row.query(), contents.query, row.errors) },
  )
}

/** How a body is read, and where its warnings and ignored keys are added. */
interface Reading {
  readonly environment: Pick<Environment, 'compat' | 'strictSpec'>
  readonly notices: Notices
}

function bodyOf({ operation, row }: Route, text: string, { environment, notices }: Reading): unknown {
  if (!row.body) throw new ApiError('internal', `${row.path} declares no body`)
  const sent = parseJsonBody(text, row.auth === 'publisher' ? limits.values : limits.valuesOfUser)
  const completed = sent === undefined && !needsBody(row) ? {} : sent
  const body = isObject(completed)
    ? (rewrites[operation]?.(completed, environment.compat, notices) ?? completed)
    : completed
  const value = validated(row.body(), body, row.errors)
  if (environment.strictSpec) checkListed(row.body(), body)
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
