import { describe, expect, test } from 'vitest'
import { definedFolder } from '../../../src/contract/values.ts'
import { type Caller, doors, emitted, made, testService } from '../../support/service.ts'
import { storedWorld } from '../../support/worlds.ts'

const folderType = 'vAtom::vAtomType::FolderContainerType'
const nobody = '00000000-0000-0000-0000-000000000000'
const trash = (caller: Caller, id: unknown) => caller.call('POST', '/v1/user/vatom/trash', { body: { 'this.id': id } })
const statuses = (caller: Caller, ...ids: string[]) =>
  Promise.all(ids.map(async (id) => (await caller.call('GET', `/v1/vatoms/${id}`)).status))
const owned = async (caller: Caller) => {
  const { payload } = await caller.call('POST', '/v1/user/vatom/inventory', { body: {} })
  return payload.vatoms.map(({ id }: { id: string }) => id)
}
const put = (caller: Caller, ids: readonly string[], parent_id: string) =>
  made(caller, ['PATCH', '/v1/vatoms', { ids, parent_id }])

describe.each(doors)('%s', (door) => {
  test('what is trashed is in nobody’s reach', async () => {
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

test('what is in a folder goes with it, and its owner is told of each', async () => {
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

test('what lies on the map is told to those who look at it', async () => {
  const { publisher, drop, told } = await storedWorld()
  const [id = ''] = await emitted(publisher, 'local.vatom::A', 1)
  await drop(id, 8.5, 47.5)
  await trash(publisher, id)
  expect(told().at(-1)).toMatchObject({ msg_type: 'map', payload: { op: 'remove', vatom_id: id, lon: 8.5, lat: 47.5 } })
})

test('§2.4 a defined folder keeps what it must', async () => {
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
