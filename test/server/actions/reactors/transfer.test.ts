import { describe, expect, test } from 'vitest'
import { warningsIn } from '../../../../src/contract/api/warnings.ts'
import { openSqlite } from '../../../../src/server/store/database/sqlite.ts'
import { template } from '../../../fixtures/bodies.ts'
import { action, folderType, grant, nobody, outputOf, owned, perform, read, seen } from '../../../support/acting.ts'
import { type Caller, doors, emitted, made, testService } from '../../../support/service.ts'
import { storedWorld, twoPublishers, watched } from '../../../support/worlds.ts'

const name = 'local.vatom::Coupon'

const bobs = { 'new.owner.email': 'bob@example.com' }

/** A user, and a publisher with vAtoms of a template that has these actions. */
async function world(actions: readonly string[], type: object = {}, options: Parameters<typeof testService>[0] = {}) {
  const opened = await twoPublishers(options)
  const { publisher } = opened
  const ids = await emitted(publisher, name, 2, type, { colour: 'red', size: { unit: 'cm', value: 3 } })
  for (const one of actions) await action(publisher, name, one)
  return { ...opened, id: ids[0] ?? '', ids }
}

describe.each(doors)('Transfer %s', (door) => {
  test('§2.4 gives a vAtom to somebody else', async () => {
    const { publisher, register, advance } = await testService({}, door)
    const bob = await register('bob@example.com')
    const [id = ''] = await emitted(publisher, name, 1, { transferable: true })
    await action(publisher, name, 'Transfer')
    const before = await seen(publisher, id)
    advance(60)
    const answer = await perform(publisher, 'Transfer', id, { 'new.owner.email': ' Bob@Example.com' })
    expect(answer.payload).toEqual({ main: { output: '{}' } })
    const after = await seen(bob, id)
    expect(after.type).toEqual({ ...before.type, owner: bob.id, transferred_by: publisher.id })
    expect(after).toMatchObject({ sync: before.sync + 1, when_added: '2027-03-01T12:01:00Z', private: before.private })
    expect([await owned(publisher), await owned(bob)]).toEqual([[], [id]])
    expect(await read(publisher, id)).toMatchObject({ status: 403, body: { error: 1604 } })
  })
})

const transferable = { transferable: true }

test.each([
  ['an id', (bob: Caller) => ({ 'new.owner.id': bob.id })],
  ['an id in capitals', (bob: Caller) => ({ 'new.owner.id': bob.id.toUpperCase() })],
  ['an id where an e-mail address goes', (bob: Caller) => ({ 'new.owner.email': bob.id })],
])('a recipient is named by %s', async (_what, input) => {
  const { publisher, bob, id } = await world(['Transfer'], transferable)
  expect(await perform(publisher, 'Transfer', id, input(bob))).toMatchObject({ status: 200 })
  expect(await owned(bob)).toEqual([id])
})

test.each([
  ['nobody', {}, 516, 'new.owner.email'],
  [
    'two',
    { 'new.owner.email': 'a@b.example', 'new.owner.phone_number': '+41790000000' },
    516,
    'new.owner.phone_number',
  ],
  ['an empty text', { 'new.owner.email': ' ' }, 516, 'new.owner.email'],
  ['an object', { 'new.owner.id': {} }, 516, 'new.owner.id'],
  ['what is no e-mail address', { 'new.owner.email': 'bob' }, 2571, 'new.owner.email'],
  ['what is no phone number', { 'new.owner.phone_number': 12 }, 2572, 'new.owner.phone_number'],
  ['an address that nobody has', { 'new.owner.email': 'new@example.com' }, 1702, 'new.owner.email'],
  ['an id that nobody has', { 'new.owner.id': nobody }, 1702, 'new.owner.id'],
  ['an id that is none', { 'new.owner.id': 'bob' }, 1702, 'new.owner.id'],
])('a recipient who is %s is refused', async (_what, input, error, path) => {
  const { publisher, id } = await world(['Transfer'], transferable)
  expect(await perform(publisher, 'Transfer', id, input)).toMatchObject({
    status: 400,
    body: { error, issues: [{ path }] },
  })
  expect((await seen(publisher, id)).sync).toBe(1)
})

test('what is no phone number is quoted as it was given', async () => {
  const { publisher, id } = await world(['Transfer'], transferable)
  const { text } = await perform(publisher, 'Transfer', id, { 'new.owner.phone_number': '0791234567' })
  expect(JSON.parse(text)).toMatchObject({
    issues: [{ message: expect.stringMatching(/^"0791234567" is not a phone/) }],
  })
})

test('whom nobody knows becomes a guest where the action says so, and is one user from then on', async () => {
  const { publisher, ids } = await world([], { ...transferable, visibility: { type: 'public' } })
  await action(publisher, name, 'Transfer', { config: { auto_create_non_existing_recipient: true } })
  const owners = new Set<string>()
  for (const [index, id] of ids.entries()) {
    const input = { 'new.owner.phone_number': index === 0 ? '+41 79 123 45 67' : '0041791234567' }
    const { status, headers } = await perform(publisher, 'Transfer', id, input)
    expect(status).toBe(200)
    const codes = warningsIn(headers['vatom-warning']).map(({ code }) => code)
    expect(codes.includes('guest-made')).toBe(index === 0)
    owners.add((await seen(publisher, id)).type.owner)
  }
  expect(owners.size).toBe(1)
  expect(owners).not.toContain(publisher.id)
})

test.each([
  ['new.owner.email', 'x', 2571],
  ['new.owner.id', nobody, 1702],
])('no guest is made of %s %s', async (key, value, error) => {
  const { publisher, id } = await world([], transferable)
  await action(publisher, name, 'Transfer', { config: { auto_create_non_existing_recipient: true } })
  expect(await perform(publisher, 'Transfer', id, { [key]: value })).toMatchObject({ status: 400, body: { error } })
})

test.each([
  [
    'whose accents would be sorted for minutes',
    `a@a${'\u0323\u0301'.repeat(60_000)}${'\u0316\u0315'.repeat(60_000)}.example`,
  ],
  ['that is one but for its length', `a@${'a'.repeat(255)}.example`],
])('an address %s is none', async (_what, email) => {
  const { publisher, id } = await world([], transferable)
  await action(publisher, name, 'Transfer', { config: { auto_create_non_existing_recipient: true } })
  const answer = await perform(publisher, 'Transfer', id, { 'new.owner.email': email })
  expect(answer).toMatchObject({ status: 400, body: { error: 2571, issues: [{ path: 'new.owner.email' }] } })
})

test.each([
  ['is not transferable', { transferable: false }, bobs, 1708, 'this.id'],
  ['is theirs already', transferable, { 'new.owner.email': 'publisher@local.vatom' }, 1605, 'new.owner.email'],
])('what %s is not given away', async (_what, type, input, error, path) => {
  const { publisher, id } = await world(['Transfer'], type)
  const answer = await perform(publisher, 'Transfer', id, input)
  expect(answer).toMatchObject({ status: 400, body: { error, issues: [{ path }] } })
  expect((await seen(publisher, id)).sync).toBe(1)
})

test('what does not say whether it is transferable is given away, and answered as transferable', async () => {
  const { publisher, bob, id } = await world(['Transfer'])
  expect((await seen(publisher, id))['vAtom::vAtomType'].transferable).toBe(true)
  outputOf(await perform(publisher, 'Transfer', id, bobs))
  expect(await owned(bob)).toEqual([id])
})

test('only its owner gives a vAtom away, however public it is', async () => {
  const { publisher, bob, other, id } = await world(['Transfer'], { ...transferable, visibility: { type: 'public' } })
  for (const caller of [bob, other])
    expect(await perform(caller, 'Transfer', id, bobs)).toMatchObject({ status: 403, body: { error: 1604 } })
  expect(await owned(publisher)).toContain(id)
})

test('of two who are given a vAtom at once, one gets it', async () => {
  const { publisher, bob, other, id } = await world(['Transfer'], transferable)
  const answers = await Promise.all(
    [bob, other].map((to) => perform(publisher, 'Transfer', id, { 'new.owner.id': to.id })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
  expect((await Promise.all([bob, other].map(owned))).flat()).toEqual([id])
})

test('a folder is given with what is in it, and both users are told of each', async () => {
  const { db, events } = watched()
  const { publisher, bob, id } = await world(
    ['Transfer'],
    { ...transferable, root_type: folderType, title: '<Box>' },
    { db },
  )
  const [leaf = ''] = await emitted(publisher, 'local.vatom::Leaf', 1, transferable)
  await made(
    publisher,
    ['PATCH', '/v1/vatoms', { ids: [leaf], parent_id: id }],
    ['PATCH', '/v1/user', { first_name: 'Ada', last_name: 'L.' }],
  )
  const before = (await events()).length
  await perform(publisher, 'Transfer', id, bobs)
  expect(await owned(bob)).toEqual([id, leaf].sort())
  expect((await seen(bob, leaf)).type.parent_id).toBe(id)
  const told = (await events()).slice(before)
  const inventory = {
    type: 'inventory',
    op: 'insert',
    new_owner: bob.id,
    old_owner: publisher.id,
    action_name: 'Transfer',
  }
  for (const [one, parent_id] of [
    [id, '.'],
    [leaf, id],
  ])
    for (const user of [publisher.id, bob.id])
      expect(told).toContainEqual(expect.objectContaining({ ...inventory, id: one, parent_id, user }))
  expect(told.filter(({ type }) => type !== 'inventory')).toMatchObject([
    {
      type: 'my_events',
      user: bob.id,
      msg: '<b>Ada L.</b> sent you a <b>&lt;Box&gt;</b> vAtom.',
      action_name: 'Transfer',
      triggered_by: publisher.id,
      vatoms: [id],
      templ_vars: [`${name}::V`],
    },
  ])
  expect(told).toHaveLength(5)
})

test('what is alike in a folder that is given is told together, each to whoever reads it', async () => {
  const { publisher, bob, store, told } = await storedWorld()
  const [box = ''] = await emitted(publisher, name, 1, { ...transferable, root_type: folderType })
  await action(publisher, name, 'Transfer')
  const leaves = await emitted(publisher, 'local.vatom::Leaf', 120, transferable)
  const [inner = ''] = await emitted(publisher, 'local.vatom::Inner', 1, { ...transferable, root_type: folderType })
  const [last = ''] = leaves.slice(-1)
  for (const ids of [leaves.slice(0, 60), leaves.slice(60)])
    await made(publisher, ['PATCH', '/v1/vatoms', { ids, parent_id: box }])
  await made(
    publisher,
    ['PATCH', '/v1/vatoms', { ids: [inner], parent_id: box }],
    ['PATCH', '/v1/vatoms', { ids: [last], parent_id: inner }],
  )
  const [rows, before] = [store.events.last(), told().length]
  outputOf(await perform(publisher, 'Transfer', box, bobs))
  expect(store.events.last() - rows).toBe(11)
  const heard = told().slice(before)
  for (const user of [publisher, bob]) {
    const arrived = heard.filter(({ msg_type, user_id }) => msg_type === 'inventory' && user_id === user.id)
    expect(arrived.map(({ payload }) => payload.id).sort()).toEqual([box, inner, ...leaves].sort())
    for (const [id, template_variation, parent_id] of [
      [inner, 'local.vatom::Inner::V', box],
      [leaves[0], 'local.vatom::Leaf::V', box],
      [last, 'local.vatom::Leaf::V', inner],
    ])
      expect(arrived.find(({ payload }) => payload.id === id)?.payload).toMatchObject({ template_variation, parent_id })
  }
})

test('a folder is not transferred with what is not transferable, however deep', async () => {
  const { publisher, bob, ids } = await world(['Transfer'], { ...transferable, root_type: folderType })
  const [outer = '', inner = ''] = ids
  const [leaf = ''] = await emitted(publisher, 'local.vatom::Leaf', 1, { transferable: false })
  await made(
    publisher,
    ['PATCH', '/v1/vatoms', { ids: [leaf], parent_id: inner }],
    ['PATCH', '/v1/vatoms', { ids: [inner], parent_id: outer }],
  )
  expect(await perform(publisher, 'Transfer', outer, bobs)).toMatchObject({
    status: 400,
    body: { error: 1708, message: `the vAtom ${leaf} is not transferable` },
  })
  expect(await owned(bob)).toEqual([])
  await made(publisher, ['PATCH', '/v1/vatoms', { ids: [leaf], parent_id: '.' }])
  expect(await perform(publisher, 'Transfer', outer, bobs)).toMatchObject({ status: 200 })
})

describe.each(['disabled', 'in_contract'])('a folder in which something is %s', (property) => {
  const here = { 'geo.pos': { lat: 1, lon: 2 } }
  const open = { transferable: true, acquirable: true, redeemable: true, commerce: {}, visibility: { type: 'public' } }
  test.each(['Transfer', 'Redeem', 'Acquire', 'Pickup'])('does not change hands by %s', async (act) => {
    const { db } = watched()
    const { publisher, bob, id, service } = await world([act, 'Drop'], { ...open, root_type: folderType }, { db })
    await grant(service, bob, { is_merchant: true })
    const [leaf = ''] = await emitted(publisher, 'local.vatom::Leaf', 1, transferable)
    await made(publisher, ['PATCH', '/v1/vatoms', { ids: [leaf], parent_id: id }])
    if (act === 'Pickup') outputOf(await perform(publisher, 'Drop', id, here))
    const sqlite = await openSqlite(db)
    const changed = `json_set(json, '$."vAtom::vAtomType".${property}', json('true'))`
    sqlite.prepare(`UPDATE vatoms SET json = ${changed} WHERE id = ?`).run(leaf)
    sqlite.close()
    const caller = act === 'Transfer' ? publisher : bob
    expect(await perform(caller, act, id, act === 'Transfer' ? bobs : {})).toMatchObject({
      status: 400,
      body: { error: 1708, message: expect.stringContaining(leaf) },
    })
    expect(await owned(bob)).toEqual([])
  })
})

test('a notification has the beginning of a title that is long', async () => {
  const { db, events } = watched()
  const { publisher, id } = await world(['Transfer'], { ...transferable, title: '&'.repeat(60_000) }, { db })
  await perform(publisher, 'Transfer', id, bobs)
  expect((await events()).at(-1).msg).toMatch(/^<b>Somebody<\/b> sent you a <b>(&amp;){200}…<\/b> vAtom\.$/)
})

test('who keeps their name to themself is somebody', async () => {
  const { db, events } = watched()
  const { publisher, id } = await world(['Transfer'], { ...transferable, title: 'Tea' }, { db })
  await made(publisher, ['PATCH', '/v1/user', { first_name: 'Ada', name_public: false }])
  await perform(publisher, 'Transfer', id, bobs)
  expect((await events()).at(-1)).toMatchObject({ msg: '<b>Somebody</b> sent you a <b>Tea</b> vAtom.' })
})

describe('Acquire', () => {
  const shown = { acquirable: true, visibility: { type: 'public' } }

  test('§2.4 whoever sees an acquirable vAtom takes it, after which nobody else can', async () => {
    const { db, events } = watched()
    const { publisher, bob, other, id } = await world(['Acquire'], { ...shown, title: 'Tea' }, { db })
    const before = await seen(bob, id)
    const count = (await events()).length
    expect(await perform(bob, 'Acquire', id)).toMatchObject({ status: 200 })
    expect((await seen(bob, id)).type).toEqual({ ...before.type, owner: bob.id, acquirable: false })
    const body = {
      filters: [{ filter_elems: [{ field: 'vAtom::vAtomType.acquirable', filter_op: 'Eq', value: 'true' }] }],
    }
    const found = await bob.call('POST', '/v1/vatom/discover', { body })
    expect(found.payload.results.map((one: { id: string }) => one.id)).not.toContain(id)
    expect(await perform(other, 'Acquire', id)).toMatchObject({ status: 400, body: { error: 1708 } })
    expect(await perform(bob, 'Acquire', id)).toMatchObject({ status: 400, body: { error: 1605 } })
    const told = (await events()).slice(count)
    expect(told.map(({ type, user }) => [type, user])).toEqual([
      ['inventory', bob.id],
      ['inventory', publisher.id],
      ['my_events', publisher.id],
    ])
    expect(told[2]).toMatchObject({ msg: '<b>Somebody</b> acquired your <b>Tea</b> vAtom.', triggered_by: bob.id })
  })

  test('of two who acquire a vAtom at once, one does', async () => {
    const { bob, other, id } = await world(['Acquire'], shown)
    const answers = await Promise.all([bob, other].map((caller) => perform(caller, 'Acquire', id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    expect((await Promise.all([bob, other].map(owned))).flat().filter((one) => one === id)).toEqual([id])
  })

  test('a vAtom of a draft is not acquired by others', async () => {
    const { publisher, bob } = await twoPublishers()
    const { ids } = await made(
      publisher,
      ['POST', '/v1/templates', template({ template: name, unpublished: false }, shown)],
      ['POST', '/v1/template_variations', { template: name, template_variation: `${name}::V`, unpublished: true }],
      ['POST', '/v1/vatoms', { template_variation: `${name}::V`, num: 1 }],
    )
    await action(publisher, name, 'Acquire')
    expect(await perform(bob, 'Acquire', String(ids[0]))).toMatchObject({
      status: 400,
      body: {
        error: 1708,
        message: expect.stringMatching(/belongs to a draft: others cannot take it until its variation is published$/),
      },
    })
    expect(await owned(bob)).toEqual([])
  })

  test('what one may not see is not acquired', async () => {
    const { bob, id } = await world(['Acquire'], { acquirable: true })
    expect(await perform(bob, 'Acquire', id)).toMatchObject({ status: 403, body: { error: 1604 } })
  })
})

describe('AcquirePubVariation', () => {
  const open = { public: true, auto_create_on_acquire: true, unpublished: false }
  async function shop(fields: object, visibility = 'public') {
    const opened = await twoPublishers()
    const { publisher } = opened
    const { ids } = await made(
      publisher,
      ['POST', '/v1/templates', template({ template: name, unpublished: false }, { visibility: { type: visibility } })],
      ['POST', '/v1/template_variations', { template: name, template_variation: `${name}::V`, ...fields }],
      ['POST', '/v1/vatoms', { template_variation: `${name}::V`, num: 1 }],
    )
    await action(publisher, name, 'AcquirePubVariation')
    return { ...opened, id: String(ids[0]) }
  }

  test('a caller receives a new vAtom of the variation, and the old one stays', async () => {
    const { publisher, bob, id } = await shop(open)
    const { ids } = outputOf(await perform(bob, 'AcquirePubVariation', id))
    expect(await owned(bob)).toEqual(ids)
    expect(ids).not.toContain(id)
    expect((await seen(bob, ids[0])).type).toMatchObject({ owner: bob.id, template_variation: `${name}::V` })
    expect((await seen(publisher, id)).sync).toBe(1)
  })

  test('a caller receives one of a vAtom that they do not see, which stays hidden', async () => {
    const { publisher, bob, id } = await shop(open, 'owner')
    expect(await read(bob, id)).toMatchObject({ status: 403 })
    const { ids } = outputOf(await perform(bob, 'AcquirePubVariation', id))
    expect(await owned(bob)).toEqual(ids)
    expect(await read(bob, id)).toMatchObject({ status: 403 })
    expect((await seen(publisher, id)).sync).toBe(1)
  })

  test.each([
    ['not public', { ...open, public: false }],
    ['a draft', { ...open, unpublished: true }],
    ['not made on acquiring', { ...open, auto_create_on_acquire: false }],
  ])('a hidden vAtom of a variation that is %s stays foreign', async (_what, fields) => {
    const { bob, id } = await shop(fields, 'owner')
    expect(await perform(bob, 'AcquirePubVariation', id)).toMatchObject({ status: 403, body: { error: 1604 } })
    expect(await owned(bob)).toEqual([])
  })

  test('a folder comes with its children, of each of which the caller is told', async () => {
    const { db, events } = watched()
    const { publisher, bob } = await twoPublishers({ db })
    await emitted(publisher, 'local.vatom::Leaf', 1)
    const type = {
      root_type: 'vAtom::vAtomType::DefinedFolderContainerType',
      visibility: { type: 'public' },
      child_policy: [{ template_variation: 'local.vatom::Leaf::V', count: 2 }],
    }
    const { ids } = await made(
      publisher,
      ['POST', '/v1/templates', template({ template: name, unpublished: false }, type)],
      ['POST', '/v1/template_variations', { template: name, template_variation: `${name}::V`, ...open }],
      ['POST', '/v1/vatoms', { template_variation: `${name}::V`, num: 1 }],
    )
    await action(publisher, name, 'AcquirePubVariation')
    outputOf(await perform(bob, 'AcquirePubVariation', ids[0]))
    const has = await owned(bob)
    expect(has).toHaveLength(3)
    const told = (await events()).map(({ type, user, id, old_owner }) => [type, user, id, old_owner])
    expect(told.sort()).toEqual(has.map((id) => ['inventory', bob.id, id, '']).sort())
  })

  test('a folder is not made whose children are of a variation that is gone', async () => {
    const { publisher, bob } = await twoPublishers()
    const child = 'local.vatom::Leaf::V'
    const type = {
      root_type: 'vAtom::vAtomType::DefinedFolderContainerType',
      visibility: { type: 'public' },
      child_policy: [{ template_variation: child, count: 0 }],
    }
    const { ids } = await made(
      publisher,
      ['POST', '/v1/templates', template({ template: 'local.vatom::Leaf' })],
      ['POST', '/v1/template_variations', { template: 'local.vatom::Leaf', template_variation: child }],
      ['POST', '/v1/templates', template({ template: name, unpublished: false }, type)],
      ['POST', '/v1/template_variations', { template: name, template_variation: `${name}::V`, ...open }],
      ['POST', '/v1/vatoms', { template_variation: `${name}::V`, num: 1 }],
    )
    await action(publisher, name, 'AcquirePubVariation')
    await made(publisher, ['DELETE', `/v1/template_variations/${child}`])
    const answer = await perform(bob, 'AcquirePubVariation', ids[0])
    expect(answer).toMatchObject({ status: 400, body: { error: 1708, message: expect.stringContaining(child) } })
    expect(await owned(bob)).toEqual([])
  })

  test.each([
    ['not public', { ...open, public: false }, 'is not public'],
    ['a draft', { ...open, unpublished: true }, 'is not published'],
    ['not made on acquiring', { ...open, auto_create_on_acquire: false }, 'does not have auto_create_on_acquire'],
  ])('a variation that is %s makes nobody a vAtom', async (_what, fields, why) => {
    const { bob, id } = await shop(fields)
    expect(await perform(bob, 'AcquirePubVariation', id)).toMatchObject({
      status: 400,
      body: { error: 1708, message: `the variation ${name}::V ${why}` },
    })
    expect(await owned(bob)).toEqual([])
  })
})

describe('Redeem', () => {
  const redeemable = { redeemable: true, commerce: {} }
  const until = (valid: object) => ({
    redeemable: true,
    commerce: { pricing: { pricingType: 'Fixed', value: { currency: 'EUR', price: '1', ...valid } } },
  })
  async function coupon(type: object = redeemable) {
    const opened = await world(['Redeem', 'Transfer'], { transferable: true, ...type })
    await grant(opened.service, opened.other, { is_merchant: true })
    await made(opened.publisher, [
      'POST',
      '/v1/user/vatom/action/Transfer',
      { 'this.id': opened.id, 'new.owner.id': opened.bob.id },
    ])
    return { ...opened, merchant: opened.other }
  }

  test('§2.4 the owner redeems with a merchant, who has it then', async () => {
    const { bob, merchant, id } = await coupon()
    const before = await seen(bob, id)
    expect(await perform(bob, 'Redeem', id, { 'new.owner.id': merchant.id })).toMatchObject({ status: 200 })
    expect([await owned(bob), await owned(merchant)]).toEqual([[], [id]])
    const given = { owner: merchant.id, transferred_by: bob.id }
    expect((await seen(merchant, id)).type).toEqual({ ...before.type, ...given, redeemable: false })
  })

  test('without a merchant it leaves the inventory, and is nobody’s', async () => {
    const { bob, publisher, id } = await coupon()
    expect(await perform(bob, 'Redeem', id)).toMatchObject({ status: 200 })
    expect(await owned(bob)).toEqual([])
    for (const caller of [bob, publisher]) expect(await read(caller, id)).toMatchObject({ status: 403 })
  })

  test('§2.1 a merchant redeems a vAtom of another user, who is told; once', async () => {
    const { bob, merchant, id } = await coupon()
    expect(await perform(merchant, 'Redeem', id)).toMatchObject({ status: 200 })
    expect([await owned(bob), await owned(merchant)]).toEqual([[], [id]])
    expect((await seen(merchant, id)).type).toMatchObject({ transferred_by: bob.id, redeemable: false })
  })

  test('a merchant does not redeem with themself', async () => {
    const { merchant, id } = await coupon()
    outputOf(await perform(merchant, 'Redeem', id))
    const again = await perform(merchant, 'Redeem', id, { 'new.owner.id': merchant.id })
    expect(again).toMatchObject({ status: 400, body: { error: 1605, issues: [{ path: 'new.owner.id' }] } })
  })

  test('what was redeemed is not redeemed again by a merchant', async () => {
    const { bob, merchant, id } = await coupon()
    await perform(bob, 'Redeem', id)
    expect(await perform(merchant, 'Redeem', id)).toMatchObject({ status: 403, body: { error: 1604 } })
  })

  test('what a merchant redeemed is redeemed by nobody again, whoever has it then', async () => {
    const { publisher, bob, merchant, id, service } = await coupon()
    await grant(service, publisher, { is_merchant: true })
    outputOf(await perform(merchant, 'Redeem', id))
    const refused = { status: 400, body: { error: 1630, message: expect.stringContaining('already redeemed') } }
    const redeemAgain = (caller: Caller, input = {}) => perform(caller, 'Redeem', id, input)
    for (const input of [{}, { 'new.owner.id': publisher.id }])
      expect(await redeemAgain(merchant, input)).toMatchObject({ ...refused, body: { issues: [{ path: 'this.id' }] } })
    expect(await redeemAgain(publisher)).toMatchObject(refused)
    expect(
      await publisher.call('POST', '/v1/user/vatom/request/redemption', { body: { object_id: id } }),
    ).toMatchObject(refused)
    outputOf(await perform(merchant, 'Transfer', id, { 'new.owner.id': bob.id }))
    for (const caller of [bob, publisher]) expect(await redeemAgain(caller)).toMatchObject(refused)
    expect(await owned(bob)).toEqual([id])
  })

  test('of two merchants who redeem it at once, one does', async () => {
    const { publisher, merchant, id, service } = await coupon()
    await grant(service, publisher, { is_merchant: true })
    const answers = await Promise.all([perform(publisher, 'Redeem', id), perform(merchant, 'Redeem', id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  test('of two who redeem it at once, one does', async () => {
    const { bob, merchant, id } = await coupon()
    const answers = await Promise.all([perform(bob, 'Redeem', id), perform(merchant, 'Redeem', id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
  })

  test('who is neither its owner nor a merchant does not redeem it, nor is it redeemed with such', async () => {
    const { publisher, bob, id } = await coupon()
    for (const type of [redeemable, { ...redeemable, visibility: { type: 'public' } }]) {
      const there = await coupon(type)
      const answer = await perform(there.publisher, 'Redeem', there.id)
      expect(answer).toMatchObject({ status: 403, body: { error: 1604 } })
    }
    const input = { 'new.owner.id': publisher.id }
    expect(await perform(bob, 'Redeem', id, input)).toMatchObject({
      status: 400,
      body: { error: 1631, issues: [{ path: 'new.owner.id' }] },
    })
    expect(await owned(bob)).toEqual([id])
  })

  test.each([
    ['is not redeemable', {}, 1630],
    ['is over', until({ valid_through: '2027-02-28' }), 1632],
    ['has not begun', until({ valid_from: '2027-03-01T12:00:01Z' }), 1632],
  ])('what %s is not redeemed', async (_what, type, error) => {
    const { bob, merchant, id } = await coupon(type)
    for (const caller of [bob, merchant])
      expect(await perform(caller, 'Redeem', id)).toMatchObject({ status: 400, body: { error } })
    expect(await owned(bob)).toEqual([id])
  })

  test.each([[{ valid_from: '2027-03-01', valid_through: '2027-03-01' }], [{ valid_from: '*', valid_through: '*' }]])(
    'a day is valid as long as it lasts, and * is always: %j',
    async (valid) => {
      const { bob, id } = await coupon(until(valid))
      expect(await perform(bob, 'Redeem', id)).toMatchObject({ status: 200 })
    },
  )
})
