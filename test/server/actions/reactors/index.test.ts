import { describe, expect, test } from 'vitest'
import { action, folderType, nobody, outputOf, packageType, perform, read } from '../../../support/acting.ts'
import { type Caller, doors, emitted, made, testService, warningsOf } from '../../../support/service.ts'
import { twoPublishers } from '../../../support/worlds.ts'

const definedType = 'vAtom::vAtomType::DefinedFolderContainerType'

const open = (caller: Caller, id: unknown, input: object = {}) => perform(caller, 'Open', id, input)
const register = (caller: Caller, template: string, name: string, reactor: string) =>
  action(caller, template, name, { reactor })
const put = (caller: Caller, ids: readonly string[], parent_id: string) =>
  made(caller, ['PATCH', '/v1/vatoms', { ids, parent_id }])

const pack = 'local.vatom::Pack'
/** A package that can be opened, with some vAtoms in it. */
async function packed(caller: Caller, type: object = {}, content: object = {}) {
  const [id = ''] = await emitted(caller, pack, 1, { root_type: packageType, ...type })
  await register(caller, pack, 'Open', 'blockv://v1/Open')
  const contents = await emitted(caller, 'local.vatom::Content', 3, content, { colour: 'red' })
  await put(caller, contents, id)
  return { id, contents }
}

describe.each(doors)('%s', (door) => {
  test('§2.4 a package is empty when emitted, is filled, and vanishes once it is opened', async () => {
    const { publisher, advance } = await testService({}, door)
    const { id, contents } = await packed(publisher)
    const before = (await read(publisher, contents[0] ?? '')).payload
    advance(60)
    const answer = await open(publisher, id)
    expect(answer).toMatchObject({ status: 200, payload: { main: { output: expect.any(String) } } })
    expect(outputOf(answer)).toEqual({ ids: contents })
    expect((await read(publisher, contents[0] ?? '')).payload).toEqual({
      ...before,
      sync: before.sync + 1,
      when_modified: '2027-03-01T12:01:00Z',
      'vAtom::vAtomType': { ...before['vAtom::vAtomType'], parent_id: '.' },
    })
    const found = await publisher.call('POST', '/v1/vatom/discover', { body: {} })
    expect(found.payload.results.map((one: { id: string }) => one.id).sort()).toEqual([...contents].sort())
    expect(await read(publisher, id)).toMatchObject({ status: 403, body: { error: 1604 } })
  })
})

test('an empty package is opened too', async () => {
  const { publisher } = await testService()
  const [id] = await emitted(publisher, pack, 1, { root_type: packageType })
  await register(publisher, pack, 'Open', 'blockv://v1/Open')
  expect(outputOf(await open(publisher, id))).toEqual({ ids: [] })
})

test('what comes out takes the place of the package: its folder, and the visibility of that', async () => {
  const { publisher, bob } = await twoPublishers()
  const visibility = { visibility: { type: 'container' } }
  const { id, contents } = await packed(publisher, visibility, visibility)
  const [folder = ''] = await emitted(publisher, 'local.vatom::Folder', 1, { root_type: folderType })
  const [inner = ''] = await emitted(publisher, 'local.vatom::Inner', 1, { root_type: folderType, ...visibility })
  const [leaf = ''] = await emitted(publisher, 'local.vatom::Leaf', 1, visibility)
  const [shelf = ''] = await emitted(publisher, 'local.vatom::Shelf', 1, {
    root_type: folderType,
    visibility: { type: 'public' },
  })
  await put(publisher, [leaf], inner)
  await put(publisher, [inner], id)
  await put(publisher, [id], folder)
  const seen = async () =>
    Promise.all([contents[0], inner, leaf].map(async (one) => (await read(bob, one ?? '')).status))
  expect(await seen()).toEqual([403, 403, 403])
  await put(publisher, [id], shelf)
  expect(await seen()).toEqual([200, 200, 200])
  expect(outputOf(await open(publisher, id)).ids.sort()).toEqual([...contents, inner].sort())
  expect(await seen()).toEqual([200, 200, 200])
  expect((await read(publisher, inner)).payload['vAtom::vAtomType'].parent_id).toBe(shelf)
  expect((await read(publisher, leaf)).payload['vAtom::vAtomType'].parent_id).toBe(inner)
})

test('what comes out of a public package is found as the place is', async () => {
  const { publisher, bob } = await twoPublishers()
  const { id, contents } = await packed(
    publisher,
    { visibility: { type: 'public' } },
    { visibility: { type: 'container' } },
  )
  expect(await read(bob, contents[0] ?? '')).toMatchObject({ status: 200 })
  await open(publisher, id)
  expect(await read(bob, contents[0] ?? '')).toMatchObject({ status: 403 })
})

test('an opened package is nobody’s: no search finds it, nothing is done with it', async () => {
  const { publisher, bob } = await twoPublishers()
  const { id } = await packed(publisher, { visibility: { type: 'public' } })
  await open(publisher, id)
  for (const caller of [publisher, bob]) {
    for (const scope of [
      { key: 'vAtom::vAtomType.owner', value: nobody },
      { key: 'id', value: id },
    ])
      expect((await caller.call('POST', '/v1/vatom/discover', { body: { scope } })).payload.count).toBe(0)
    expect(await open(caller, id)).toMatchObject({ status: 403, body: { error: 1604 } })
  }
  const moved = await publisher.call('PATCH', '/v1/vatoms', { body: { ids: [id], parent_id: '.' } })
  expect(moved.payload).toMatchObject({ num_updated: 0, error_messages: { [id]: 'the vAtom is not yours' } })
})

test('of two who open a package at once, one does', async () => {
  const { publisher } = await testService()
  const { id, contents } = await packed(publisher)
  const answers = await Promise.all([open(publisher, id), open(publisher, id)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
  for (const one of contents) expect((await read(publisher, one)).payload.sync).toBe(3)
})

test('only its owner opens a package', async () => {
  const { publisher, bob } = await twoPublishers()
  const { id } = await packed(publisher, { visibility: { type: 'public' } })
  const own = await open(bob, id)
  expect(own).toMatchObject({ status: 403, body: { error: 1604 } })
  expect(own.body.message).toMatch(/is not yours/)
  expect(await open(publisher, id)).toMatchObject({ status: 200 })
})

test('one does nothing with a vAtom that one may not see, whatever its template can do', async () => {
  const { publisher, bob } = await twoPublishers()
  const { id } = await packed(publisher)
  for (const action of ['Open', 'Nothing'])
    expect(await perform(bob, action, id)).toMatchObject({ status: 403, body: { error: 1604 } })
})

test('a vAtom that is not there is 404', async () => {
  const { publisher } = await testService()
  for (const id of ['nothing', nobody, '\u0000'])
    expect(await open(publisher, id)).toMatchObject({ status: 404, body: { error: 1701 } })
})

test('an action that the template does not have is code 13', async () => {
  const { publisher } = await testService()
  const [id] = await emitted(publisher, 'local.vatom::A', 1)
  await emitted(publisher, 'local.vatom::B', 1)
  await register(publisher, 'local.vatom::B', 'Open', 'blockv://v1/Open')
  for (const action of ['Open', 'open', '%F0%9F%92%A5', '..%2F', '%00']) {
    const answer = await perform(publisher, action, id)
    expect(answer).toMatchObject({ status: 400, body: { error: 13 } })
    expect(answer.body.message).toMatch(/no action is named local\.vatom::A::Action::/)
  }
})

test.each(['blockv://v1/Nothing', 'local.vatom://stamp', 'constructor://x'])(
  'an action whose reactor the service does not carry out names it: %s',
  async (reactor) => {
    const { publisher } = await testService()
    const [id = ''] = await emitted(publisher, 'local.vatom::A', 1)
    await register(publisher, 'local.vatom::A', 'Do', reactor)
    const answer = await perform(publisher, 'Do', id)
    expect(answer).toMatchObject({ status: 400, body: { error: 13, message: expect.stringContaining(reactor) } })
    expect((await read(publisher, id)).payload.sync).toBe(1)
  },
)

test.each(['vAtom::vAtomType', folderType, definedType])(
  '§2.4 what is no package is not opened: %s',
  async (root_type) => {
    const { publisher } = await testService()
    const [id] = await emitted(publisher, 'local.vatom::A', 1, { root_type })
    await register(publisher, 'local.vatom::A', 'Open', 'blockv://v1/Open')
    const answer = await open(publisher, id)
    expect(answer).toMatchObject({ status: 400, body: { error: 516, issues: [{ path: 'this.id' }] } })
    expect(answer.body.message).toContain(root_type)
  },
)

test('inputs that a reactor does not use are warned about', async () => {
  const { publisher } = await testService()
  const { id } = await packed(publisher)
  const answer = await open(publisher, id, { 'new.owner.email': 'a@b.example', wait: true })
  expect(answer.status).toBe(200)
  expect(warningsOf(answer)).toEqual(
    ['new.owner.email', 'wait'].map((path) => ({
      code: 'no-effect',
      path,
      message: `${path} has no effect: blockv://v1/Open does not use it`,
    })),
  )
})

test.each([{}, { 'this.id': '' }, { 'this.id': 1 }, { 'this.id': 'x'.repeat(257) }])(
  'without the id of a vAtom the request is a 400: %j',
  async (body) => {
    const { publisher } = await testService()
    expect(await publisher.call('POST', '/v1/user/vatom/action/Open', { body })).toMatchObject({
      status: 400,
      body: { error: 516, issues: [{ path: 'this.id' }] },
    })
  },
)

describe('§2.4 in a defined folder', () => {
  /** An openable package of two coins in a defined folder that lets in so many of each. */
  async function shelved(names: Readonly<Record<string, number>>) {
    const { publisher } = await testService()
    const { id, contents } = await packed(publisher)
    const child_policy = Object.entries(names).map(([name, most]) => ({
      template_variation: `${name}::V`,
      count: name === pack ? 1 : 0,
      creation_policy: { enforce_policy_count_max: true, policy_count_max: most },
    }))
    const [shelf = ''] = await emitted(publisher, 'local.vatom::Shelf', 1, { root_type: definedType, child_policy })
    await put(publisher, [id], shelf)
    return { publisher, id, contents, shelf }
  }

  test('a package is opened where its contents may be', async () => {
    const { publisher, id, contents } = await shelved({ [pack]: 2, 'local.vatom::Content': 3 })
    expect(outputOf(await open(publisher, id))).toEqual({ ids: contents })
  })

  test.each([
    ['does not name', { [pack]: 2 }, /does not name local.vatom::Content::V/],
    ['has no room for', { [pack]: 2, 'local.vatom::Content': 2 }, /holds at most 2 of local.vatom::Content::V/],
  ])('one that %s its contents leaves it shut', async (_what, names, why) => {
    const { publisher, id, contents } = await shelved(names)
    const answer = await open(publisher, id)
    expect(answer).toMatchObject({ status: 400, body: { error: 516, message: expect.stringMatching(why) } })
    expect((await read(publisher, contents[0] ?? '')).payload['vAtom::vAtomType'].parent_id).toBe(id)
    expect(await read(publisher, id)).toMatchObject({ status: 200 })
  })

  test('one that must keep it leaves it shut', async () => {
    const { publisher } = await testService()
    const { id } = await packed(publisher)
    await put(
      publisher,
      (await within(publisher, id)).map((one) => one.id),
      '.',
    )
    const policy = { enforce_policy_count_min: true, policy_count_min: 1 }
    const child_policy = [{ template_variation: `${pack}::V`, creation_policy: policy }]
    const [shelf = ''] = await emitted(publisher, 'local.vatom::Shelf', 1, { root_type: definedType, child_policy })
    const [child] = await within(publisher, shelf)
    const answer = await open(publisher, child?.id)
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringMatching(/must hold at least 1/) } })
    await put(publisher, [id], shelf)
    expect(await open(publisher, child?.id)).toMatchObject({ status: 200 })
  })
})

async function within(caller: Caller, folder: string): Promise<{ id: string }[]> {
  const scope = { key: 'vAtom::vAtomType.parent_id', value: folder }
  return (await caller.call('POST', '/v1/vatom/discover', { body: { scope } })).payload.results
}

describe('a trashed vAtom of a draft', () => {
  const variation = `${pack}::V`
  async function opened() {
    const world = await twoPublishers()
    const { publisher } = world
    await made(
      publisher,
      ['POST', '/v1/templates', { template: pack, vatom: { 'vAtom::vAtomType': { root_type: packageType } } }],
      ['POST', '/v1/template_variations', { template: pack, template_variation: variation }],
    )
    await register(publisher, pack, 'Open', 'blockv://v1/Open')
    const { ids } = await made(publisher, ['POST', '/v1/vatoms', { template_variation: variation, num: 10 }])
    await made(publisher, ['POST', '/v1/user/vatom/action/Open', { 'this.id': ids[0] }])
    return { ...world, trashed: ids[0] }
  }

  test('still counts among those that may be emitted in all', async () => {
    const { publisher } = await opened()
    expect(
      await publisher.call('POST', '/v1/vatoms', { body: { template_variation: variation, num: 1 } }),
    ).toMatchObject({ status: 400, body: { error: 9008 } })
  })

  test('does not come back when the draft becomes public', async () => {
    const { publisher, bob, trashed } = await opened()
    const visibility = { type: 'public' }
    await made(publisher, [
      'PATCH',
      `/v1/template_variations/${variation}`,
      { vatom: { 'vAtom::vAtomType': { visibility } } },
    ])
    expect((await bob.call('POST', '/v1/vatom/discover', { body: {} })).payload.count).toBe(9)
    expect(await read(bob, trashed)).toMatchObject({ status: 403 })
  })
})
