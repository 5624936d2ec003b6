import type { Difference } from '../../contract/kinds/changes.ts'
import type { Status } from '../kinds/results.ts'

/** A request that was not sent, or only as a dry run. */
export interface Unsent {
  readonly method: string
  /** Path and query below the base URL. */
  readonly path: string
  /** Secrets in it hidden. */
  readonly body?: unknown
}

/** What a document changes in its record. */
export interface DocumentChanges {
  readonly changes: readonly Difference[]
  /** How many vAtoms change with it. */
  readonly following_vatoms?: number
}

/** Thrown by a write under --dry-run, so that no code after it believes that it was done. */
export class Would extends Error {
  override readonly name = 'Would'

  constructor(
    /** In words that follow `Would`: `create template acme.com::Coffee::v1 (draft) on local`. */
    readonly what: string,
    /** The status that it would have in a table of results. */
    readonly becomes: Status,
    readonly request?: Unsent,
    /** The predicted answer, with its secrets hidden; undefined if there is none. */
    readonly answer?: unknown,
    readonly changed?: DocumentChanges,
  ) {
    super(`Would ${what}`)
  }
}

/**
 * The outcome of a write; under --dry-run throws `Would` with `what`, which may depend on the answer, and `becomes` if the
 * method of the request does not give the right status; and with what a document changes.
 */
export async function would<T>(
  what: string | ((answer: unknown) => string),
  write: Promise<T>,
  becomes?: Status,
  changed?: () => Promise<DocumentChanges>,
): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (!(error instanceof Would)) throw error
    const { request, answer } = error
    const text = typeof what === 'string' ? what : what(answer)
    throw new Would(text, becomes ?? error.becomes, request, answer, await changed?.())
  }
}
