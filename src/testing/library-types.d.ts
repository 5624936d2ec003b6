import type { StartOptions, TestService } from './service-types.ts'

/** A problem of a document. */
export interface CatalogProblem {
  readonly file: string
  readonly line?: number
  readonly column?: number
  readonly rule: string
  /** Place in the document. */
  readonly path: string
  readonly message: string
  readonly hint?: string
}

/** The documents of a catalog are not valid: the message shows each problem in its file. */
export declare class CatalogError extends Error {
  readonly name: 'CatalogError'
  readonly problems: readonly CatalogProblem[]
}

/**
 * Starts a service in this process, with its data in memory, that listens on this machine. Throws a CatalogError for
 * documents that are not valid.
 */
export declare function startService(options?: StartOptions): Promise<TestService>
