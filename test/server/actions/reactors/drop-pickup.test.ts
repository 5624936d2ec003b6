import { describe, expect, test } from 'vitest'
import { limits } from '../../../../src/contract/limits.ts'
import { openSqlite } from '../../../../src/server/store/database/sqlite.ts'
import { template } from '../../../fixtures/bodies.ts'
import { action, folderType, outputOf, owned, packageType, perform, read, seen } from '../../../support/acting.ts'
import { type Caller, doors, emitted, made, testService } from '../../../support/service.ts'
import { twoPublishers, watched } from '../../../support/worlds.ts'

const name = 'local.vatom::Coin'
const here = { 'geo.pos': { lat: 47.3769, lon: 8.5417 } }

/** Users, and a publisher with two vAtoms that can be dropped, picked up and more. */
async function world(type: object = {}, options: Parameters<typeof testService>[0] = {}, more: readonly string[] = []) {
  const opened = await twoPublishers(options)
  const { publisher } = opened
  const ids = await emitted(publisher, name, 2, type)
  for (const one of ['Drop', 'Pickup', ...more]) await action(publisher, name, one)
  return { ...opened, id: ids[0] ?? '', ids }
}

describe.each(doors)('Drop and Pickup %s', (door) => {
  test('who drops a vAtom lets everybody find it, and whoever picks it up has it', async () => {
    const { publisher, register, advance } = await testService({}, door)
    const bob = await register('bob@example.com')
    const [id = ''] = await emitted(publisher, name, 1)
    for (const one of ['Drop', 'Pickup']) await action(publisher, name, one)
    const before = await seen(publisher, id)
    advance(60)
    expect(outputOf(await perform(publisher, 'Drop', id, here))).toEqual({})
    const dropped = await seen(bob, id)
    expect(dropped.type).toEqual({
      ...before.type,
      dropped: true,
      geo_pos: { type: 'Point', coordinates: [8.5417, 47.3769], $reql_type$: 'GEOMETRY' },
      visibility: { type: 'public', value: '*' },
    })
    expect(dropped.when_modified).toBe('2027-03-01T12:01:00Z')
    expect(outputOf(await perform(bob, 'Pickup', id))).toEqual({})
    const after = await seen(bob, id)
    expect(after.type).toEqual({ ...before.type, owner: bob.id })
    expect(await read(publisher, id)).toMatchObject({ status: 403 })
  })

  test('of two who pick it up at once, one does, and the other is told that it is gone', async () => {
    const { publisher, register } = await testService({}, door)
    const [ann, bob] = [await register('ann@example.com'), await register('bob@example.com')]
    const [id = ''] = await emitted(publisher, name, 1)
    for (const one of ['Drop', 'Pickup']) await action(publisher, name, one)
    outputOf(await perform(publisher, 'Drop', id, here))
    const answers = await Promise.all([ann, bob].map((caller) => perform(caller, 'Pickup', id)))
    expect(answers.map(({ status, body }) => [status, body.error]).sort()).toEqual([
      [200, undefined],
      [400, 1645],
    ])
    expect((await Promise.all([ann, bob].map(owned))).flat()).toEqual([id])
  })
})

test.each([
  [{ lat: '47.3769', lon: '8.5417' }],
  [{ Lat: 47.3769, Lon: 8.5417 }],
  [{ LAT: 47.3769, LON: '8.5417' }],
  ['{"lat": 47.3769, "lon": 8.5417}'],
])('a place is understood as %j', async (place) => {
  const { publisher, id } = await world()
  outputOf(await perform(publisher, 'Drop', id, { 'geo.pos': place }))
  expect((await seen(publisher, id)).type.geo_pos.coordinates).toEqual([8.5417, 47.3769])
})

test.each([
  [undefined, 'geo.pos'],
  ['here', 'geo.pos'],
  [[8, 47], 'geo.pos'],
  [{ lat: 47 }, 'geo.pos.lon'],
  [{ lon: 8 }, 'geo.pos.lat'],
  [{ lat: 90.1, lon: 8 }, 'geo.pos.lat'],
  [{ lat: 47, lon: -180.1 }, 'geo.pos.lon'],
  [{ lat: '', lon: 8 }, 'geo.pos.lat'],
  [{ lat: 'x', lon: 8 }, 'geo.pos.lat'],
])('nothing is dropped at %j', async (place, path) => {
  const { publisher, id } = await world()
  const answer = await perform(publisher, 'Drop', id, { 'geo.pos': place })
  expect(answer).toMatchObject({ status: 400, body: { error: 516, issues: [{ path }] } })
  expect((await seen(publisher, id)).type.dropped).toBe(false)
})

test('a place is read of no longer a text than it needs', async () => {
  const { publisher, id } = await world()
  const placeOf = (length: number) => '{"lat": 47.3769, "lon": 8.5417}'.padEnd(length)
  const tooLong = await perform(publisher, 'Drop', id, { 'geo.pos': placeOf(limits.positionText + 1) })
  expect(tooLong).toMatchObject({ status: 400, body: { error: 516, issues: [{ path: 'geo.pos' }] } })
  expect(tooLong.body.message).toContain(`at most ${limits.positionText} characters`)
  expect((await seen(publisher, id)).type.dropped).toBe(false)
  outputOf(await perform(publisher, 'Drop', id, { 'geo.pos': placeOf(limits.positionText) }))
  expect((await seen(publisher, id)).type.geo_pos.coordinates).toEqual([8.5417, 47.3769])
})

test('what is dropped is not dropped again, what is not is not picked up, and others drop nothing', async () => {
  const { publisher, bob, id } = await world({ visibility: { type: 'public' } })
  for (const caller of [publisher, bob])
    expect(await perform(caller, 'Pickup', id)).toMatchObject({ status: 400, body: { error: 1645 } })
  expect(await perform(bob, 'Drop', id, here)).toMatchObject({ status: 403, body: { error: 1604 } })
  outputOf(await perform(publisher, 'Drop', id, here))
  expect(await perform(publisher, 'Drop', id, here)).toMatchObject({ status: 400, body: { error: 1644 } })
})

test('its owner picks up what they dropped', async () => {
  const { publisher, id } = await world()
  outputOf(await perform(publisher, 'Drop', id, here))
  outputOf(await perform(publisher, 'Pickup', id))
  expect((await seen(publisher, id)).type).toMatchObject({
    owner: publisher.id,
    dropped: false,
    visibility: { type: 'owner', value: '*' },
  })
})

test('what is dropped leaves the map as it changes hands', async () => {
  const { publisher, bob, id } = await world({ transferable: true }, {}, ['Transfer'])
  outputOf(await perform(publisher, 'Drop', id, here))
  outputOf(await perform(publisher, 'Transfer', id, { 'new.owner.id': bob.id }))
  expect((await seen(bob, id)).type).toMatchObject({ dropped: false, visibility: { type: 'owner' } })
  expect(await read(publisher, id)).toMatchObject({ status: 403 })
})

test('those on the map, the old owner and the new one are told', async () => {
  const { db, events } = watched()
  const { publisher, bob, id } = await world({ title: 'Coin' }, { db })
  outputOf(await perform(publisher, 'Drop', id, here))
  const dropped = await events()
  expect(dropped).toMatchObject([
    {
      type: 'state_update',
      user: publisher.id,
      action_name: 'Drop',
      new_object: { 'vAtom::vAtomType': { dropped: true } },
    },
    { type: 'map', op: 'add', lat: 47.3769, lon: 8.5417 },
  ])
  outputOf(await perform(bob, 'Pickup', id))
  const pickedUp = (await events()).slice(dropped.length)
  expect(pickedUp.map(({ type, user }) => [type, user])).toEqual([
    ['inventory', bob.id],
    ['inventory', publisher.id],
    ['map', publisher.id],
    ['my_events', publisher.id],
  ])
  expect(pickedUp[2]).toMatchObject({ op: 'remove', lat: 47.3769, lon: 8.5417 })
  expect(pickedUp[3]).toMatchObject({
    msg: '<b>Somebody</b> picked up your <b>Coin</b> vAtom.',
    action_name: 'Pickup',
    geo_pos: [8.5417, 47.3769],
  })
})

test('others do not pick up what is of a draft', async () => {
  const { publisher, bob } = await twoPublishers()
  const variation = { template: name, template_variation: `${name}::V` }
  const { ids } = await made(
    publisher,
    ['POST', '/v1/templates', template({ template: name })],
    ['POST', '/v1/template_variations', variation],
    ['POST', '/v1/vatoms', { template_variation: `${name}::V`, num: 1 }],
  )
  for (const one of ['Drop', 'Pickup']) await action(publisher, name, one)
  outputOf(await perform(publisher, 'Drop', ids[0], here))
  expect(await perform(bob, 'Pickup', ids[0])).toMatchObject({ status: 400, body: { error: 1708 } })
  expect(await perform(publisher, 'Pickup', ids[0])).toMatchObject({ status: 200 })
})

describe('in folders', () => {
  const parent = async (caller: Caller, id: string) => (await seen(caller, id)).type.parent_id

  /** A folder in a folder of the publisher's, which can be combined and the like, and two coins. */
  async function folders(type: object = {}, options: Parameters<typeof testService>[0] = {}) {
    const opened = await world({}, options)
    const { publisher } = opened
    const [outer = ''] = await emitted(publisher, 'local.vatom::Outer', 1, { root_type: folderType })
    const [folder = ''] = await emitted(publisher, 'local.vatom::Folder', 1, { root_type: folderType, ...type })
    await made(publisher, ['PATCH', '/v1/vatoms', { ids: [folder], parent_id: outer }])
    for (const one of ['Combine', 'Split', 'Uncombine', 'Dispense', 'Activate', 'Discover', 'Trade'])
      await action(publisher, 'local.vatom::Folder', one)
    const [one = '', two = ''] = opened.ids
    return { ...opened, outer, folder, one, two }
  }

  test.each([
    ['child.id', (one: string) => one, 1],
    ['vatom.ids', (one: string, two: string) => [one, two], 2],
    ['vatom.ids', (one: string, two: string) => `${one}, ${two}`, 2],
  ])('Combine puts %s into the folder', async (key, input, count) => {
    const { publisher, folder, one, two } = await folders()
    const output = outputOf(await perform(publisher, 'Combine', folder, { [key]: input(one, two) }))
    expect(output).toEqual({ ids: [one, two].slice(0, count) })
    expect(await parent(publisher, one)).toBe(folder)
    expect(await parent(publisher, two)).toBe(count === 2 ? folder : '.')
  })

  test('Combine moves once what is named twice', async () => {
    const { publisher, folder, one } = await folders()
    const input = { 'vatom.ids': [one, one] }
    expect(outputOf(await perform(publisher, 'Combine', folder, input))).toEqual({ ids: [one] })
    expect((await seen(publisher, one)).sync).toBe(2)
  })

  test.each(['Combine', 'Split'])('%s takes no more ids than a request may name', async (act) => {
    const { publisher, folder, one } = await folders()
    if (act === 'Split') outputOf(await perform(publisher, 'Combine', folder, { 'child.id': one }))
    const named = (count: number) => perform(publisher, act, folder, { 'vatom.ids': Array(count).fill(one) })
    const answer = await named(limits.ids + 1)
    expect(answer).toMatchObject({ status: 400, body: { error: 516, issues: [{ path: 'vatom.ids' }] } })
    expect(answer.body.message).toMatch(/at most 100/)
    const written = `${Array(limits.ids + 1).fill(one)},,,`
    const ofText = await perform(publisher, act, folder, { 'vatom.ids': written })
    expect(ofText).toMatchObject({ status: 400, body: { message: answer.body.message } })
    expect(await named(limits.ids)).toMatchObject({ status: 200 })
  })

  test('Split takes what is named one level up, else everything, as Uncombine does', async () => {
    const { publisher, outer, folder, one, two } = await folders()
    const both = { 'vatom.ids': [one, two] }
    for (const [act, input, left] of [
      ['Split', { 'child.id': one }, [two]],
      ['Split', {}, []],
      ['Uncombine', {}, []],
    ] as const) {
      outputOf(await perform(publisher, 'Combine', folder, both))
      const { ids } = outputOf(await perform(publisher, act, folder, input))
      expect(ids).toEqual([one, two].filter((id) => !(left as readonly string[]).includes(id)))
      for (const id of [one, two])
        expect(await parent(publisher, id)).toBe((left as readonly string[]).includes(id) ? folder : outer)
    }
  })

  test('each that moves is told of, once', async () => {
    const { db, events } = watched()
    const { publisher, folder, one, two } = await folders({}, { db })
    outputOf(await perform(publisher, 'Combine', folder, { 'child.id': one }))
    const before = (await events()).length
    outputOf(await perform(publisher, 'Combine', folder, { 'vatom.ids': [one, two] }))
    expect((await events()).slice(before)).toMatchObject([
      {
        type: 'state_update',
        id: two,
        action_name: 'Combine',
        new_object: { 'vAtom::vAtomType': { parent_id: folder } },
      },
    ])
  })

  test('what is in a folder and stays as it is is not told of', async () => {
    const { db, events } = watched()
    const { publisher, folder, one } = await folders({}, { db })
    await action(publisher, 'local.vatom::Folder', 'Drop')
    outputOf(await perform(publisher, 'Combine', folder, { 'child.id': one }))
    const before = (await events()).length
    outputOf(await perform(publisher, 'Drop', folder, here))
    expect((await events()).slice(before).map(({ type, id }) => [type, id])).toEqual([
      ['state_update', folder],
      ['map', undefined],
    ])
  })

  test('what cannot be moved leaves all where they are', async () => {
    const { publisher, bob, outer, folder, one, two } = await folders()
    const refused = async (act: string, id: string, input: object, path: string) => {
      const answer = await perform(publisher, act, id, input)
      expect(answer).toMatchObject({ status: 400, body: { error: 516, issues: [{ path }] } })
    }
    await action(publisher, 'local.vatom::Outer', 'Combine')
    await action(publisher, name, 'Combine')
    await refused('Combine', folder, { 'vatom.ids': [one, outer] }, 'vatom.ids')
    await refused('Combine', folder, { 'child.id': folder }, 'child.id')
    await refused('Combine', one, { 'child.id': two }, 'this.id')
    await refused('Combine', folder, {}, 'child.id')
    await refused('Combine', folder, { 'vatom.ids': [] }, 'vatom.ids')
    await refused('Combine', folder, { 'child.id': [1] }, 'child.id')
    await refused('Split', folder, { 'child.id': one }, 'child.id')
    outputOf(await perform(publisher, 'Drop', one, here))
    await refused('Combine', folder, { 'child.id': one }, 'child.id')
    outputOf(await perform(publisher, 'Pickup', one))
    expect(await perform(publisher, 'Combine', folder, { 'child.id': 'none' })).toMatchObject({ status: 404 })
    for (const act of ['Combine', 'Split', 'Uncombine', 'Activate', 'Dispense'])
      expect(await perform(bob, act, folder, { 'child.id': one })).toMatchObject({ status: 403, body: { error: 1604 } })
    for (const id of [one, two]) expect(await parent(publisher, id)).toBe('.')
  })

  test('others’ vAtoms are not put into one’s folder, nor one’s own into others’', async () => {
    const { publisher, bob, folder, one } = await folders({ visibility: { type: 'public' } })
    const body = { 'this.id': one, 'new.owner.id': bob.id }
    await action(publisher, name, 'Clone')
    expect(await perform(bob, 'Combine', folder, { 'child.id': one })).toMatchObject({ status: 403 })
    for (const act of ['Combine', 'Split', 'Uncombine', 'Activate', 'Trade'])
      expect(await perform(bob, act, folder, { 'child.id': folder })).toMatchObject({
        status: 403,
        body: { error: 1604 },
      })
    await made(publisher, ['POST', '/v1/user/vatom/action/Drop', { ...body, ...here }])
    await made(bob, ['POST', '/v1/user/vatom/action/Pickup', { 'this.id': one }])
    await made(bob, ['POST', '/v1/user/vatom/action/Drop', { 'this.id': one, ...here }])
    const answer = await perform(publisher, 'Combine', folder, { 'child.id': one })
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining('is not yours') } })
  })

  test('Dispense gives out what was made first, until the folder is empty', async () => {
    const { publisher, folder, one, two } = await folders()
    outputOf(await perform(publisher, 'Combine', folder, { 'vatom.ids': [two, one] }))
    expect(outputOf(await perform(publisher, 'Dispense', folder))).toEqual({ ids: [one] })
    expect([await parent(publisher, one), await parent(publisher, two)]).toEqual(['.', folder])
    outputOf(await perform(publisher, 'Dispense', folder))
    expect(await perform(publisher, 'Dispense', folder)).toMatchObject({ status: 400, body: { error: 1656 } })
  })

  test('Dispense gives others what is acquirable, and of two at once each something else', async () => {
    const { publisher, bob, other } = await twoPublishers()
    const [folder = ''] = await emitted(publisher, 'local.vatom::Shop', 1, {
      root_type: folderType,
      visibility: { type: 'public' },
    })
    await action(publisher, 'local.vatom::Shop', 'Dispense')
    const visibility = { type: 'container' }
    const [hidden = ''] = await emitted(publisher, 'local.vatom::Hidden', 1, {
      acquirable: true,
      visibility: { type: 'owner' },
    })
    const goods = await emitted(publisher, name, 2, { acquirable: true, visibility })
    const [fixed = ''] = await emitted(publisher, 'local.vatom::Fixed', 1, { visibility })
    await made(publisher, ['PATCH', '/v1/vatoms', { ids: [hidden, ...goods, fixed], parent_id: folder }])
    const got = await Promise.all([bob, other].map(async (one) => outputOf(await perform(one, 'Dispense', folder)).ids))
    expect(got.flat().sort()).toEqual([...goods].sort())
    const [first] = await owned(bob)
    expect((await seen(bob, first ?? '')).type).toMatchObject({ acquirable: false, parent_id: '.' })
    expect(await perform(bob, 'Dispense', folder)).toMatchObject({ status: 400, body: { error: 1708 } })
    await made(publisher, ['PATCH', '/v1/vatoms', { ids: [fixed], parent_id: '.' }])
    expect(await perform(bob, 'Dispense', folder)).toMatchObject({ status: 400, body: { error: 1656 } })
    expect(outputOf(await perform(publisher, 'Dispense', folder))).toEqual({ ids: [hidden] })
  })

  test('Dispense gives others nothing of a draft', async () => {
    const { publisher, bob } = await twoPublishers()
    const shown = { visibility: { type: 'public' } }
    const [folder = ''] = await emitted(publisher, 'local.vatom::Shop', 1, { root_type: folderType, ...shown })
    await action(publisher, 'local.vatom::Shop', 'Dispense')
    const { ids } = await made(
      publisher,
      ['POST', '/v1/templates', template({ template: name, unpublished: false }, { acquirable: true, ...shown })],
      ['POST', '/v1/template_variations', { template: name, template_variation: `${name}::V`, unpublished: true }],
      ['POST', '/v1/vatoms', { template_variation: `${name}::V`, num: 1 }],
    )
    await made(publisher, ['PATCH', '/v1/vatoms', { ids, parent_id: folder }])
    expect(await perform(bob, 'Dispense', folder)).toMatchObject({ status: 400, body: { error: 1708 } })
    expect(outputOf(await perform(publisher, 'Dispense', folder))).toEqual({ ids })
  })

  test('Dispense gives out nothing that is disabled', async () => {
    const { db } = watched()
    const { publisher, folder, one } = await folders({}, { db })
    outputOf(await perform(publisher, 'Combine', folder, { 'child.id': one }))
    const sqlite = await openSqlite(db)
    const disabled = `json_set(json, '$."vAtom::vAtomType".disabled', json('true'))`
    sqlite.prepare(`UPDATE vatoms SET json = ${disabled} WHERE id = ?`).run(one)
    sqlite.close()
    expect(await perform(publisher, 'Dispense', folder)).toMatchObject({ status: 400, body: { error: 1708 } })
  })

  test.each(['Dispense', 'Discover'])('%s is for folders of its kind', async (act) => {
    const { publisher, id } = await world({}, {}, [act])
    const answer = await perform(publisher, act, id)
    expect(answer).toMatchObject({ status: 400, body: { error: 516, issues: [{ path: 'this.id' }] } })
  })

  test('Discover answers what a discover container finds for the caller', async () => {
    const { publisher, bob, id } = await world({ category: 'Coins', visibility: { type: 'public' } })
    const [container = ''] = await emitted(publisher, 'local.vatom::Found', 1, {
      root_type: 'vAtom::vAtomType::DiscoverContainerType',
      visibility: { type: 'public' },
      query: { scope: { key: 'vAtom::vAtomType.template', value: name } },
    })
    await action(publisher, 'local.vatom::Found', 'Discover')
    const [hidden = ''] = await emitted(publisher, 'local.vatom::Other', 1)
    const { ids } = outputOf(await perform(bob, 'Discover', container))
    expect(ids).toContain(id)
    expect(ids).toHaveLength(2)
    expect(ids).not.toContain(hidden)
  })

  test('Activate sets the state, once', async () => {
    const states = [{ name: 'Activated', value: { type: 'boolean', value: 'false' } }]
    const { publisher, folder } = await folders({ states })
    const before = await seen(publisher, folder)
    outputOf(await perform(publisher, 'Activate', folder))
    const after = await seen(publisher, folder)
    expect(after.type.states).toMatchObject([{ name: 'Activated', value: { type: 'boolean', value: 'true' } }])
    expect(after.sync).toBe(before.sync + 1)
    outputOf(await perform(publisher, 'Activate', folder))
    expect((await seen(publisher, folder)).sync).toBe(after.sync)
  })

  test('nothing is tradeable', async () => {
    const { publisher, bob, folder } = await folders()
    const input = { 'trade.template_variation': `${name}::V` }
    expect(await perform(publisher, 'Trade', folder, input)).toMatchObject({ status: 400, body: { error: 1708 } })
    expect(await perform(bob, 'Trade', folder, input)).toMatchObject({ status: 403 })
  })

  test('what a defined folder keeps is neither given away nor dropped', async () => {
    const { publisher, bob } = await twoPublishers()
    const coins = await emitted(publisher, name, 1, { transferable: true, redeemable: true, commerce: {} })
    const policy = { enforce_policy_count_min: true, policy_count_min: 1 }
    const [shelf = ''] = await emitted(publisher, 'local.vatom::Shelf', 1, {
      root_type: 'vAtom::vAtomType::DefinedFolderContainerType',
      child_policy: [{ template_variation: `${name}::V`, count: 1, creation_policy: policy }],
    })
    const child = (await owned(publisher)).find((id) => id !== shelf && !coins.includes(id)) ?? ''
    for (const one of ['Transfer', 'Drop', 'Redeem']) {
      await action(publisher, name, one)
      const answer = await perform(publisher, one, child, {
        ...(one === 'Transfer' && { 'new.owner.id': bob.id }),
        ...here,
      })
      expect(answer).toMatchObject({ status: 400, body: { message: expect.stringMatching(/must hold at least 1/) } })
    }
    expect(await parent(publisher, child)).toBe(shelf)
  })

  test('opening tells of the package and of what came out of it', async () => {
    const { db, events } = watched()
    const { publisher } = await twoPublishers({ db })
    const [pack = ''] = await emitted(publisher, 'local.vatom::Pack', 1, { root_type: packageType })
    const [coin = ''] = await emitted(publisher, name, 1)
    await made(publisher, ['PATCH', '/v1/vatoms', { ids: [coin], parent_id: pack }])
    await action(publisher, 'local.vatom::Pack', 'Open')
    const before = (await events()).length
    outputOf(await perform(publisher, 'Open', pack))
    const told = (await events()).slice(before).map(({ type, id, user }) => [type, id, user])
    expect(told).toEqual([
      ['inventory', pack, publisher.id],
      ['state_update', coin, publisher.id],
    ])
  })
})
