import type { Schema } from '../schema/lazy-schema.ts'
import { Confirmation } from './envelope.ts'
import type { ErrorName } from './errors.ts'
import type { Method } from './methods.ts'

/**
 * Who may call: `none` needs only the App-Id; `refresh` takes the refresh token; `user` a user's access token,
 * `optional` does where one is sent; `publisher` takes that of a publisher's administrator. Spec 5.
 */
export type Auth = 'none' | 'refresh' | 'optional' | 'user' | 'publisher'

/** The files that an operation takes. */
export interface Upload {
  readonly files: number
  /** Of each file, at most. */
  readonly bytes: number
  /** The form field that they must be in; any by default. */
  readonly field?: string
  /** The error for a file that is refused; `invalid` by default. Too large is `tooLarge`. */
  readonly refusal?: ErrorName
}

/** One operation of the API, as data. */
export interface Endpoint {
  readonly method: Method
  /** Path with `:name` parameters. */
  readonly path: string
  readonly auth: Auth
  /** The specification's section; null for what it does not name. */
  readonly spec: string | null
  readonly summary: string
  readonly query?: Schema
  readonly body?: Schema
  /** Takes files, as `multipart/form-data`. */
  readonly upload?: Upload
  /** Accepts `If-None-Match: *`: creates no record if there is an equal one, which is then `nameTaken`. */
  readonly unlessThere?: true
  /** Which of its calls are counted, where it can answer `rateLimited`: those with a password, by user; else all, by address. */
  readonly counted?: 'passwords'
  /** Changes nothing, whatever its method. */
  readonly reads?: true
  /** Changes nothing more when it is sent again, and so is, where its answer is lost. */
  readonly repeatable?: true
  /** Unknown keys of the body are `ignored` and named in `Vatom-Ignored`, or `taken` as they are; else refused. */
  readonly unknownKeys?: 'ignored' | 'taken'
  readonly payload: Schema
  /** Every error; the first of a status is the one meant when a service sends no application code. */
  readonly errors: readonly ErrorName[]
  /** Our assumption where neither the specification nor a public source says how the operation works. */
  readonly assumed?: string
  /** Assumptions about details, without which the operation would work as well. */
  readonly details?: readonly string[]
}

/** Whether an operation changes anything. */
export const isChange = ({ method, reads }: Pick<Endpoint, 'method' | 'reads'>): boolean =>
  method !== 'GET' && reads !== true
/** Whether all calls of an operation are counted by their address. */
export const isCounted = ({ errors, counted }: Pick<Endpoint, 'errors' | 'counted'>): boolean =>
  errors.includes('rateLimited') && counted === undefined
/** Whether a body must be sent; else none means `{}`. What changes nothing needs none where every field is optional. */
export const needsBody = ({ reads, body }: Endpoint): boolean => !reads || !body?.().safeParse({}).success

/**
 * An operation as its row declares it: without the errors that every operation of its `auth` has; without a section
 * where the specification only lists it, and without a payload where it only confirms.
 */
type EndpointRow = Omit<Endpoint, Completed> & Partial<Pick<Endpoint, Completed>>
type Completed = 'errors' | 'spec' | 'payload'

/** Operations by their name. */
export type Rows = Readonly<Record<string, EndpointRow>>

/** Errors of operations on a publisher's own record, named in the path. */
export const ownRecord = ['foreignRecord', 'notFound'] as const satisfies readonly ErrorName[]

const refusals: Readonly<Record<Auth, readonly ErrorName[]>> = {
  none: [],
  refresh: ['refreshToken'],
  optional: ['unauthorized'],
  user: ['unauthorized'],
  publisher: ['unauthorized', 'notPublisher'],
}

/** The operation of a row. Its errors are those of its caller's token, its own, and that of the App-Id. */
export const complete = (row: EndpointRow): Endpoint => ({
  spec: '4',
  payload: Confirmation,
  ...row,
  errors: [...refusals[row.auth], ...(row.errors ?? []), 'appId'],
})
