import { type RawCall, rawError } from '../../client/raw.ts'
import { Contents, Snapshot } from '../../contract/api/snapshot.ts'
import { at } from '../../contract/schema/path.ts'
import { parseJson } from '../../contract/unknown-values.ts'
import type { Snapshots } from '../../server/snapshots/snapshots.ts'
import { hinted, seeList } from '../failure/hinted.ts'
import type { OwnData } from './local.ts'

/** The data of a temporary service, which takes requests to replace it; undefined for any other service. */
export async function temporaryData(raw: RawCall, place: string): Promise<OwnData | undefined> {
  const health = await raw({ method: 'GET', path: '/__vatom/health' })
  if (at(parseJson(health.body), 'payload', 'temporary') !== true) return undefined
  const send = (method: string, path: string, body?: object) =>
    hinted(payloadOf(raw({ method, path: `/__vatom/${path}`, ...(body && { body: JSON.stringify(body) }) })), {
      notFound: seeList('snapshot list'),
      nameTaken: 'replace it with --force, or choose another name',
    })
  const snapshots: Snapshots = {
    list: async () =>
      Snapshot()
        .array()
        .parse(await send('GET', 'snapshots')),
    get: async (name) => one(await send('GET', `snapshots/${name}`)),
    save: async (name, { replace }) => one(await send('PUT', `snapshots/${name}?replace=${replace}`)),
    load: async (name) => one(await send('PUT', 'data', { snapshot: name })),
    remove: async (name) => one(await send('DELETE', `snapshots/${name}`)),
  }
  return {
    place,
    contents: async () => Contents().parse(await send('GET', 'data')),
    reset: async () => Contents().parse(at(await send('DELETE', 'data'), 'removed')),
    snapshots: async () => snapshots,
  }
}

const one = (payload: unknown) => Snapshot().parse(payload)

async function payloadOf(answer: ReturnType<RawCall>): Promise<unknown> {
  const response = await answer
  const error = rawError(response)
  if (error) throw error
  return at(parseJson(response.body), 'payload')
}
