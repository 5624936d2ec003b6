import { expect, test } from 'vitest'
import { template } from '../../../fixtures/bodies.ts'
import { type Caller, emitted, made } from '../../../support/service.ts'
import { onMap, storedWorld } from '../../../support/worlds.ts'

const folderType = 'vAtom::vAtomType::FolderContainerType'
const byContainer = { visibility: { type: 'container' } }
const later = '2027-03-01T12:05:00Z'
const here = { lon: 8.5417, lat: 47.3769 }

const read = async (caller: Caller, id: string) => await caller.call('GET', `/v1/vatoms/${id}`)
const record = async (caller: Caller, id: string) => (await read(caller, id)).payload
const statuses = (caller: Caller, ...ids: string[]) =>
  Promise.all(ids.map(async (id) => (await read(caller, id)).status))
const found = async (caller: Caller, body: object) =>
  (await caller.call('POST', '/v1/vatom/discover', { body })).payload.results.map(({ id }: { id: string }) => id)
const scope = (key: string, value: string) => ({ scope: { key: `vAtom::vAtomType.${key}`, value } })
/** A folder with a folder in it with a vAtom in that, each seen as what it is in is. */
async function nested(caller: Caller) {
  const [box = ''] = await emitted(caller, 'local.vatom::Box', 1, { root_type: folderType, ...byContainer })
  const [inner = ''] = await emitted(caller, 'local.vatom::Inner', 1, { root_type: folderType, ...byContainer })
  const [leaf = ''] = await emitted(caller, 'local.vatom::Leaf', 1, byContainer)
  await made(caller, ['PATCH', '/v1/vatoms', { ids: [leaf], parent_id: inner }])
  await made(caller, ['PATCH', '/v1/vatoms', { ids: [inner], parent_id: box }])
  return { box, inner, leaf }
}

test('what is dropped lies at its point, at the root, where everybody finds it', async () => {
  const { publisher, bob, act } = await storedWorld()
  const { box, inner, leaf } = await nested(publisher)
  const before = await record(publisher, inner)
  await act((vatoms) => vatoms.place(inner, here, later))
  const type = before['vAtom::vAtomType']
  expect(await record(publisher, inner)).toEqual({
    ...before,
    sync: before.sync + 1,
    when_modified: later,
    'vAtom::vAtomType': {
      ...type,
      parent_id: '.',
      dropped: true,
      geo_pos: { type: 'Point', coordinates: [8.5417, 47.3769], $reql_type$: 'GEOMETRY' },
      visibility: { type: 'public', value: '*' },
    },
  })
  expect(await statuses(bob, box, inner, leaf)).toEqual([403, 200, 200])
  expect(await found(publisher, scope('parent_id', box))).toEqual([])
  expect(await found(bob, scope('parent_id', inner))).toEqual([leaf])
  expect(await onMap(bob)).toEqual([inner])
})

test('what is picked up lies nowhere, and its owner alone finds it and what is in it', async () => {
  const { publisher, bob, act } = await storedWorld()
  const { inner, leaf } = await nested(publisher)
  await act((vatoms) => vatoms.place(inner, here, later))
  await act((vatoms) => vatoms.place(inner, undefined, later))
  expect((await record(publisher, inner))['vAtom::vAtomType']).toMatchObject({
    dropped: false,
    geo_pos: { coordinates: [0, 0] },
    visibility: { type: 'owner', value: '*' },
  })
  expect(await statuses(bob, inner, leaf)).toEqual([403, 403])
  expect(await onMap(publisher)).toEqual([])
})

test('what is dropped again lies at one point', async () => {
  const { publisher, act } = await storedWorld()
  const [id = ''] = await emitted(publisher, 'local.vatom::A', 1)
  await act((vatoms) => vatoms.place(id, here, later))
  await act((vatoms) => vatoms.place(id, { lon: 0, lat: 0 }, later))
  expect(await onMap(publisher)).toEqual([id])
})

test('what is given belongs to another, with what is in it, each changed once', async () => {
  const { publisher, bob, act } = await storedWorld()
  const { box, inner, leaf } = await nested(publisher)
  const before = await Promise.all([inner, leaf].map((id) => record(publisher, id)))
  await act((vatoms) => vatoms.give(inner, bob.id, later, { transferred_by: publisher.id, acquirable: true }))
  const extra = [{ parent_id: '.', transferred_by: publisher.id, acquirable: true }, {}]
  for (const [index, was] of before.entries())
    expect(await record(bob, was.id)).toEqual({
      ...was,
      sync: was.sync + 1,
      when_modified: later,
      when_added: later,
      'vAtom::vAtomType': { ...was['vAtom::vAtomType'], owner: bob.id, ...extra[index] },
    })
  expect(await statuses(publisher, box, inner, leaf)).toEqual([200, 403, 403])
  expect((await found(bob, scope('owner', '$currentuser'))).sort()).toEqual([inner, leaf].sort())
  expect(await found(bob, scope('acquirable', 'true'))).toEqual([inner])
  expect(await found(bob, scope('parent_id', '.'))).toEqual([inner])
  expect(await found(bob, scope('parent_id', inner))).toEqual([leaf])
})

test('what else is changed with its owner is searched as it is then, and the rest as before', async () => {
  const { publisher, bob, act } = await storedWorld()
  const design = { category: 'Gifts', visibility: { type: 'public', value: '*' } }
  const [id = ''] = await emitted(publisher, 'local.vatom::A', 1, design)
  const filter = (field: string, value: string) => ({
    filters: [{ filter_elems: [{ field: `vAtom::vAtomType.${field}`, filter_op: 'Eq', value }] }],
  })
  for (const acquirable of [true, false, undefined]) {
    await act((vatoms) => vatoms.give(id, bob.id, later, acquirable === undefined ? {} : { acquirable }))
    for (const [field, value, ids] of [
      ['acquirable', 'true', acquirable === true ? [id] : []],
      ['acquirable', 'false', acquirable === true ? [] : [id]],
      ['category', 'Gifts', [id]],
      ['in_contract', 'false', [id]],
      ['visibility_type', 'public', [id]],
    ] as const)
      expect([acquirable, field, await found(publisher, filter(field, value))]).toEqual([acquirable, field, ids])
  }
})

test('what takes its visibility from a public folder is its new owner’s alone once it is given', async () => {
  const { publisher, bob, other, act } = await storedWorld()
  const shown = { root_type: folderType, visibility: { type: 'public' } }
  const [shelf = ''] = await emitted(publisher, 'local.vatom::Shelf', 1, shown)
  const { box, inner, leaf } = await nested(publisher)
  await made(publisher, ['PATCH', '/v1/vatoms', { ids: [box], parent_id: shelf }])
  expect(await statuses(other, box, inner, leaf)).toEqual([200, 200, 200])
  await act((vatoms) => vatoms.give(box, bob.id, later))
  expect(await statuses(other, box, inner, leaf)).toEqual([403, 403, 403])
  await act((vatoms) => vatoms.give(shelf, bob.id, later))
  expect(await statuses(other, shelf)).toEqual([200])
})

test('what is trashed is nobody’s, nor on the map, however public what is in it was', async () => {
  const { publisher, other, act } = await storedWorld()
  const [box = ''] = await emitted(publisher, 'local.vatom::Box', 1, { root_type: folderType })
  const [shown = ''] = await emitted(publisher, 'local.vatom::Shown', 1, { visibility: { type: 'public' } })
  await made(publisher, ['PATCH', '/v1/vatoms', { ids: [shown], parent_id: box }])
  await act((vatoms) => vatoms.place(box, here, later))
  await act((vatoms) => vatoms.trash(box, later))
  for (const caller of [publisher, other]) {
    expect(await statuses(caller, box, shown)).toEqual([403, 403])
    expect(await found(caller, {})).toEqual([])
    expect(await onMap(caller)).toEqual([])
  }
})

test('a dropped vAtom of a draft stays where everybody finds it when the draft changes', async () => {
  const { publisher, bob, act } = await storedWorld()
  const name = 'local.vatom::Draft'
  const { ids } = await made(
    publisher,
    ['POST', '/v1/templates', template({ template: name })],
    ['POST', '/v1/template_variations', { template: name, template_variation: `${name}::V` }],
    ['POST', '/v1/vatoms', { template_variation: `${name}::V`, num: 1 }],
  )
  await act((vatoms) => vatoms.place(ids[0], here, later))
  const title = { vatom: template({}, { title: 'New' }).vatom }
  await made(publisher, ['PATCH', `/v1/templates/${name}`, title])
  expect(await read(bob, ids[0])).toMatchObject({
    status: 200,
    payload: { 'vAtom::vAtomType': { title: 'New', dropped: true, visibility: { type: 'public' } } },
  })
})
