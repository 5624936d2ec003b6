import { describe, expect, test, vi } from 'vitest'
import { Connection } from '../../../../src/server/store/query.ts'
import { folderQueries } from '../../../../src/server/store/vatoms/vatom-folders.ts'
import { action, perform } from '../../../support/acting.ts'
import { type Caller, doors, emitted, made, testService } from '../../../support/service.ts'
import { storedWorld, twoPublishers } from '../../../support/worlds.ts'

const folderType = 'vAtom::vAtomType::FolderContainerType'
const packageType = 'vAtom::vAtomType::PackageContainerType'
const definedType = 'vAtom::vAtomType::DefinedFolderContainerType'
const discoverType = 'vAtom::vAtomType::DiscoverContainerType'

const move = (caller: Caller, ids: readonly unknown[], parent_id: unknown) =>
  caller.call('PATCH', '/v1/vatoms', { body: { ids, parent_id } })
const vatom = async (caller: Caller, id: string) => (await caller.call('GET', `/v1/vatoms/${id}`)).payload
const parentOf = async (caller: Caller, id: string) => (await vatom(caller, id))['vAtom::vAtomType'].parent_id
const within = async (caller: Caller, folder: string): Promise<string[]> => {
  const scope = { key: 'vAtom::vAtomType.parent_id', value: folder }
  const { payload } = await caller.call('POST', '/v1/vatom/discover', { body: { scope, limit: 0 } })
  return payload.results.map(({ id }: { id: string }) => id).reverse()
}
let made_ = 0
/** One vAtom of a published variation of its own. */
async function one(caller: Caller, type: object = {}): Promise<string> {
  const [id = ''] = await emitted(caller, `local.vatom::N${++made_}`, 1, type)
  return id
}
const folder = (caller: Caller, type: object = {}) => one(caller, { root_type: folderType, ...type })
const none = { num_errors: 0, error_messages: {} }
const refused = (id: string, why: RegExp) => ({
  status: 200,
  payload: { num_updated: 0, num_errors: 1, ids: [], error_messages: { [id]: expect.stringMatching(why) } },
})

describe.each(doors)('%s', (door) => {
  test('§2.4 a vAtom goes into a folder and out of it', async () => {
    const { publisher, advance } = await testService({}, door)
    const [a = '', b = ''] = await emitted(publisher, 'local.vatom::A', 2, { title: 'A' }, { colour: 'red' })
    const box = await folder(publisher)
    const before = await vatom(publisher, a)
    advance(60)
    expect(await move(publisher, [a, b], box)).toMatchObject({
      status: 200,
      payload: { num_updated: 2, ids: [a, b], ...none },
    })
    const type = { ...before['vAtom::vAtomType'], parent_id: box }
    expect(await vatom(publisher, a)).toEqual({
      ...before,
      sync: 2,
      when_modified: '2027-03-01T12:01:00Z',
      'vAtom::vAtomType': type,
    })
    expect(await within(publisher, box)).toEqual([a, b])
    expect((await move(publisher, [a], '.')).payload).toEqual({ num_updated: 1, ids: [a], ...none })
    expect(await within(publisher, box)).toEqual([b])
    expect(await vatom(publisher, a)).toEqual({ ...before, sync: 3, when_modified: '2027-03-01T12:01:00Z' })
  })
})

test('what is moved is told to its owner, once', async () => {
  const { publisher, told } = await storedWorld()
  const a = await one(publisher)
  const box = await folder(publisher)
  await move(publisher, [a, a], box)
  await move(publisher, [a], box)
  expect(told()).toMatchObject([
    {
      msg_type: 'state_update',
      user_id: publisher.id,
      payload: { id: a, action_name: 'Update', new_object: { 'vAtom::vAtomType': { parent_id: box } } },
    },
  ])
})

test('what is told is what changed, whatever other texts there are in the vAtom', async () => {
  const { publisher, told } = await storedWorld()
  const odd = ['"},"private":{"a":"b"},"unpublished":true,', '\\', '\\"', '}]{[', 'ü"\u2028']
  const description = odd.join('')
  const a = await one(publisher, { title: odd[0], description })
  const box = await folder(publisher, { title: description })
  await move(publisher, [a], box)
  await move(publisher, [a], '.')
  const now = { when_modified: '2027-03-01T12:00:00Z' }
  expect(told().map(({ payload }) => [payload.sync, payload.new_object])).toEqual([
    [2, { 'vAtom::vAtomType': { parent_id: box }, sync: 2, ...now }],
    [3, { 'vAtom::vAtomType': { parent_id: '.' }, sync: 3, ...now }],
  ])
  expect((await vatom(publisher, a))['vAtom::vAtomType']).toMatchObject({ title: odd[0], description })
})

test('what is dropped is picked up before it is moved', async () => {
  const { publisher, drop, act } = await storedWorld()
  const a = await one(publisher)
  const box = await folder(publisher)
  await drop(a, 8.5, 47.5)
  expect(await move(publisher, [a], box)).toMatchObject(refused(a, /pick it up first/))
  expect((await vatom(publisher, a))['vAtom::vAtomType']).toMatchObject({ dropped: true, parent_id: '.' })
  await act((vatoms, now) => vatoms.place(a, undefined, now))
  expect(await move(publisher, [a], box)).toMatchObject({ payload: { num_updated: 1 } })
})

test('an id given twice counts once, and one that is there already is left as it is', async () => {
  const { publisher, advance } = await testService()
  const a = await one(publisher)
  const box = await folder(publisher)
  expect((await move(publisher, [a, a], box)).payload).toEqual({ num_updated: 1, ids: [a], ...none })
  advance(60)
  expect((await move(publisher, [a], box)).payload).toEqual({ num_updated: 1, ids: [a], ...none })
  expect(await vatom(publisher, a)).toMatchObject({ sync: 2, when_modified: '2027-03-01T12:00:00Z' })
})

test('what cannot be moved is told, and the others move', async () => {
  const { publisher, other } = await twoPublishers()
  const a = await one(publisher)
  const box = await folder(publisher)
  const [theirs = ''] = await emitted(other, 'other.example::A', 1, { visibility: { type: 'public' } })
  const { payload } = await move(publisher, [theirs, a, 'nothing', box], box)
  expect(payload).toEqual({
    num_updated: 1,
    num_errors: 3,
    ids: [a],
    error_messages: {
      [theirs]: 'the vAtom is not yours',
      nothing: 'no vAtom has this id',
      [box]: 'a folder cannot be put into itself or into its contents',
    },
  })
  expect(await parentOf(other, theirs)).toBe('.')
  expect(await parentOf(publisher, box)).toBe('.')
})

test.each([
  ['vAtom::vAtomType', /it is not a folder: its root_type is vAtom::vAtomType$/],
  [discoverType, /a discover container cannot contain vAtoms/],
])('§2.4 a vAtom of root type %s takes nothing', async (root_type, why) => {
  const { publisher } = await testService()
  const [a, target] = [await one(publisher), await one(publisher, { root_type })]
  expect(await move(publisher, [a], target)).toMatchObject(refused(a, why))
  expect(await parentOf(publisher, a)).toBe('.')
})

test('§2.4 a draft stays a folder while its vAtoms contain others, and the refusal says who can empty them', async () => {
  const { publisher } = await testService()
  const name = 'local.vatom::Box'
  const vatomOf = (root_type: string) => ({ 'vAtom::vAtomType': { root_type } })
  const { ids } = await made(
    publisher,
    ['POST', '/v1/templates', { template: name, unpublished: true, vatom: vatomOf(folderType) }],
    ['POST', '/v1/template_variations', { template: name, template_variation: `${name}::V`, unpublished: true }],
    ['POST', '/v1/vatoms', { template_variation: `${name}::V`, num: 2 }],
  )
  const [box, part] = ids as [string, string]
  await move(publisher, [part], box)
  const path = `/v1/templates/${encodeURIComponent(name)}`
  const change = () => publisher.call('PATCH', path, { body: { vatom: vatomOf('vAtom::vAtomType') } })
  expect(await change()).toMatchObject({
    status: 400,
    body: {
      issues: [
        {
          message: `vAtoms of ${name}::V contain others, which their owners have to take out first, such as by Uncombine; it is not a folder: its root_type is vAtom::vAtomType`,
        },
      ],
    },
  })
  await move(publisher, [part], '.')
  expect(await change()).toMatchObject({ status: 200 })
})

test.each([folderType, packageType])('§2.4 a vAtom of root type %s takes any', async (root_type) => {
  const { publisher } = await testService()
  const [a, target] = [await one(publisher), await one(publisher, { root_type })]
  expect(await move(publisher, [a], target)).toMatchObject({ status: 200, payload: { num_updated: 1 } })
  expect(await within(publisher, target)).toEqual([a])
})

test('a folder that is not there, or not the caller’s, takes nothing, and every vAtom is told', async () => {
  const { publisher, other } = await twoPublishers()
  const [a, b] = [await one(publisher), await one(publisher)]
  const [theirs = ''] = await emitted(other, 'other.example::F', 1, {
    root_type: folderType,
    visibility: { type: 'public' },
  })
  for (const [target, why] of [
    ['nothing', /no vAtom has the id nothing/],
    [theirs, /is not yours/],
  ] as const) {
    const { payload } = await move(publisher, [a, b], target)
    const text = expect.stringMatching(why)
    expect(payload).toEqual({ num_updated: 0, num_errors: 2, ids: [], error_messages: { [a]: text, [b]: text } })
  }
})

test('a folder goes neither into itself nor into what is in it', async () => {
  const { publisher } = await testService()
  const [outer, middle, inner] = [await folder(publisher), await folder(publisher), await folder(publisher)]
  await move(publisher, [middle], outer)
  await move(publisher, [inner], middle)
  for (const target of [outer, middle, inner])
    expect(await move(publisher, [outer], target)).toMatchObject(refused(outer, /into itself/))
  expect(await parentOf(publisher, outer)).toBe('.')
  expect(await move(publisher, [inner], outer)).toMatchObject({ payload: { num_updated: 1 } })
  expect(await move(publisher, [middle], inner)).toMatchObject({ payload: { num_updated: 1 } })
})

test('of two moves that together would close a circle, sent at once, one is refused', async () => {
  const { publisher } = await testService()
  const [a, b] = [await folder(publisher), await folder(publisher)]
  const answers = await Promise.all([move(publisher, [a], b), move(publisher, [b], a)])
  expect(answers.map(({ payload }) => payload.num_updated).sort()).toEqual([0, 1])
  expect([await parentOf(publisher, a), await parentOf(publisher, b)]).toContain('.')
})

describe('§2.4 visibility', () => {
  const type = (visibility: string) => ({ visibility: { type: visibility } })
  const seenBy = async (caller: Caller, ids: readonly string[]) => {
    const { payload } = await caller.call('POST', '/v1/vatom/discover', { body: { limit: 0 } })
    const found = payload.results.map(({ id }: { id: string }) => id)
    return ids.filter((id) => found.includes(id))
  }

  test('of kind container is the folder’s, however deep, and follows a move', async () => {
    const { publisher, bob } = await twoPublishers()
    const [open, shut] = [await folder(publisher, type('public')), await folder(publisher)]
    const box = await folder(publisher, type('container'))
    const [inner, own, loud] = [
      await one(publisher, type('container')),
      await one(publisher, type('owner')),
      await one(publisher, type('public')),
    ]
    const all = [box, inner, own, loud]
    await made(publisher, ['PATCH', '/v1/vatoms', { ids: [inner, own, loud], parent_id: box }])
    expect(await seenBy(bob, all)).toEqual([loud])
    for (const [target, expected] of [
      [open, [box, inner, loud]],
      [shut, [loud]],
      [open, [box, inner, loud]],
      ['.', [loud]],
    ] as const) {
      await made(publisher, ['PATCH', '/v1/vatoms', { ids: [box], parent_id: target }])
      expect(await seenBy(bob, all)).toEqual(expected)
      for (const id of all)
        expect((await bob.call('GET', `/v1/vatoms/${id}`)).status).toBe(expected.some((one) => one === id) ? 200 : 403)
    }
  })

  test('a draft folder that changes its visibility changes that of what was moved into it', async () => {
    const { publisher, bob } = await twoPublishers()
    const name = 'local.vatom::Draft'
    await made(
      publisher,
      ['POST', '/v1/templates', { template: name, vatom: { 'vAtom::vAtomType': { root_type: folderType } } }],
      ['POST', '/v1/template_variations', { template: name, template_variation: `${name}::V` }],
    )
    const { ids } = await made(publisher, ['POST', '/v1/vatoms', { template_variation: `${name}::V`, num: 1 }])
    const inner = await one(publisher, type('container'))
    await made(publisher, ['PATCH', '/v1/vatoms', { ids: [inner], parent_id: ids[0] }])
    const become = (visibility: string) =>
      made(publisher, [
        'PATCH',
        `/v1/template_variations/${name}::V`,
        { vatom: { 'vAtom::vAtomType': type(visibility) } },
      ])
    expect(await seenBy(bob, [ids[0], inner])).toEqual([])
    await become('public')
    expect(await seenBy(bob, [ids[0], inner])).toEqual([ids[0], inner])
    await become('container')
    expect(await seenBy(bob, [ids[0], inner])).toEqual([])
  })

  test('a draft that holds vAtoms stays a folder', async () => {
    const { publisher } = await testService()
    const name = 'local.vatom::Draft'
    const become = (root_type: string) => ({ vatom: { 'vAtom::vAtomType': { root_type } } })
    await made(
      publisher,
      ['POST', '/v1/templates', { template: name, ...become(folderType) }],
      ['POST', '/v1/template_variations', { template: name, template_variation: `${name}::V` }],
    )
    const { ids } = await made(publisher, ['POST', '/v1/vatoms', { template_variation: `${name}::V`, num: 1 }])
    const inner = await one(publisher)
    await made(publisher, ['PATCH', '/v1/vatoms', { ids: [inner], parent_id: ids[0] }])
    const patch = (root_type: string) => publisher.call('PATCH', `/v1/templates/${name}`, { body: become(root_type) })
    for (const root_type of ['vAtom::vAtomType', discoverType])
      expect(await patch(root_type)).toMatchObject({
        status: 400,
        body: { error: 516, issues: [{ path: 'vatom.vAtom::vAtomType.root_type' }] },
      })
    expect(await patch(packageType)).toMatchObject({ status: 200 })
    await made(publisher, ['PATCH', '/v1/vatoms', { ids: [inner], parent_id: '.' }])
    expect(await patch('vAtom::vAtomType')).toMatchObject({ status: 200 })
  })
})

describe('§2.4 the rules of a defined folder', () => {
  const coin = 'local.vatom::Coin'
  const kept = {
    enforce_policy_count_min: true,
    policy_count_min: 2,
    enforce_policy_count_max: true,
    policy_count_max: 3,
  }
  async function purse(creation_policy: object = {}, count = 2) {
    const world = await testService()
    const coins = await emitted(world.publisher, coin, 3)
    const child_policy = [{ template_variation: `${coin}::V`, count, creation_policy }]
    const [box = ''] = await emitted(world.publisher, 'local.vatom::Purse', 1, { root_type: definedType, child_policy })
    return { ...world, box, coins, inside: () => within(world.publisher, box) }
  }

  test('let in only variations that its child_policy names', async () => {
    const { publisher, box, coins, inside } = await purse()
    const stranger = await one(publisher)
    const { payload } = await move(publisher, [stranger, ...coins], box)
    expect(payload).toMatchObject({
      num_updated: 3,
      error_messages: { [stranger]: expect.stringMatching(/does not name local\.vatom::N\d+::V/) },
    })
    expect(await inside()).toHaveLength(5)
    expect(await move(publisher, await inside(), '.')).toMatchObject({ payload: { num_updated: 5 } })
  })

  test('without a child_policy it takes nothing', async () => {
    const { publisher } = await testService()
    const [a, box] = [await one(publisher), await one(publisher, { root_type: definedType })]
    expect(await move(publisher, [a], box)).toMatchObject(refused(a, /does not name/))
  })

  test('let in no more than policy_count_max where that is enforced', async () => {
    const { publisher, box, coins, inside } = await purse(kept)
    expect((await move(publisher, coins, box)).payload).toMatchObject({
      num_updated: 1,
      ids: [coins[0]],
      error_messages: { [coins[1] ?? '']: expect.stringMatching(/holds at most 3 of local.vatom::Coin::V/) },
    })
    expect(await inside()).toHaveLength(3)
    expect((await move(publisher, await inside(), box)).payload).toMatchObject({ num_updated: 3 })
  })

  test('let out none that leave fewer than policy_count_min where that is enforced', async () => {
    const { publisher, box, coins, inside } = await purse(kept)
    const own = await inside()
    expect((await move(publisher, own, '.')).payload).toMatchObject({
      num_updated: 0,
      error_messages: { [own[0] ?? '']: expect.stringMatching(/must hold at least 2 of local.vatom::Coin::V/) },
    })
    await move(publisher, coins.slice(0, 1), box)
    expect((await move(publisher, own, await folder(publisher))).payload).toMatchObject({ num_updated: 1 })
    expect(await inside()).toHaveLength(2)
  })

  test.each([
    ['Update vAtoms', (caller: Caller, ids: readonly string[], box: string) => move(caller, ids, box)],
    [
      'Combine',
      (caller: Caller, ids: readonly string[], box: string) => perform(caller, 'Combine', box, { 'vatom.ids': ids }),
    ],
  ])('count what is in a folder once for a request: %s', async (_what, put) => {
    const { publisher, box, coins, inside } = await purse({ ...kept, policy_count_max: 9 })
    await action(publisher, 'local.vatom::Purse', 'Combine')
    const first = vi.spyOn(Connection.prototype, 'first')
    expect(await put(publisher, coins, box)).toMatchObject({ status: 200 })
    expect((await move(publisher, await inside(), '.')).payload).toMatchObject({ num_updated: 3, num_errors: 2 })
    const counts = first.mock.calls.filter(([query]) => query === folderQueries.countIn)
    first.mockRestore()
    expect(counts).toHaveLength(2)
  })

  test('are bounds that bind nothing where they are not enforced', async () => {
    const { publisher, box, coins, inside } = await purse({ policy_count_min: 2, policy_count_max: 3 })
    expect((await move(publisher, coins, box)).payload).toMatchObject({ num_updated: 3 })
    expect((await move(publisher, await inside(), '.')).payload).toMatchObject({ num_updated: 5 })
  })

  test('count each variation by itself', async () => {
    const { publisher } = await testService()
    const bounds = { enforce_policy_count_max: true, policy_count_max: 1 }
    const names = ['local.vatom::One', 'local.vatom::Other']
    const ids: string[] = []
    for (const name of names) ids.push(...(await emitted(publisher, name, 1)))
    const child_policy = names.map((name) => ({ template_variation: `${name}::V`, count: 0, creation_policy: bounds }))
    const box = await one(publisher, { root_type: definedType, child_policy })
    expect((await move(publisher, ids, box)).payload).toMatchObject({ num_updated: 2 })
  })

  test('that a draft tightens let what is beyond them out, and what is missing in', async () => {
    const { publisher } = await testService()
    const name = 'local.vatom::Draft'
    const spare = await emitted(publisher, coin, 2)
    const design = (count: number, creation_policy: object = {}) => ({
      vatom: {
        'vAtom::vAtomType': {
          root_type: definedType,
          child_policy: [{ template_variation: `${coin}::V`, count, creation_policy }],
        },
      },
    })
    await made(
      publisher,
      ['POST', '/v1/templates', { template: name, ...design(3) }],
      ['POST', '/v1/template_variations', { template: name, template_variation: `${name}::V` }],
    )
    const { ids } = await made(publisher, ['POST', '/v1/vatoms', { template_variation: `${name}::V`, num: 1 }])
    const tighten = (count: number, policy: object) =>
      made(publisher, ['PATCH', `/v1/templates/${name}`, design(count, policy)])
    const [first = ''] = await within(publisher, ids[0])
    await tighten(1, { enforce_policy_count_max: true, policy_count_max: 1 })
    expect((await move(publisher, [first], '.')).payload).toMatchObject({ num_updated: 1 })
    expect((await move(publisher, [first], ids[0])).payload).toMatchObject({ num_updated: 0 })
    await tighten(9, { enforce_policy_count_min: true, policy_count_min: 9 })
    expect((await move(publisher, [first, ...spare], ids[0])).payload).toMatchObject({ num_updated: 3 })
    expect((await move(publisher, [first], '.')).payload).toMatchObject({ num_updated: 0 })
  })

  test('hold for moves that are sent at once', async () => {
    const { publisher, box, coins, inside } = await purse(kept)
    const answers = await Promise.all(coins.map((id) => move(publisher, [id], box)))
    expect(answers.map(({ payload }) => payload.num_updated).sort()).toEqual([0, 0, 1])
    expect(await inside()).toHaveLength(3)
  })
})

test.each([
  [{ ids: [], parent_id: '.' }, 'ids'],
  [{ ids: ['a'] }, 'parent_id'],
  [{ ids: ['a'], parent_id: '' }, 'parent_id'],
  [{ ids: [''], parent_id: '.' }, 'ids[0]'],
  [{ ids: ['x'.repeat(257)], parent_id: '.' }, 'ids[0]'],
  [{ ids: [1], parent_id: '.' }, 'ids[0]'],
  [{ ids: Array(101).fill('a'), parent_id: '.' }, 'ids'],
  [{ ids: ['a'], parent_id: '.', owner: 'me' }, 'owner'],
])('a malformed request is a 400 that names its place: %j', async (body, path) => {
  const { publisher } = await testService()
  expect(await publisher.call('PATCH', '/v1/vatoms', { body })).toMatchObject({
    status: 400,
    body: { error: 516, issues: [{ path }] },
  })
})

test('names that objects inherit are ids like others', async () => {
  const { publisher } = await testService()
  const ids = ['__proto__', 'constructor', 'toString']
  const { text, payload } = await move(publisher, ids, '.')
  expect(payload.num_errors).toBe(3)
  expect(JSON.parse(text).payload.error_messages).toEqual(
    Object.fromEntries(ids.map((id) => [id, 'no vAtom has this id'])),
  )
})
