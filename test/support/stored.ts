import { onTestFinished } from 'vitest'
import { timestamp } from '../../src/server/domain/clock.ts'
import { openStore, type Store } from '../../src/server/store/store.ts'
import { newDatabase } from './folders.ts'
import { twoPublishers } from './publishers.ts'
import type { Caller, doors } from './service.ts'
import { toldBeyondEmission } from './socket-events.ts'

type Options = NonNullable<Parameters<typeof twoPublishers>[0]>

/** A service on disk with two publishers and a user who is none, and its store, through which actions change vAtoms. */
export async function storedWorld(options: Options = {}, door: (typeof doors)[number] = 'in process') {
  const db = newDatabase()
  const world = await twoPublishers({ db, ...options }, door)
  const store = await openStore(db)
  onTestFinished(() => store.close())
  const act = <T>(work: (vatoms: Store['vatoms'], now: string) => T) =>
    store.write(() => work(store.vatoms, timestamp(world.clock())))
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
