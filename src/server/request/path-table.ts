import { ApiError } from '../../contract/api/errors.ts'

/** A row of a table of paths, whose parameters are `:name`. */
interface Row<T> {
  readonly method: string
  readonly path: string
  readonly value: T
}

/** What a path is for, and its parameters. */
export interface Found<T> {
  readonly value: T
  readonly params: Readonly<Record<string, string>>
}

/** What requests are for, by their method and path; repeated slashes count as one. */
export class PathTable<T> {
  readonly #rows: () => readonly Row<T>[]
  /** By method and number of segments, those with a name in a place before those with a parameter there. */
  #index: Map<string, (Row<T> & { readonly parts: readonly string[] })[]> | undefined

  /** The rows are read at the first request. */
  constructor(rows: () => readonly Row<T>[]) {
    this.#rows = rows
  }

  /** What a request is for, if there is a row for it. Throws `invalid` for a path that cannot be decoded. */
  find(method: string, path: string): Found<T> | undefined {
    this.#index ??= indexed(this.#rows())
    const segments = path.includes('%') ? segmentsOf(path).map(decoded) : segmentsOf(path)
    const row = this.#index.get(keyOf(method, segments))?.find(({ parts }) => fits(parts, segments))
    return row && { value: row.value, params: paramsOf(row.parts, segments) }
  }
}

function indexed<T>(rows: readonly Row<T>[]) {
  const index = new Map<string, (Row<T> & { parts: string[] })[]>()
  for (const row of rows) {
    const parts = row.path.split('/')
    const key = keyOf(row.method, parts)
    index.set(key, [...(index.get(key) ?? []), { ...row, parts }])
  }
  for (const entries of index.values()) entries.sort((a, b) => (rank(a.parts) < rank(b.parts) ? -1 : 1))
  return index
}

const rank = (parts: readonly string[]) => parts.map((part) => (isParameter(part) ? '1' : '0')).join('')
const isParameter = (part: string) => part.startsWith(':')
const keyOf = (method: string, { length }: readonly string[]) => `${method} ${length}`

/** The segments of a path as they came. */
export const segmentsOf = (path: string): string[] =>
  (path.includes('//') ? path.replace(/\/{2,}/g, '/') : path).split('/')

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new ApiError('invalid', `${segment} is not a valid part of a path`)
  }
}

/** Whether a path fits a pattern: a parameter is not empty. */
export const fits = (parts: readonly string[], segments: readonly string[]): boolean =>
  parts.length === segments.length &&
  parts.every((part, place) => (isParameter(part) ? segments[place] !== '' : part === segments[place]))

/** The parameters of a path that fits a pattern. */
function paramsOf(parts: readonly string[], segments: readonly string[]): Readonly<Record<string, string>> {
  const params: Record<string, string> = {}
  for (const [place, part] of parts.entries()) if (isParameter(part)) params[part.slice(1)] = segments[place] ?? ''
  return params
}
