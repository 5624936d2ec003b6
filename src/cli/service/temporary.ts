import type * as z from 'zod/v4'
import { readAnswer } from '../../client/answer.ts'
import type { RawCall } from '../../client/raw.ts'
import { type LocalRow, localPrefix, localRows } from '../../contract/api/local-routes.ts'
import type { Schema } from '../../contract/schema/lazy-schema.ts'
import { at } from '../../contract/schema/path.ts'
import { parseJson } from '../../contract/unknown-values.ts'
import type { Snapshots } from '../../server/snapshots/snapshots.ts'
import { hinted, seeList } from '../failure/hinted.ts'
import type { OwnData } from './local.ts'

/** Whether a service is a `vatom serve`, and one whose data is temporary, as it says itself. */
export async function natureOf(raw: RawCall): Promise<'temporary' | 'lasting' | 'another'> {
  const health = parseJson((await raw({ method: 'GET', path: `${localPrefix}health` })).body)
  if (at(health, 'payload', 'temporary') === true) return 'temporary'
  return at(health, 'payload', 'status') === 'ok' ? 'lasting' : 'another'
}

/** The data of a temporary service, which takes requests to replace it. */
export function temporaryData(raw: RawCall, place: string): OwnData {
  const send = <P extends z.ZodType>(route: Route<P>, sent: Sent = {}) =>
    hinted(answerTo(raw, route, sent), { notFound: seeList('snapshot list') })
  const { listSnapshots, getSnapshot, saveSnapshot, loadData, removeSnapshot, getContents, resetData } = localRows
  const snapshots: Snapshots = {
    list: () => send(listSnapshots),
    get: (id) => send(getSnapshot, { id }),
    save: (id, { replace }) => send(saveSnapshot, { id, query: `?replace=${replace}` }),
    load: (name, expected) => send(loadData, { body: { snapshot: name }, query: ofVersion(expected) }),
    remove: (id) => send(removeSnapshot, { id }),
  }
  return {
    place,
    contents: () => send(getContents),
    upgradeCopies: async () => [],
    reset: async (expected) => (await send(resetData, { query: ofVersion(expected) })).removed,
    snapshots: async () => snapshots,
  }
}

/** The query of what is done only to data of the expected version. */
const ofVersion = (expected: string | undefined): string =>
  expected === undefined ? '' : `?version=${encodeURIComponent(expected)}`

/** A route of the service, and what it answers. */
type Route<P extends z.ZodType> = Pick<LocalRow, 'method' | 'path'> & { readonly payload: Schema<P> }

/** What is sent with a request. */
interface Sent {
  readonly id?: string
  readonly query?: string
  readonly body?: object
}

async function answerTo<P extends z.ZodType>(
  raw: RawCall,
  { method, path, payload }: Route<P>,
  { id = '', query = '', body }: Sent,
): Promise<z.output<P>> {
  const place = `${localPrefix}${path.replace(':id', id)}`
  const request = { method, path: `${place}${query}`, ...(body && { body: JSON.stringify(body) }) }
  const row = { method, path: place, payload, errors: [] }
  return readAnswer(row, await raw(request), { ...request, changes: method !== 'GET' })
}
