import { at } from '../../../contract/schema/path.ts'
import { fetchOwn } from '../../page-session.ts'

/** A refusal of the service, or no answer. */
export class LocalFailure extends Error {
  override readonly name = 'LocalFailure'

  constructor(
    message: string,
    /** Undefined if there was no answer. */
    readonly status: number | undefined,
  ) {
    super(message)
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Calls a route of the service's own; answers its payload, which is as `contract` declares. Throws `LocalFailure`. */
export async function local<T>(method: Method, path: string, body?: unknown, headers = {}): Promise<T> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await fetchOwn(path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...sent,
  }).catch(() => {
    throw new LocalFailure('The service does not answer. Start it again: vatom serve', undefined)
  })
  const answer: unknown = await response.json().catch(() => undefined)
  if (!response.ok)
    throw new LocalFailure(String(at(answer, 'message') ?? `The service answered ${response.status}`), response.status)
  return at(answer, 'payload') as T
}
