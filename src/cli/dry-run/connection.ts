import type { Client } from '../../client/client.ts'
import type { RawRequest } from '../../client/raw.ts'
import { buildRequest } from '../../client/request.ts'
import type { Endpoint } from '../../contract/api/endpoint.ts'
import { type Operation, operations } from '../../contract/api/table.ts'
import { at } from '../../contract/schema/path.ts'
import type { Status } from '../kinds/results.ts'
import type { Connection } from '../service/connect.ts'
import { type Foresee, foresightOf } from './foresee.ts'
import { listed } from './request-listing.ts'
import { bodyWithoutSecrets, pathWithoutSecrets, withoutSecrets } from './secrets.ts'
import { type Unsent, Would } from './would.ts'

/**
 * A connection that reads and does not write: in the place of a write it throws what the service would refuse, as far as
 * reads tell, else Would.
 */
export function withoutWrites(connection: Connection): Connection {
  const lists = listed(connection.client)
  const foresee = foresightOf(connection.client, lists)
  const refusing = operations
    .filter(([, row]) => writes(row))
    .map(([name, row]) => [name, (input: unknown) => refuse(name, row, input, foresee)])
  return {
    ...connection,
    client: {
      ...connection.client,
      ...(Object.fromEntries(refusing) as Partial<Client>),
      listFaces: lists.listFaces,
    },
    raw: async (request) => {
      if (!isRead(request)) throw wouldSend(request, connection.place)
      return connection.raw(request)
    },
  }
}

const writes = ({ method, reads }: Endpoint) => method !== 'GET' && reads !== true

async function refuse(name: Operation, row: Endpoint, input: unknown, foresee: Foresee): Promise<never> {
  await foresee(name, input)
  throw new Would(row.summary.charAt(0).toLowerCase() + row.summary.slice(1), outcome(row, input), {
    method: row.method,
    path: buildRequest(row, input, '').path,
    ...(row.body && { body: withoutSecrets(at(input, 'body')) }),
  })
}

const isRead = ({ method, path }: RawRequest) =>
  method === 'GET' ||
  operations.some(([, row]) => !writes(row) && row.method === method && row.path === path.replace(/\?.*/s, ''))

function wouldSend({ method, path, body }: RawRequest, place: string): Would {
  const shown = pathWithoutSecrets(path)
  const unsent: Unsent = { method, path: shown, ...(body !== undefined && { body: bodyWithoutSecrets(body) }) }
  return new Would(`send ${method} ${shown} to ${place}`, outcomes[method] ?? 'updated', unsent)
}

const outcomes: Readonly<Partial<Record<string, Status>>> = { POST: 'created', DELETE: 'deleted' }

/** What a row would say that a write came to. */
const outcome = ({ method }: Endpoint, input: unknown): Status =>
  at(input, 'body', 'unpublished') === false ? 'published' : (outcomes[method] ?? 'updated')
