import type * as z from 'zod/v4'
import type { ErrorName } from './errors.ts'

/**
 * Who may call: `none` needs only the App-Id; `refresh` takes the refresh token; `user` a user's access token;
 * `publisher` that of a publisher's administrator. Spec 5.
 */
export type Auth = 'none' | 'refresh' | 'user' | 'publisher'

/** One operation of the API, as data. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Path with `:name` parameters. */
  readonly path: string
  readonly auth: Auth
  /** The specification's section. */
  readonly spec: string
  readonly summary: string
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** Takes files, as `multipart/form-data`: how many, and how many bytes each may have. */
  readonly upload?: { readonly files: number; readonly bytes: number }
  /** Changes nothing, whatever its method. */
  readonly reads?: true
  /** Unknown keys of the body are `ignored` and named in `Vatom-Ignored`, or `taken` as they are; else refused. */
  readonly unknownKeys?: 'ignored' | 'taken'
  readonly payload: z.ZodType
  /** Declared errors; the first of a status is the one meant when a service sends no application code. */
  readonly errors: readonly ErrorName[]
  /** What neither the specification nor a public source settles, and so is our assumption. */
  readonly assumed?: string
  /** Details that nothing settles, of an operation that does not rest on them. */
  readonly details?: readonly string[]
}
