import type { ConsoleRequest } from '../../../contract/console.ts'

/** Which requests are shown. */
export interface Filter {
  /** Words; each is in the method, path, operation, status or mark of a request. `4xx` stands for all refusals of that class. */
  readonly text: string
  readonly refusedOnly: boolean
  /** Whether the requests of the console itself are shown, too. */
  readonly ownToo: boolean
}

export const noFilter: Filter = { text: '', refusedOnly: false, ownToo: false }

/** Whether a request was refused, or had no answer. */
export const isRefused = ({ status }: Pick<ConsoleRequest, 'status'>): boolean => status === null || status >= 400

/** A path as somebody reads it: with `::` instead of `%3A%3A`. */
export function readablePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** A path, and its query. */
export function divided(path: string): [path: string, query?: string] {
  const end = path.indexOf('?')
  return end < 0 ? [path] : [path.slice(0, end), path.slice(end + 1)]
}

/** The requests that a filter lets through, newest first. */
export function filtered(requests: readonly ConsoleRequest[], { text, refusedOnly, ownToo }: Filter): ConsoleRequest[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return requests
    .filter(
      (request) =>
        (ownToo || !request.console) &&
        (!refusedOnly || isRefused(request)) &&
        words.every((word) => has(request, word)),
    )
    .reverse()
}

function has({ method, path, operation = '', status, dry_run }: ConsoleRequest, word: string): boolean {
  const [, hundred] = /^([1-5])xx$/.exec(word) ?? []
  if (hundred !== undefined) return String(status).startsWith(hundred)
  const marks = `${status ?? 'dropped'} ${dry_run ? 'dry run' : ''}`
  return `${method} ${path} ${readablePath(path)} ${operation} ${marks}`.toLowerCase().includes(word)
}
