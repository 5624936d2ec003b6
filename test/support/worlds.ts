import { onTestFinished } from 'vitest'
import { timestamp } from '../../src/server/domain/clock.ts'
import { arrivalPayloads } from '../../src/server/domain/events.ts'
import type { EventRow } from '../../src/server/store/events.ts'
import { atOnce, type Steps } from '../../src/server/store/slices.ts'
import { openStore, type Store } from '../../src/server/store/store.ts'
import { newDatabase } from './folders.ts'
import { answerOf, type Caller, type doors, testService } from './service.ts'

/** A service with two publishers: the seeded one, another that is signed in, and a user who is none. */
export async function twoPublishers(options: Parameters<typeof testService>[0] = {}, door?: (typeof doors)[number]) {
  const world = await testService({ publishers: ['local.vatom', 'other.example'], ...options }, door)
  const other = await signedIn(world, 'other.example')
  return { ...world, other, bob: await world.register('bob@example.com') }
}

/** The publisher of a domain name, signed in. */
export async function signedIn({ send, as }: Awaited<ReturnType<typeof testService>>, domain: string): Promise<Caller> {
  const { payload } = await send('POST', '/v1/user/login', {
    body: { token: `publisher@${domain}`, token_type: 'email', auth_data: { password: 'vatom-local' } },
  })
  return as(payload.user.id, payload.access_token.token)
}

/** A service that listens, and what asks it over HTTP. */
export async function listening(options: Parameters<typeof testService>[0] = {}) {
  const world = await testService(options)
  const { port, baseUrl } = await world.service.listen({ host: '127.0.0.1', port: 0 })
  const headers = { 'app-id': 'local', authorization: `Bearer ${world.service.localToken()}` }
  const fetched = async (path: string, init: RequestInit) => {
    const response = await fetch(baseUrl + path, init)
    return answerOf(response.status, Object.fromEntries(response.headers), await response.text())
  }
  return {
    ...world,
    port,
    baseUrl,
    headers,
    /** A request of the signed-in publisher. */
    ask: (method: string, path: string, body?: unknown) =>
      fetched(path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }),
    /** A request without any header of the API. */
    tool: (method: string, path: string, body?: unknown) =>
      fetched(path, { method, ...(body !== undefined && { body: JSON.stringify(body) }) }),
  }
}

/** A database in a file, and what those who use a service on it are told: read as another process reads it. */
export function watched() {
  const db = newDatabase()
  const events = async () => {
    const store = await openStore(db)
    const found = toldBeyondEmission(store.events.after(0, 1000))
    await store.close()
    return found.map(({ msg_type, user_id, payload }) => ({ type: msg_type, user: user_id, ...payload }))
  }
  return { db, events }
}

/** What rows tell, each as a message of its own, without what came of emissions. */
export const toldBeyondEmission = (rows: readonly EventRow[]) =>
  rows
    .flatMap((row) =>
      row.msg_type === 'arrivals'
        ? arrivalPayloads(row.payload).map((payload) => ({ ...row, msg_type: 'inventory', payload }))
        : [row],
    )
    .map(({ msg_type, user_id, payload }) => ({ msg_type, user_id, payload: JSON.parse(payload) }))
    .filter(({ payload }) => payload.action_name !== 'Emit')

type Options = NonNullable<Parameters<typeof twoPublishers>[0]>

/** A service on disk with two publishers and a user who is none, and its store, through which actions change vAtoms. */
export async function storedWorld(options: Options = {}, door: (typeof doors)[number] = 'in process') {
  const db = newDatabase()
  const world = await twoPublishers({ db, ...options }, door)
  const store = await openStore(db)
  onTestFinished(() => store.close())
  const act = <T>(work: (vatoms: Store['vatoms'], now: string) => Steps<T>) =>
    store.write(() => atOnce(work(store.vatoms, timestamp(world.clock()))))
  return {
    ...world,
    store,
    act,
    /** Drops a vAtom at a longitude and a latitude. */
    drop: (id: string, lon: number, lat: number) => act((vatoms, now) => vatoms.place(id, { lon, lat }, now)),
    /** What its users were told, oldest first: `{ msg_type, user_id, payload }`. */
    told: () => toldBeyondEmission(store.events.after(0, 1000)),
  }
}

/** Ids of records. */
export const idsOf = (records: readonly { readonly id: string }[]): string[] => records.map(({ id }) => id)

/** vAtoms of the whole map that a caller finds. */
export async function onMap(caller: Caller, fields: object = {}): Promise<string[]> {
  const body = { bottom_left: { lon: -180, lat: -90 }, top_right: { lon: 180, lat: 90 }, ...fields }
  const { payload } = await caller.call('POST', '/v1/vatom/geodiscover', { body })
  return idsOf(payload.vatoms)
}
