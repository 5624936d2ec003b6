import type { Client } from '../../client/client.ts'
import { buildRequest } from '../../client/request.ts'
import { type Operation, operations } from '../../contract/api.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { at } from '../../contract/path.ts'
import type { Status } from '../documents/results.ts'
import type { Connection } from '../service/connect.ts'
import { foresightOf } from './foresee.ts'
import { type Unsent, Would } from './would.ts'

/**
 * A connection that reads and does not write: in the place of a write it throws what the service would refuse, as far as
 * reads tell, else Would.
 */
export function withoutWrites(connection: Connection): Connection {
  const { client, raw } = connection
  const foresee = foresightOf(client)
  const refused = operations.filter(([, row]) => writes(row)).map(([name, row]) => [name, refusing(name, row)])
  const isRead = (method: string, path: string) =>
    method === 'GET' || operations.some(([, row]) => !writes(row) && row.method === method && row.path === path)

  function refusing(name: Operation, row: Endpoint) {
    return async (input: unknown) => {
      await foresee(name, input)
      throw new Would(`${row.summary.charAt(0).toLowerCase()}${row.summary.slice(1)}`, outcome(row, input), {
        method: row.method,
        path: buildRequest(row, input, '').path,
        ...(row.body && { body: withoutSecrets(at(input, 'body')) }),
      })
    }
  }

  return {
    ...connection,
    client: { ...client, ...(Object.fromEntries(refused) as Partial<Client>) },
    raw: async (request) => {
      const { method, path, body } = request
      if (isRead(method, path.replace(/\?.*/s, ''))) return raw(request)
      const unsent: Unsent = { method, path, ...(body !== undefined && { body: withoutSecrets(readable(body)) }) }
      throw new Would(`send ${method} ${path} to ${connection.place}`, 'updated', unsent)
    },
  }
}

const writes = ({ method, reads }: Endpoint) => method !== 'GET' && reads !== true

const outcomes: Readonly<Partial<Record<string, Status>>> = { POST: 'created', DELETE: 'deleted' }

/** What a row would say that a write came to. */
const outcome = ({ method }: Endpoint, input: unknown): Status =>
  at(input, 'body', 'unpublished') === false ? 'published' : (outcomes[method] ?? 'updated')

const secret = ['password', 'auth_data', 'token']

const withoutSecrets = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body ?? null, (key, value: unknown) => (secret.includes(key) ? '(hidden)' : value)))

/** The JSON of a text; anything else as it is. */
function readable(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
