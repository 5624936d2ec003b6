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

/** The service cannot be started as the options say: `hint` says what to do. */
export declare class ServiceFailure extends Error {
  readonly name: 'ServiceFailure'
  readonly code: 'port_taken' | 'address_unusable' | 'publisher_invalid' | 'email_invalid'
  readonly hint: string
}

/**
 * Starts a service in this process, with its data in memory, that listens on this machine. Throws a CatalogError for
 * documents that are not valid, a ServiceFailure for a port that is taken or a publisher that is no domain name, and a
 * ServiceError for users who are refused.
 */
export declare function startService(options?: StartOptions): Promise<TestService>
