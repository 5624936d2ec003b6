import { describe, expect, test } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { definedFolder, discoverContainer } from '../../../src/contract/values.ts'
import { face } from '../../fixtures/bodies.ts'
import { folderType } from '../../support/acting.ts'
import { type Caller, doors, emitted, made, testService } from '../../support/service.ts'
import { idsOf, storedWorld, twoPublishers } from '../../support/worlds.ts'

const path = (id: string) => `/v1/vatoms/${id}`

describe.each(doors)('%s', (door) => {
  test('a vAtom is answered as a search answers it', async () => {
    const { publisher } = await testService({}, door)
    const [id = ''] = await emitted(publisher, 'local.vatom::A', 1, { title: 'é "A"' }, { colour: 'red', n: 1.5 })
    const { payload } = await publisher.call('GET', path(id))
    expect(payload).toMatchObject({ id, 'vAtom::vAtomType': { title: 'é "A"' }, private: { colour: 'red', n: 1.5 } })
    const found = await publisher.call('POST', '/v1/vatom/discover', { body: {} })
    expect(found.payload.results).toEqual([payload])
    expect(payload).not.toHaveProperty('faces')
    expect(payload).not.toHaveProperty('actions')
  })

  test("the caller's vAtoms are counted by variation: of all, or of those named, in their order", async () => {
    const { publisher, register } = await testService({}, door)
    const bob = await register('bob@example.com')
    await emitted(publisher, 'local.vatom::B', 2)
    await emitted(publisher, 'local.vatom::A', 3, { visibility: { type: 'public' } })
    const stats = async (caller: Caller, body?: object) => {
      const answer = await caller.call('POST', '/v1/user/vatom/inventorystats', { ...(body && { body }) })
      expect(answer).toMatchObject({ status: 200, headers: { 'vatom-assumed': expect.stringMatching(/^the payload/) } })
      return answer.payload
    }
    const [a, b, none] = ['local.vatom::A::V', 'local.vatom::B::V', 'local.vatom::None']
    const all = {
      stats: [
        { template_variation: a, count: 3 },
        { template_variation: b, count: 2 },
      ],
    }
    for (const body of [undefined, {}, { template_variations: [] }]) expect(await stats(publisher, body)).toEqual(all)
    expect(await stats(publisher, { template_variations: [b, none, b] })).toEqual({
      stats: [
        { template_variation: b, count: 2 },
        { template_variation: none, count: 0 },
      ],
    })
    expect(await stats(bob)).toEqual({ stats: [] })
    expect(await stats(bob, { template_variations: [a] })).toEqual({ stats: [{ template_variation: a, count: 0 }] })
  })

  test('a public vAtom needs no login; of others nobody learns without one whether they are there', async () => {
    const { publisher, send } = await testService({}, door)
    const [own = ''] = await emitted(publisher, 'local.vatom::Own', 1)
    const [open = ''] = await emitted(publisher, 'local.vatom::Open', 1, { visibility: { type: 'public' } })
    for (const authorization of ['', 'Bearer', 'Bearer ']) {
      const headers: Record<string, string> = authorization === '' ? {} : { authorization }
      expect(await send('GET', path(open), { headers })).toMatchObject({ status: 200, payload: { id: open } })
      const [hidden, none] = [
        await send('GET', path(own), { headers }),
        await send('GET', path('nothing'), { headers }),
      ]
      expect(hidden).toMatchObject({ status: 403, body: { error: 401 } })
      expect({ ...none.body, request_id: '' }).toEqual({ ...hidden.body, request_id: '' })
    }
  })

  test('a login that is no longer good is refused, even for a public vAtom', async () => {
    const { publisher, send, advance } = await testService({}, door)
    const [open = ''] = await emitted(publisher, 'local.vatom::Open', 1, { visibility: { type: 'public' } })
    const refused = { status: 403, body: { error: 401 } }
    expect(await send('GET', path(open), { headers: { authorization: 'Bearer x' } })).toMatchObject(refused)
    advance(600)
    expect(await publisher.call('GET', path(open))).toMatchObject(refused)
  })
})

test('a vAtom is read by its owner, and by anyone once everybody may find it', async () => {
  const { publisher, other } = await twoPublishers()
  const [own = ''] = await emitted(publisher, 'local.vatom::Own', 1)
  const [loose = ''] = await emitted(publisher, 'local.vatom::Loose', 1, { visibility: { type: 'container' } })
  const [open = ''] = await emitted(publisher, 'local.vatom::Open', 1, { visibility: { type: 'public' } })
  for (const id of [own, loose, open]) expect(await publisher.call('GET', path(id))).toMatchObject({ status: 200 })
  for (const id of [own, loose]) {
    const answer = await other.call('GET', path(id))
    expect(answer).toMatchObject({ status: 403, body: { error: 1604 } })
    expect(answer.text).not.toContain('local.vatom')
  }
  expect(await other.call('GET', path(open))).toMatchObject({ status: 200, payload: { id: open } })
})

test.each(['nothing', '.', '%00', '00000000-0000-0000-0000-000000000000', "'--", '%F0%9F%92%A5'])(
  'a vAtom that is not there is 404: %s',
  async (id) => {
    const { publisher } = await testService()
    await emitted(publisher, 'local.vatom::A', 1)
    expect(await publisher.call('GET', path(id))).toMatchObject({ status: 404, body: { error: 1701 } })
  },
)

const get = (caller: Caller, ids: unknown) => caller.call('POST', '/v1/user/vatom/get', { body: { ids } })

const inventory = (caller: Caller, body: object = {}) => caller.call('POST', '/v1/user/vatom/inventory', { body })

const idsIn = async (caller: Caller, body?: object) => idsOf((await inventory(caller, body)).payload.vatoms)

const hash = async (caller: Caller): Promise<string> =>
  (await caller.call('GET', '/v1/user/vatom/inventory/hash')).payload.hash

const index = async (caller: Caller, query = '') =>
  await caller.call('GET', `/v1/user/vatom/inventory/index${query && `?${query}`}`)

const put = (caller: Caller, ids: readonly string[], parent_id: string) =>
  made(caller, ['PATCH', '/v1/vatoms', { ids, parent_id }])

const folder = async (caller: Caller, type: object = {}) => {
  const [id = ''] = await emitted(caller, 'local.vatom::Folder', 1, { root_type: folderType, ...type })
  return id
}

/** Gives a template a face and an action. */
const designed = (caller: Caller, template: string) =>
  made(
    caller,
    ['POST', '/v1/publisher/face', face({ template })],
    ['POST', '/v1/publisher/action', { name: `${template}::Action::Drop`, reactor: 'blockv://v1/Drop' }],
  )

const empty = { vatoms: [], faces: [], actions: [] }

const templatesOf = ({ faces, actions }: { faces: { template: string }[]; actions: { name: string }[] }) => [
  faces.map(({ template }) => template),
  actions.map(({ name }) => name),
]

describe.each(doors)('%s', (door) => {
  test('vAtoms are got by their ids, with the faces and actions of their templates', async () => {
    const { publisher } = await testService({}, door)
    const [a = '', b = ''] = await emitted(publisher, 'local.vatom::A', 2)
    await designed(publisher, 'local.vatom::A')
    await emitted(publisher, 'local.vatom::B', 1)
    await designed(publisher, 'local.vatom::B')
    const { status, payload } = await get(publisher, [b, a, b, 'nothing'])
    expect(status).toBe(200)
    expect(Object.keys(payload).sort()).toEqual(['actions', 'faces', 'vatoms'])
    expect(idsOf(payload.vatoms)).toEqual([b, a])
    expect(payload.vatoms[0]).toEqual((await publisher.call('GET', `/v1/vatoms/${b}`)).payload)
    expect(templatesOf(payload)).toEqual([['local.vatom::A'], ['local.vatom::A::Action::Drop']])
  })

  test('an inventory has pages, with the faces and actions of the templates on each', async () => {
    const { publisher, advance } = await testService({}, door)
    const older = await emitted(publisher, 'local.vatom::Older', 2)
    await designed(publisher, 'local.vatom::Older')
    advance(1)
    const newer = await emitted(publisher, 'local.vatom::Newer', 1)
    await designed(publisher, 'local.vatom::Newer')
    const all = [...newer, ...[...older].reverse()]
    for (const page of [undefined, 0, 1])
      expect(await idsIn(publisher, { parent_id: '*', limit: 2, page })).toEqual(all.slice(0, 2))
    const { payload } = await inventory(publisher, { parent_id: '*', limit: 2, page: 2 })
    expect(idsOf(payload.vatoms)).toEqual(all.slice(2))
    expect(templatesOf(payload)).toEqual([['local.vatom::Older'], ['local.vatom::Older::Action::Drop']])
    for (const page of [3, 50, Number.MAX_SAFE_INTEGER])
      expect((await inventory(publisher, { parent_id: '*', limit: 2, page })).payload).toEqual(empty)
  })

  test('the index lists versions, page by page', async () => {
    const { publisher, advance } = await testService({}, door)
    const first = await emitted(publisher, 'local.vatom::A', 2)
    advance(1)
    const ids = [...first, ...(await emitted(publisher, 'local.vatom::B', 3))]
    const box = await folder(publisher)
    advance(60)
    await put(publisher, ids.slice(0, 1), box)
    const versions = []
    for (let token = '', pages = 0; pages === 0 || token !== ''; pages++) {
      const { payload } = await index(publisher, `limit=2&next_token=${token}`)
      expect(payload.vatoms).toHaveLength(2)
      versions.push(...payload.vatoms)
      token = payload.next_token
    }
    expect(idsOf(versions)).toEqual([...ids, box])
    expect(versions[0]).toEqual({ id: ids[0], sync: 2, when_modified: '2027-03-01T12:01:01Z' })
    expect(versions[1]).toEqual({ id: ids[1], sync: 1, when_modified: '2027-03-01T12:00:00Z' })
    for (const query of ['', 'limit=0', 'limit=1000&next_token='])
      expect((await index(publisher, query)).payload).toEqual({ vatoms: versions, next_token: '' })
  })
})

test('what the caller may not see is absent: others’ vAtoms that are not public, and the trash', async () => {
  const { publisher, bob } = await storedWorld()
  const [own = '', gone = ''] = await emitted(publisher, 'local.vatom::Own', 2)
  const [open = ''] = await emitted(publisher, 'local.vatom::Open', 1, { visibility: { type: 'public' } })
  await made(publisher, ['POST', '/v1/user/vatom/trash', { 'this.id': gone }])
  const ids = [own, gone, open]
  expect(idsOf((await get(publisher, ids)).payload.vatoms)).toEqual([own, open])
  expect(idsOf((await get(bob, ids)).payload.vatoms)).toEqual([open])
  expect((await get(bob, [own])).payload).toEqual(empty)
  expect((await get(bob, [])).payload).toEqual(empty)
})

test('a hundred vAtoms are got at once, not more', async () => {
  const { publisher } = await testService()
  const ids = await emitted(publisher, 'local.vatom::A', 101)
  expect(idsOf((await get(publisher, ids.slice(0, 100))).payload.vatoms)).toEqual(ids.slice(0, 100))
  expect(await get(publisher, ids)).toMatchObject({ status: 400, body: { issues: [{ path: 'ids' }] } })
})

test('a page of an inventory has at most a hundred vAtoms, which is also what 0 and no limit mean', async () => {
  const { publisher } = await testService()
  const ids = await emitted(publisher, 'local.vatom::A', 150)
  for (const limit of [undefined, 0, 100, 1000]) {
    expect(await idsIn(publisher, { parent_id: '*', limit })).toEqual([...ids].reverse().slice(0, 100))
    expect(await idsIn(publisher, { parent_id: '*', limit, page: 2 })).toEqual([...ids].reverse().slice(100))
  }
})

test('an inventory is looked into by folder, at its root, or as a whole', async () => {
  const { publisher } = await testService()
  const [a = '', b = '', c = ''] = await emitted(publisher, 'local.vatom::A', 3)
  const box = await folder(publisher)
  await put(publisher, [a, b], box)
  expect(await idsIn(publisher, { parent_id: box })).toEqual([b, a])
  expect(await idsIn(publisher, { parent_id: box, limit: 1, page: 2 })).toEqual([a])
  expect(await idsIn(publisher, { parent_id: '.' })).toEqual([box, c])
  expect(await idsIn(publisher, { parent_id: '.', limit: 1, page: 2 })).toEqual([c])
  for (const body of [{}, { parent_id: '*' }]) expect(await idsIn(publisher, body)).toEqual([box, c, b, a])
  for (const parent_id of [c, 'nothing', `${box},.`])
    expect((await inventory(publisher, { parent_id })).payload).toEqual(empty)
})

test('an inventory is the caller’s alone, whoever may see what is in their public folder', async () => {
  const { publisher, bob } = await storedWorld()
  const shown = { visibility: { type: 'public' } }
  const box = await folder(publisher, shown)
  await put(publisher, await emitted(publisher, 'local.vatom::A', 1, shown), box)
  for (const parent_id of ['*', '.', box]) expect((await inventory(bob, { parent_id })).payload).toEqual(empty)
})

test('§2.4 a discover container has what its query finds', async () => {
  const { publisher } = await testService()
  const found = await emitted(publisher, 'local.vatom::A', 3)
  const query = { scope: { key: 'vAtom::vAtomType.template', value: 'local.vatom::A' } }
  const [id = ''] = await emitted(publisher, 'local.vatom::Finder', 1, { root_type: discoverContainer, query })
  expect(await idsIn(publisher, { parent_id: id })).toEqual([...found].reverse())
  expect(await idsIn(publisher, { parent_id: id, limit: 2, page: 2 })).toEqual([found[0]])
  expect((await inventory(publisher, { parent_id: `${id},.` })).payload).toEqual(empty)
})

test('what clients send besides is ignored and named', async () => {
  const { publisher } = await testService()
  const answer = await inventory(publisher, { parent_id: '.', page_amount: 5 })
  expect([answer.status, answer.headers['vatom-ignored']]).toEqual([200, 'page_amount'])
})

test.each([{ limit: -1 }, { limit: '5' }, { page: 1.5 }, { parent_id: '' }, { parent_id: 1 }])(
  'an inventory of %j is a 400',
  async (body) => {
    const { publisher } = await testService()
    expect(await inventory(publisher, body)).toMatchObject({
      status: 400,
      body: { error: 516, issues: [{ path: Object.keys(body)[0] }] },
    })
  },
)

test.each(['x', '1', '1-', '-1-1', '1-1-1', '1-1 '])('the next_token %j is a 400', async (token) => {
  const { publisher } = await testService()
  const answer = await index(publisher, `next_token=${encodeURIComponent(token)}`)
  expect(answer).toMatchObject({ status: 400, body: { issues: [{ path: 'next_token' }] } })
})

test('the hash is another whenever the inventory is, and only then', async () => {
  const { publisher, bob, act, advance } = await storedWorld()
  const seen = new Set([await hash(publisher)])
  const isNew = async () => {
    const before = seen.size
    seen.add(await hash(publisher))
    return seen.size > before
  }
  const [a = '', b = ''] = await emitted(publisher, 'local.vatom::A', 2)
  expect(await isNew()).toBe(true)
  expect(await hash(publisher)).toBe(await hash(publisher))
  const box = await folder(publisher)
  expect(await isNew()).toBe(true)
  await put(publisher, [a], box)
  expect(await isNew()).toBe(true)
  await put(publisher, [a], '.')
  expect(await isNew()).toBe(true)
  await act((vatoms, now) => vatoms.give(a, bob.id, now))
  expect(await isNew()).toBe(true)
  await act((vatoms, now) => vatoms.give(b, bob.id, now))
  expect(await isNew()).toBe(true)
  advance(60)
  await act((vatoms, now) => vatoms.place(a, { lon: 1, lat: 1 }, now))
  await publisher.call('PATCH', '/v1/user', { body: { first_name: 'Ada' } })
  expect(await isNew()).toBe(false)
  expect(idsOf((await index(bob)).payload.vatoms)).toEqual([a, b])
})

const nobody = '00000000-0000-0000-0000-000000000000'

const trash = (caller: Caller, id: unknown) => caller.call('POST', '/v1/user/vatom/trash', { body: { 'this.id': id } })

const statuses = (caller: Caller, ...ids: string[]) =>
  Promise.all(ids.map(async (id) => (await caller.call('GET', `/v1/vatoms/${id}`)).status))

const owned = async (caller: Caller) => {
  const { payload } = await caller.call('POST', '/v1/user/vatom/inventory', { body: {} })
  return payload.vatoms.map(({ id }: { id: string }) => id)
}

describe.each(doors)('%s', (door) => {
  test('nobody can reach a trashed vAtom', async () => {
    const { publisher } = await testService({}, door)
    const [a = '', b = ''] = await emitted(publisher, 'local.vatom::A', 2, { visibility: { type: 'public' } })
    expect(await trash(publisher, a)).toMatchObject({
      status: 200,
      payload: { success_message: expect.stringContaining(a) },
    })
    expect(await statuses(publisher, a, b)).toEqual([403, 200])
    expect(await owned(publisher)).toEqual([b])
    expect(await trash(publisher, a)).toMatchObject({ status: 403, body: { error: 1604 } })
  })

  test('nobody trashes what is another’s, nor what is not there', async () => {
    const { publisher, bob } = await storedWorld({}, door)
    const [id = ''] = await emitted(publisher, 'local.vatom::A', 1, { visibility: { type: 'public' } })
    expect(await trash(bob, id)).toMatchObject({ status: 403, body: { error: 1604 } })
    expect(await trash(bob, 'nothing')).toMatchObject({ status: 404, body: { error: 1701 } })
    expect(await statuses(bob, id)).toEqual([200])
  })
})

test('the contents of a folder go with it, with an event for each', async () => {
  const { publisher, bob, told } = await storedWorld()
  const [box = '', inner = ''] = await emitted(publisher, 'local.vatom::Box', 2, { root_type: folderType })
  const [leaf = '', left = ''] = await emitted(publisher, 'local.vatom::Leaf', 2, { visibility: { type: 'public' } })
  await put(publisher, [leaf], inner)
  await put(publisher, [inner], box)
  const before = told().length
  await trash(publisher, box)
  expect(await owned(publisher)).toEqual([left])
  for (const caller of [publisher, bob]) expect(await statuses(caller, box, inner, leaf)).toEqual([403, 403, 403])
  const heard = told().slice(before)
  expect(heard.map(({ user_id, payload }) => [user_id, payload.id])).toEqual(
    [box, inner, leaf].map((id) => [publisher.id, id]),
  )
  for (const { msg_type, payload } of heard)
    expect([msg_type, payload]).toMatchObject([
      'inventory',
      { op: 'insert', new_owner: nobody, old_owner: publisher.id, action_name: 'Trash' },
    ])
})

test('vAtoms on the map cause events for those who watch it', async () => {
  const { publisher, drop, told } = await storedWorld()
  const [id = ''] = await emitted(publisher, 'local.vatom::A', 1)
  await drop(id, 8.5, 47.5)
  await trash(publisher, id)
  expect(told().at(-1)).toMatchObject({ msg_type: 'map', payload: { op: 'remove', vatom_id: id, lon: 8.5, lat: 47.5 } })
})

test('§2.4 a defined folder keeps its required children', async () => {
  const { publisher } = await testService()
  await emitted(publisher, 'local.vatom::Child', 1)
  const policy = { policy_count_min: 1, enforce_policy_count_min: true }
  const [box = ''] = await emitted(publisher, 'local.vatom::Set', 1, {
    root_type: definedFolder,
    child_policy: [{ template_variation: 'local.vatom::Child::V', count: 2, creation_policy: policy }],
  })
  const { payload } = await publisher.call('POST', '/v1/user/vatom/inventory', { body: { parent_id: box } })
  const [first, second] = payload.vatoms
  expect(await trash(publisher, first.id)).toMatchObject({ status: 200 })
  const refused = await trash(publisher, second.id)
  expect(refused).toMatchObject({ status: 400, body: { error: 516, issues: [{ path: 'this.id' }] } })
  expect(refused.body.message).toContain('must hold at least 1')
  expect(await statuses(publisher, second.id)).toEqual([200])
  expect(await trash(publisher, box)).toMatchObject({ status: 200 })
  expect(await statuses(publisher, second.id)).toEqual([403])
})

test('of two who trash a vAtom at once, one does', async () => {
  const { publisher } = await testService()
  const [id] = await emitted(publisher, 'local.vatom::A', 1)
  const answers = await Promise.all([trash(publisher, id), trash(publisher, id)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
})

test.each([{}, { 'this.id': 1 }, { 'this.id': '' }, { this: { id: 'x' } }])('trashing %j is a 400', async (body) => {
  const { publisher } = await testService()
  const answer = await publisher.call('POST', '/v1/user/vatom/trash', { body })
  expect(answer).toMatchObject({ status: 400, body: { issues: [{ path: 'this.id' }] } })
})

test('a folder can be inside a thousand others, and what is deeper takes no vAtoms', async () => {
  const { publisher } = await testService()
  const folders = await emitted(publisher, 'local.vatom::Box', limits.foldersAround + 2, { root_type: folderType })
  const [card = ''] = await emitted(publisher, 'local.vatom::Card', 1)
  const into = (id: string, folder: string) =>
    publisher.call('PATCH', '/v1/vatoms', { body: { ids: [id], parent_id: folder } })
  // Chains are joined to chains as long as they are: little is above the one, and in the other.
  for (let length = 1; length < folders.length; length *= 2)
    for (let end = length; end < folders.length; end += 2 * length)
      expect((await into(String(folders[end]), String(folders[end - 1]))).status).toBe(200)
  expect((await into(card, String(folders.at(-2)))).payload).toMatchObject({ ids: [card] })
  expect(JSON.stringify((await into(card, String(folders.at(-1)))).body)).toContain(
    `inside more than ${limits.foldersAround} others`,
  )
}, 60_000)
