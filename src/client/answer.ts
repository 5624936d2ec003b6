import type * as z from 'zod/v4'
import type { Endpoint } from '../contract/api/endpoint.ts'
import { ErrorBody } from '../contract/api/envelope.ts'
import type { WireResponse } from '../contract/api/wire.ts'
import type { Schema } from '../contract/schema/lazy-schema.ts'
import { at } from '../contract/schema/path.ts'
import { parseJson } from '../contract/unknown-values.ts'
import { serviceError, UnexpectedAnswerError } from './errors.ts'

/** An operation's payload out of an answer; throws ServiceError on an error, whatever its body. */
export function readAnswer<P extends z.ZodType>(
  row: Pick<Endpoint, 'method' | 'path' | 'errors'> & { readonly payload: Schema<P> },
  response: WireResponse,
): z.output<P> {
  const body = parseJson(response.body)
  if (response.status !== 200) throw serviceError(response.status, ErrorBody().safeParse(body).data ?? {}, row.errors)
  const payload = row.payload().safeParse(at(body, 'payload'))
  if (payload.success) return payload.data
  throw new UnexpectedAnswerError(`${row.method} ${row.path} did not answer what the API declares`, {
    cause: payload.error,
  })
}
