import { describe, expect, test } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { timestamp } from '../../../src/server/domain/clock.ts'
import { openSqlite } from '../../../src/server/store/database/sqlite.ts'
import { atOnce } from '../../../src/server/store/slices.ts'
import { openStore } from '../../../src/server/store/store.ts'
import { face, template } from '../../fixtures/bodies.ts'
import { newDatabase } from '../../support/folders.ts'
import { type Caller, doors, emitted, made } from '../../support/service.ts'
import { idsOf, onMap, storedWorld, twoPublishers } from '../../support/worlds.ts'

const zurich = [8.5417, 47.3769] as const
const bern = [7.4474, 46.948] as const
const sydney = [151.2093, -33.8688] as const
const corners = (west: number, south: number, east: number, north: number) => ({
  bottom_left: { lon: west, lat: south },
  top_right: { lon: east, lat: north },
})
const everywhere = corners(-180, -90, 180, 90)
const groups = async (caller: Caller, body: object) =>
  await caller.call('POST', '/v1/vatom/geodiscovergroups', { body: { ...everywhere, ...body } })
const keysOf = (found: readonly { key: string; count: number }[]) => found.map(({ key, count }) => [key, count])

describe.each(doors)('%s', (door) => {
  test('dropped vAtoms of anybody’s are found in a box, with the faces and actions of their templates', async () => {
    const { publisher, bob, drop } = await storedWorld({}, door)
    const [a = '', b = '', c = ''] = await emitted(publisher, 'local.vatom::A', 4)
    await made(
      publisher,
      ['POST', '/v1/publisher/face', face({ template: 'local.vatom::A' })],
      ['POST', '/v1/publisher/action', { name: 'local.vatom::A::Action::Pickup', reactor: 'blockv://v1/Pickup' }],
    )
    await drop(a, ...zurich)
    await drop(b, ...bern)
    await drop(c, ...sydney)
    for (const caller of [publisher, bob]) {
      const body = corners(5.9, 45.8, 10.5, 47.9)
      const { status, payload } = await caller.call('POST', '/v1/vatom/geodiscover', { body })
      expect([status, Object.keys(payload).sort()]).toEqual([200, ['actions', 'faces', 'vatoms']])
      expect(idsOf(payload.vatoms)).toEqual([b, a])
      expect(payload.vatoms[1]).toEqual((await caller.call('GET', `/v1/vatoms/${a}`)).payload)
      expect(payload.faces).toMatchObject([{ template: 'local.vatom::A' }])
      expect(payload.actions).toMatchObject([{ name: 'local.vatom::A::Action::Pickup' }])
    }
  })

  test('groups count what is dropped by geohash', async () => {
    const { publisher, bob, drop } = await storedWorld({}, door)
    const [a = '', b = '', c = ''] = await emitted(publisher, 'local.vatom::A', 3)
    await drop(a, ...zurich)
    await drop(b, ...bern)
    await drop(c, ...sydney)
    const { payload } = await groups(bob, { precision: 2 })
    expect(payload).toEqual({
      groups: [
        { key: 'u0', lon: (zurich[0] + bern[0]) / 2, lat: (zurich[1] + bern[1]) / 2, count: 2 },
        { key: 'r3', lon: sydney[0], lat: sydney[1], count: 1 },
      ],
    })
    const most = (await groups(bob, { precision: 12 })).payload.groups
    expect(most.map(({ key }: { key: string }) => key.length)).toEqual([12, 12, 12])
    expect(most.map(({ key }: { key: string }) => key.slice(0, 5)).sort()).toEqual(['r3gx2', 'u0m71', 'u0qjd'])
    expect(keysOf((await groups(bob, {})).payload.groups)).toEqual([
      ['r3g', 1],
      ['u0m', 1],
      ['u0q', 1],
    ])
  })
})

test('the specimen of geohashes is right to the last letter', async () => {
  const { publisher, drop } = await storedWorld()
  const [id = ''] = await emitted(publisher, 'local.vatom::A', 1)
  await drop(id, 10.40744, 57.64911)
  for (const precision of [1, 6, 11])
    expect(keysOf((await groups(publisher, { precision })).payload.groups)).toEqual([
      ['u4pruydqqvj'.slice(0, precision), 1],
    ])
})

test('a box has its edges, to the last digit, and nothing beyond', async () => {
  const { publisher, drop } = await storedWorld()
  const [id = ''] = await emitted(publisher, 'local.vatom::A', 1)
  await drop(id, 0.1, 0.1)
  expect(await onMap(publisher, corners(0.1, 0.1, 0.1, 0.1))).toEqual([id])
  const beyond = 0.1 + 1e-9
  for (const box of [
    corners(beyond, 0, 1, 1),
    corners(0, beyond, 1, 1),
    corners(0, 0, 0.1 - 1e-9, 1),
    corners(0, 0, 1, 0.1 - 1e-9),
  ])
    expect(await onMap(publisher, box)).toEqual([])
})

test.each([
  ['from the last degrees of the east to the first of the west', corners(170, -20, -170, -10)],
  ['counted on eastwards', corners(170, -20, 190, -10)],
  ['counted on eastwards once around', corners(530, -20, -170, -10)],
  ['counted on westwards', corners(-190, -20, -170, -10)],
])('a box goes across the antimeridian: %s', async (_how, box) => {
  const { publisher, drop } = await storedWorld()
  const [east = '', west = '', other = ''] = await emitted(publisher, 'local.vatom::A', 3)
  await drop(east, 178.44, -18.14)
  await drop(west, -175.2, -15)
  await drop(other, 0, -15)
  expect(await onMap(publisher, box)).toEqual([west, east])
  const { payload } = await groups(publisher, { ...box, precision: 1 })
  expect(keysOf(payload.groups)).toEqual([
    ['2', 1],
    ['r', 1],
  ])
})

test('a box around the whole earth, and more, has each vAtom once', async () => {
  const { publisher, drop } = await storedWorld()
  const [a = '', b = ''] = await emitted(publisher, 'local.vatom::A', 2)
  await drop(a, -180, 90)
  await drop(b, 180, -90)
  for (const box of [everywhere, corners(-200, -90, 200, 90), corners(-170, -90, 190, 90)])
    expect(await onMap(publisher, box)).toEqual([b, a])
})

test('what is not dropped, or no longer, is not on the map, however public it is', async () => {
  const { publisher, act, drop } = await storedWorld()
  const [a = '', b = ''] = await emitted(publisher, 'local.vatom::A', 2, { visibility: { type: 'public' } })
  await drop(a, ...zurich)
  await act((vatoms, now) => vatoms.place(a, undefined, now))
  expect(await onMap(publisher)).toEqual([])
  await drop(b, ...bern)
  await made(publisher, ['POST', '/v1/user/vatom/trash', { 'this.id': b }])
  expect(await onMap(publisher)).toEqual([])
  expect((await groups(publisher, {})).payload).toEqual({ groups: [] })
})

test('groups of the map do not wait for other searches that remember much', async () => {
  const db = newDatabase()
  const { publisher, bob, register, clock } = await twoPublishers({ db })
  const ids = await emitted(publisher, 'local.vatom::A', 4 * limits.searchRemembers)
  const store = await openStore(db)
  await store.write(() => {
    for (const [at, id] of ids.entries()) atOnce(store.vatoms.place(id, { lon: at / 100, lat: 0 }, timestamp(clock())))
  })
  await store.close()
  const sqlite = await openSqlite(db)
  sqlite.exec("UPDATE vatoms SET public = 1, json = json_set(json, '$.private', json_object('n', id))")
  sqlite.close()
  const ended: string[] = []
  const count = { sample: 1, group_by: ['private.n'], return: { type: 'count' } }
  const counted = async (caller: Caller) => {
    expect((await caller.call('POST', '/v1/vatom/discover', { body: count })).payload.count).toBe(ids.length)
    ended.push('sample')
  }
  const others = await Promise.all(Array.from({ length: 8 }, (_, at) => register(`eve${at}@example.com`)))
  const all = others.map(counted)
  await Promise.race(all)
  expect((await groups(bob, { precision: 12 })).payload.groups).toHaveLength(ids.length)
  ended.push('map')
  await Promise.all(all)
  expect(ended.at(-1)).toBe('sample')
})

test('vAtoms and avatars are distinguished by category', async () => {
  const { publisher, drop } = await storedWorld()
  const [thing = ''] = await emitted(publisher, 'local.vatom::A', 1, { category: 'Gifts' })
  const [avatar = ''] = await emitted(publisher, 'local.vatom::B', 1, { category: 'avatar' })
  await drop(thing, ...zurich)
  await drop(avatar, ...zurich)
  for (const [filter, found] of [
    [undefined, [thing]],
    ['vatoms', [thing]],
    ['avatars', [avatar]],
    ['all', [avatar, thing]],
  ] as const) {
    expect([filter, await onMap(publisher, { filter })]).toEqual([filter, found])
    expect((await groups(publisher, { filter })).payload.groups[0].count).toBe(found.length)
  }
})

test('a search of the map is narrowed to a publisher, and to the newest', async () => {
  const { publisher, other, drop } = await storedWorld()
  const [a = '', b = ''] = await emitted(publisher, 'local.vatom::A', 2)
  const [c = ''] = await emitted(other, 'other.example::A', 1)
  for (const id of [a, b, c]) await drop(id, ...zurich)
  expect(await onMap(publisher, { publisher_fqdn: 'local.vatom' })).toEqual([b, a])
  expect(await onMap(publisher, { publisher_fqdn: 'other.example' })).toEqual([c])
  for (const publisher_fqdn of ['', null]) expect(await onMap(publisher, { publisher_fqdn })).toEqual([c, b, a])
  expect(await onMap(publisher, { limit: 2 })).toEqual([c, b])
  for (const limit of [0, 10_000, 100_000]) expect(await onMap(publisher, { limit })).toEqual([c, b, a])
  await drop(c, ...sydney)
  expect(keysOf((await groups(publisher, { precision: 1, limit: 1 })).payload.groups)).toEqual([['u', 2]])
})

test('what a draft’s vAtoms show on the map, their owner alone sees, until it is published', async () => {
  const { publisher, bob, drop } = await storedWorld()
  const name = 'local.vatom::A'
  const { ids } = await made(
    publisher,
    ['POST', '/v1/templates', template({ template: name, unpublished: false })],
    ['POST', '/v1/template_variations', { template: name, template_variation: `${name}::V` }],
    ['POST', '/v1/vatoms', { template_variation: `${name}::V`, num: 1 }],
  )
  await drop(ids[0], ...zurich)
  expect([await onMap(publisher), await onMap(bob)]).toEqual([ids, []])
  expect((await groups(bob, {})).payload).toEqual({ groups: [] })
  await made(publisher, ['PATCH', `/v1/template_variations/${name}::V`, { unpublished: false }])
  expect(await onMap(bob)).toEqual(ids)
})

test.each([
  ['bottom_left.lat', corners(0, 10, 10, 0)],
  ['bottom_left.lat', { ...everywhere, bottom_left: { lon: 0, lat: -90.1 } }],
  ['top_right.lon', { ...everywhere, top_right: { lon: 541, lat: 0 } }],
  ['top_right.lat', { ...everywhere, top_right: { lon: 0, lat: '9' } }],
  ['bottom_left', { top_right: everywhere.top_right }],
  ['filter', { ...everywhere, filter: 'dogs' }],
  ['limit', { ...everywhere, limit: -1 }],
])('a search of the map with another %s is a 400', async (path, body) => {
  const { publisher } = await storedWorld()
  for (const way of ['geodiscover', 'geodiscovergroups']) {
    const answer = await publisher.call('POST', `/v1/vatom/${way}`, { body })
    expect([answer.status, answer.body.issues.map((issue: { path: string }) => issue.path)]).toEqual([400, [path]])
  }
})

test.each([0, 13, 2.5, '3'])('a precision of %j is a 400', async (precision) => {
  const { publisher } = await storedWorld()
  expect(await groups(publisher, { precision })).toMatchObject({
    status: 400,
    body: { issues: [{ path: 'precision' }] },
  })
})
