import type { Status } from '../kinds/results.ts'

/** A request that was not sent, or only as a dry run. */
export interface Unsent {
  readonly method: string
  /** Path and query below the base URL. */
  readonly path: string
  /** Secrets in it hidden. */
  readonly body?: unknown
}

/** What a write would do; it is thrown in the place of one under --dry-run, so that none is taken for done. */
export class Would extends Error {
  override readonly name = 'Would'

  constructor(
    /** In words that follow `Would`: `create template acme.com::Coffee::v1 (draft) on local`. */
    readonly what: string,
    /** What a row would say it came to. */
    readonly becomes: Status,
    readonly request?: Unsent,
    /** What the service would answer, secrets hidden; undefined where it does not predict that. */
    readonly answer?: unknown,
  ) {
    super(`Would ${what}`)
  }
}

/**
 * A write, with what it does in words; under --dry-run those are said in its place. `becomes` is what it comes to where
 * its method does not tell.
 */
export async function would<T>(what: string, write: Promise<T>, becomes?: Status): Promise<T> {
  try {
    return await write
  } catch (error) {
    throw error instanceof Would ? new Would(what, becomes ?? error.becomes, error.request, error.answer) : error
  }
}
