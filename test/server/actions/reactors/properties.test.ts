import { expect, test, vi } from 'vitest'
import { limits } from '../../../../src/contract/limits.ts'
import { action, grant, outputOf, perform, seen } from '../../../support/acting.ts'
import { emitted, type testService, warningsOf } from '../../../support/service.ts'
import { twoPublishers, watched } from '../../../support/worlds.ts'

const name = 'local.vatom::Card'
const fields = { colour: 'red', size: { unit: 'cm', value: 3 }, 'a.b': 1, list: [1, 2], note: null }

/** A vAtom of bob's, with custom properties that can be changed. */
async function world(type: object = {}, options: Parameters<typeof testService>[0] = {}) {
  const opened = await twoPublishers(options)
  const { publisher, bob } = opened
  const [id = ''] = await emitted(publisher, name, 1, { transferable: true, ...type }, fields)
  for (const one of ['Update', 'Transfer']) await action(publisher, name, one)
  outputOf(await perform(publisher, 'Transfer', id, { 'new.owner.id': bob.id }))
  return { ...opened, id }
}

test.each([
  [{ 'private.colour': 'blue' }, { ...fields, colour: 'blue' }],
  [{ 'private.size.value': 4 }, { ...fields, size: { unit: 'cm', value: 4 } }],
  [
    { private: { size: { unit: 'mm' }, colour: 'blue' } },
    { ...fields, size: { unit: 'mm', value: 3 }, colour: 'blue' },
  ],
  [{ 'private.a.b': 2 }, { ...fields, 'a.b': 2 }],
  [{ 'private.list': [] }, { ...fields, list: [] }],
  [
    { 'private.note': { text: 'x' }, private: { colour: 'blue' } },
    { ...fields, note: { text: 'x' }, colour: 'blue' },
  ],
  [
    { private: { size: { value: 4 } }, 'private.size.unit': 'mm' },
    { ...fields, size: { value: 4, unit: 'mm' } },
  ],
  [
    { private: { size: 4 }, 'private.size.unit': 'mm' },
    { ...fields, size: { unit: 'mm', value: 3 } },
  ],
  [
    { private: { size: { unit: 'mm' } }, 'private.size': 4 },
    { ...fields, size: 4 },
  ],
])('its owner changes custom properties by %j', async (input, expected) => {
  const { bob, id } = await world()
  const before = await seen(bob, id)
  expect(outputOf(await perform(bob, 'Update', id, input))).toEqual({})
  const after = await seen(bob, id)
  expect([after.private, after.type, after.sync]).toEqual([expected, before.type, before.sync + 1])
})

test.each([
  [{ 'private.size.value': 'zehn' }, 'private.size.value', 'was a number, and is a string now'],
  [{ private: { colour: 7 } }, 'private.colour', 'was a string, and is a number now'],
  [{ 'private.list': { a: 1 } }, 'private.list', 'was a list, and is an object now'],
])('a value of another type is stored, with a warning: %j', async (input, path, message) => {
  const { bob, id } = await world()
  const answer = await perform(bob, 'Update', id, { ...input, 'private.note': 'x', 'private.a.b': 2 })
  expect(outputOf(answer)).toEqual({})
  expect(warningsOf(answer)).toEqual([{ code: 'type-change', path, message: `${path} ${message}` }])
})

test('an administrator of its publisher changes what they cannot see; its owner is told', async () => {
  const { db, events } = watched()
  const { publisher, bob, id } = await world({}, { db })
  expect(await publisher.call('GET', `/v1/vatoms/${id}`)).toMatchObject({ status: 403 })
  outputOf(await perform(publisher, 'Update', id, { 'private.colour': 'blue' }))
  expect((await events()).at(-1)).toMatchObject({
    type: 'state_update',
    user: bob.id,
    action_name: 'Update',
    new_object: { private: { colour: 'blue' } },
  })
})

test.each(['owner', 'public'])('nobody else changes them, where the vAtom is seen by: %s', async (type) => {
  const { service, other, bob, register, id } = await world({ visibility: { type } })
  const ann = await register('ann@example.com')
  await grant(service, ann, { is_merchant: true, pub_fqdn: 'local.vatom' })
  for (const caller of [other, ann])
    expect(await perform(caller, 'Update', id, { 'private.colour': 'blue' })).toMatchObject({
      status: 403,
      body: { error: 1604 },
    })
  expect((await seen(bob, id)).private).toEqual(fields)
})

test.each([
  [{ 'private.color': 'blue' }, 'private.color', /did you mean colour/],
  [{ 'private.size.length': 1 }, 'private.size.length', /unit, value/],
  [{ private: { colour: 'blue', shape: 'round' } }, 'private.shape', /no custom property private\.shape/],
  [{ 'private.__proto__.x': 1 }, 'private.__proto__.x', /no custom property/],
  [{ 'private.__proto__': { x: 1 } }, 'private.__proto__', /no custom property/],
  [{ private: 'blue' }, 'private', /must be an object/],
  [{ 'private.list[0]': 3 }, 'private.list[0]', /replaced as a whole/],
  [{ 'private.list.0': 3 }, 'private.list.0', /replaced as a whole/],
  [{ 'private.list.x': 3 }, 'private.list.x', /replaced as a whole/],
  [{}, 'private', /give the properties to change/],
  [{ 'private.colour': 'x'.repeat(65_536) }, 'private', /at most 65536 bytes/],
])('what is not there, or too large, is refused: %j', async (input, path, why) => {
  const { bob, id } = await world()
  const answer = await perform(bob, 'Update', id, input)
  expect(answer).toMatchObject({
    status: 400,
    body: { error: 516, issues: [{ path }], message: expect.stringMatching(why) },
  })
  expect((await seen(bob, id)).private).toEqual(fields)
})

test('what nests deeper than a body can, step by step, is refused, and searches go on', async () => {
  const { bob, id } = await world({ visibility: { type: 'public' } })
  const nested = (levels: number): unknown => (levels === 0 ? null : { a: nested(levels - 1) })
  const inNote = (levels: number) => `private.note${'.a'.repeat(levels)}`
  outputOf(await perform(bob, 'Update', id, { 'private.note': nested(40) }))
  outputOf(await perform(bob, 'Update', id, { [inNote(40)]: nested(21) }))
  const answer = await perform(bob, 'Update', id, { [inNote(61)]: nested(40) })
  expect(answer).toMatchObject({ status: 400, body: { error: 516, issues: [{ path: 'private' }] } })
  expect((await seen(bob, id)).private.note).toEqual(nested(61))
})

test('many properties at once are checked and written once; more are set with an object', async () => {
  const { publisher, bob } = await twoPublishers()
  const names = Array.from({ length: limits.propertiesSet + 1 }, (_, nth) => `p${nth}`)
  const [id = ''] = await emitted(publisher, name, 1, {}, Object.fromEntries(names.map((one) => [one, 0])))
  await action(publisher, name, 'Update')
  const singly = (from: number) => Object.fromEntries(names.slice(from).map((one) => [`private.${one}`, 1]))
  const stringify = vi.spyOn(JSON, 'stringify')
  outputOf(await perform(publisher, 'Update', id, singly(1)))
  const written = stringify.mock.results.filter(({ value }) => String(value).includes('"p50":1'))
  stringify.mockRestore()
  expect(written.length).toBeLessThan(10)
  expect((await seen(publisher, id)).private).toEqual({ ...Object.fromEntries(names.map((one) => [one, 1])), p0: 0 })
  expect(await perform(publisher, 'Update', id, singly(0))).toMatchObject({
    status: 400,
    body: { issues: [{ path: 'private', message: expect.stringContaining('more in an object: private') }] },
  })
  outputOf(await perform(publisher, 'Update', id, { private: Object.fromEntries(names.map((one) => [one, 2])) }))
  expect(await perform(bob, 'Update', id, singly(0))).not.toMatchObject({ status: 200 })
})

test('single properties beside a large object do not have it looked through for each of them', async () => {
  const { publisher } = await twoPublishers()
  const many = (value: number) => Object.fromEntries(Array.from({ length: 3000 }, (_, nth) => [`k${nth}`, value]))
  const [id = ''] = await emitted(publisher, name, 1, {}, { note: many(0) })
  await action(publisher, name, 'Update')
  const single = Array.from({ length: limits.propertiesSet }, (_, nth) => [`private.note.k${nth}`, 2])
  const [keys, entries] = [vi.spyOn(Object, 'keys'), vi.spyOn(Object, 'entries')]
  outputOf(await perform(publisher, 'Update', id, { private: { note: many(1) }, ...Object.fromEntries(single) }))
  const looks = [keys, entries].flatMap((spy) => spy.mock.results.filter(({ value }) => value.length >= 3000))
  vi.restoreAllMocks()
  expect(looks.length).toBeLessThan(20)
  const { note } = (await seen(publisher, id)).private as { note: object }
  expect(Object.values(note)).toEqual([...Array(limits.propertiesSet).fill(2), ...Array(2900).fill(1)])
})
