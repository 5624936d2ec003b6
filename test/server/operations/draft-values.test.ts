import { expect, test } from 'vitest'
import { resource, template, templateName, variation, variationName } from '../../fixtures/bodies.ts'
import { action, outputOf, owned, perform, seen } from '../../support/acting.ts'
import { made, testService } from '../../support/service.ts'
import { storedWorld } from '../../support/worlds.ts'

const templatePath = `/v1/templates/${templateName}`
const variationPath = `/v1/template_variations/${variationName}`
const state = (value: 'true' | 'false') => ({ name: 'Activated', value: { type: 'boolean', value } })
const own = { stamps: 0, card: { level: 'none', colour: 'red' }, visits: [{ name: 'first', note: '' }] }
const type = { title: 'A', states: [state('false')], resources: [resource('Icon')] }

/** A vAtom of a draft on which actions wrote values, what it is then, and how to change its draft. */
async function stamped(over = variation()) {
  const world = await testService()
  const { publisher } = world
  await made(
    publisher,
    ['POST', '/v1/templates', template({}, type, own)],
    ['POST', '/v1/template_variations', over],
    ['POST', '/v1/vatoms', { template_variation: variationName, num: 2 }],
  )
  await action(publisher, templateName, 'Stamp', { reactor: 'blockv://custom/privateproperties' })
  for (const name of ['Activate', 'Transfer']) await action(publisher, templateName, name)
  const [{ id }] = (await publisher.call('POST', '/v1/vatom/discover', { body: {} })).payload.results
  const visits = [{ name: 'first', note: 'rainy' }]
  outputOf(await perform(publisher, 'Stamp', id, { private: { stamps: 7, card: { level: 'gold' }, visits } }))
  outputOf(await perform(publisher, 'Activate', id))
  const before = await seen(publisher, id)
  expect(before.private).toEqual({ stamps: 7, card: { level: 'gold', colour: 'red' }, visits })
  /** Changes the template; what is not given is as it was. */
  const changed = async (changes: object, custom: object = {}) => {
    const { vatom } = template({}, { ...type, ...changes }, { ...own, ...custom })
    await made(publisher, ['PATCH', templatePath, { vatom }])
    return await seen(publisher, id)
  }
  return { ...world, id, before, changed }
}

test('publishing leaves what actions wrote into the vAtoms of a draft', async () => {
  const { publisher, id, before, advance } = await stamped()
  advance(60)
  await made(publisher, ['PATCH', templatePath, { unpublished: false }])
  expect(await seen(publisher, id)).toEqual(before)
  await made(publisher, ['PATCH', variationPath, { unpublished: false }])
  expect(await seen(publisher, id)).toEqual({
    ...before,
    unpublished: false,
    sync: before.sync + 1,
    when_modified: '2027-03-01T12:01:00Z',
  })
})

test('a change of another field leaves them, in the same object too', async () => {
  const { changed, before } = await stamped()
  const { private: custom, type: builtIn } = await changed({ title: 'B' }, { card: { level: 'none', colour: 'blue' } })
  expect(builtIn).toMatchObject({ title: 'B', states: before.type.states, description: '' })
  expect(custom).toEqual({ ...before.private, card: { level: 'gold', colour: 'blue' } })
})

test('a change of that very field replaces them; a list is replaced as a whole, what is removed goes, what is new comes', async () => {
  const { publisher, id, changed } = await stamped()
  const visits = [{ name: 'second', note: '' }]
  expect((await changed({}, { stamps: 1, visits })).private).toMatchObject({
    stamps: 1,
    card: { level: 'gold' },
    visits,
  })
  const { vatom } = template({}, type, { card: { level: 'none' }, points: 3 })
  await made(publisher, ['PATCH', templatePath, { vatom }])
  expect((await seen(publisher, id)).private).toEqual({ card: { level: 'gold' }, points: 3 })
})

test('a change of the kind of a value replaces it as a whole', async () => {
  const { publisher, id, changed } = await stamped()
  expect((await changed({}, { card: 'none' })).private.card).toBe('none')
  outputOf(await perform(publisher, 'Stamp', id, { private: { stamps: { many: 1 } } }))
  expect((await changed({}, { card: { level: 'none' }, stamps: 0 })).private).toMatchObject({
    stamps: { many: 1 },
    card: { level: 'none' },
  })
  expect((await changed({}, { stamps: { many: 0, lost: 0 } })).private.stamps).toEqual({ many: 0, lost: 0 })
})

test('states and resources are changed by name', async () => {
  const { changed } = await stamped()
  const reactor = { ...state('false'), on_state_change: { reactor: 'blockv://v1/Open' } }
  const icons = [resource('Card'), resource('Icon', 'https://cdn.example/new.png')]
  const { type: builtIn } = await changed({ states: [reactor], resources: icons })
  expect(builtIn.states).toEqual([{ ...reactor, value: { type: 'boolean', value: 'true' } }])
  expect(builtIn.resources).toEqual(icons)
  expect((await changed({ resources: [resource('Card')] })).type.resources).toEqual([resource('Card')])
})

test('a variation counts with what it resolves to', async () => {
  const { publisher, id, changed } = await stamped(variation({}, undefined, { stamps: 5 }))
  expect((await changed({}, { stamps: 2 })).private.stamps).toBe(7)
  await made(publisher, ['PATCH', variationPath, { vatom: { private: { stamps: 5, card: { level: 'new' } } } }])
  expect((await seen(publisher, id)).private).toMatchObject({ stamps: 7, card: { level: 'new', colour: 'red' } })
  await made(publisher, ['PATCH', variationPath, { vatom: {} }])
  expect((await seen(publisher, id)).private).toMatchObject({ stamps: 2, card: { level: 'none' } })
})

test('what was transferred follows in the same way', async () => {
  const { publisher, register, id, before, changed } = await stamped()
  const bob = await register('bob@example.com')
  outputOf(await perform(publisher, 'Transfer', id, { 'new.owner.email': 'bob@example.com' }))
  await changed({ title: 'B', visibility: { type: 'public' } })
  expect(await seen(bob, id)).toMatchObject({
    private: before.private,
    'vAtom::vAtomType': { title: 'B', owner: bob.id, states: before.type.states },
  })
})

test('owners are told of each vAtom what changed in it, also of what was removed, whatever its name', async () => {
  const { publisher, told } = await storedWorld()
  const custom = { constructor: 1, note: 'a', card: { level: 'none', colour: 'red' }, stamps: 0 }
  await made(
    publisher,
    ['POST', '/v1/templates', template({}, type, custom)],
    ['POST', '/v1/template_variations', variation()],
    ['POST', '/v1/vatoms', { template_variation: variationName, num: 3 }],
  )
  await action(publisher, templateName, 'Stamp', { reactor: 'blockv://custom/privateproperties' })
  const [id = '', ...others] = await owned(publisher)
  outputOf(await perform(publisher, 'Stamp', id, { private: { note: 'c', card: { level: 'gold' }, stamps: 7 } }))
  const before = told().length
  const { vatom } = template({}, type, {
    note: 'b',
    card: { level: 'none', colour: 'blue' },
    stamps: 0,
    more: { a: 1 },
  })
  await made(publisher, ['PATCH', templatePath, { vatom }])
  const changes = { constructor: null, note: 'b', card: { colour: 'blue' }, more: { a: 1 } }
  const now = { when_modified: '2027-03-01T12:00:00Z' }
  const messages = told()
    .slice(before)
    .map(({ payload }) => [payload.id, payload.sync, payload.new_object])
  expect(messages).toHaveLength(3)
  for (const other of others) expect(messages).toContainEqual([other, 2, { private: changes, sync: 2, ...now }])
  expect(messages).toContainEqual([id, 3, { private: changes, sync: 3, ...now }])
  expect((await seen(publisher, id)).private).toEqual({
    note: 'b',
    card: { level: 'gold', colour: 'blue' },
    stamps: 7,
    more: { a: 1 },
  })
})
