import { describe, expect, test } from 'vitest'
import { made, resource, template, templateName, testService, variation, variationName } from './service.ts'

const read = (name = variationName) => `/v1/template_variations/${name}`

/** A draft template and its variation, as the service answers the latter. */
async function resolved(base: object, over: object) {
  const { publisher } = await testService()
  await made(publisher, ['POST', '/v1/templates', base], ['POST', '/v1/template_variations', over])
  return (await publisher.call('GET', read())).payload.properties
}

async function refused(base: object, over: object, path: string, error = 9011) {
  const { publisher } = await testService()
  await made(publisher, ['POST', '/v1/templates', base])
  const answer = await publisher.call('POST', '/v1/template_variations', { body: over })
  expect(answer).toMatchObject({ status: 400, body: { error, issues: [{ path }] } })
}

describe('overlay', () => {
  test('§2.5 what a variation leaves out is the template’s', async () => {
    const { template_variation, ...rest } = await resolved(
      template({}, { title: 'A', category: 'Coupons' }, { colour: 'red' }),
      variation(),
    )
    expect(template_variation).toMatchObject({
      'vAtom::vAtomType': { title: 'A', category: 'Coupons' },
      private: { colour: 'red' },
    })
    expect(rest).toMatchObject({ template: templateName, publisher_fqdn: 'local.vatom', unpublished: true })
  })

  test('§2.5 a variation overwrites values of the template', async () => {
    const base = template(
      {},
      { title: 'A', category: 'Coupons', visibility: { type: 'owner' } },
      { a: 1, deep: { x: 1, y: 2 } },
    )
    const over = variation({}, { title: 'B', transferable: true, visibility: { type: 'public' } }, { deep: { y: 3 } })
    const { template_variation, overrides } = await resolved(base, over)
    expect(template_variation).toMatchObject({
      'vAtom::vAtomType': {
        title: 'B',
        category: 'Coupons',
        transferable: true,
        visibility: { type: 'public', value: '*' },
      },
      private: { a: 1, deep: { x: 1, y: 3 } },
    })
    expect(overrides.vatom.private).toEqual({ deep: { y: 3 } })
  })

  test('§2.5 of a resource only the value is overwritten, and only of those the template has', async () => {
    const base = template({}, { resources: [resource('Icon'), resource('Card')] })
    const value = { resourceValueType: 'ResourceValueType::URI', value: 'https://cdn.example/gold.png' }
    const { template_variation } = await resolved(base, variation({}, { resources: [{ name: 'Card', value }] }))
    expect(template_variation['vAtom::vAtomType'].resources).toEqual([resource('Icon'), { ...resource('Card'), value }])
    const path = 'vatom.vAtom::vAtomType.resources[0]'
    await refused(base, variation({}, { resources: [{ name: 'Other', value }] }), `${path}.name`)
    const typed = { name: 'Card', resourceType: 'ResourceType::Image::JPEG', value }
    await refused(base, variation({}, { resources: [typed] }), `${path}.resourceType`)
  })

  test('§2.5 only custom fields that the template defines are allowed', async () => {
    await refused(template({}, {}, { a: 1 }), variation({}, {}, { b: 1 }), 'vatom.private.b')
  })

  test('§2.2, §2.5 cloneable cannot be overwritten, nor the kind of vAtom', async () => {
    await refused(template(), variation({ cloneable: true }), 'cloneable', 516)
    const other = variation({}, { root_type: 'vAtom::vAtomType::FolderContainerType' })
    await refused(template(), other, 'vatom.vAtom::vAtomType.root_type')
  })

  test('§2.4 what a variation makes redeemable has commerce', async () => {
    await refused(template(), variation({}, { redeemable: true }), 'vatom.vAtom::vAtomType.redeemable')
    await resolved(template({}, { commerce: {} }), variation({}, { redeemable: true }))
  })

  test('§2.3 eth values are overwritten, fields are not added', async () => {
    const eth = (fields: object) => ({ eth: { network: 'testnet', fields } })
    const base = template(eth({ a: { type: 'uint', value: 1 }, b: { type: 'bool', value: false } }))
    const { template_variation } = await resolved(base, variation(eth({ a: { type: 'uint', value: '2' } })))
    expect(template_variation.eth).toEqual({
      network: 'testnet',
      symbol: 'local.vatom',
      fields: { a: { type: 'uint', value: 2 }, b: { type: 'bool', value: false } },
    })
    await refused(base, variation(eth({ c: { type: 'uint', value: 1 } })), 'eth.fields.c')
  })
})

describe('create', () => {
  test('a variation names a template that is there', async () => {
    const { publisher } = await testService()
    expect(await publisher.call('POST', '/v1/template_variations', { body: variation() })).toMatchObject({
      status: 400,
      body: { error: 9006, issues: [{ path: 'template' }] },
    })
  })

  test('its name begins with the domain name of the publisher and is unique', async () => {
    await refused(template(), variation({ template_variation: 'other.example::V' }), 'template_variation', 9003)
    const { publisher } = await testService()
    await made(publisher, ['POST', '/v1/templates', template()], ['POST', '/v1/template_variations', variation()])
    expect(await publisher.call('POST', '/v1/template_variations', { body: variation() })).toMatchObject({
      status: 400,
      body: { error: 9004 },
    })
  })

  test('it is not published before its template, neither at once nor later', async () => {
    const { publisher } = await testService()
    await made(publisher, ['POST', '/v1/templates', template()])
    const at = (answer: unknown) => expect(answer).toMatchObject({ status: 400, body: { error: 9010 } })
    at(await publisher.call('POST', '/v1/template_variations', { body: variation({ unpublished: false }) }))
    await made(publisher, ['POST', '/v1/template_variations', variation()])
    at(await publisher.call('PATCH', read(), { body: { unpublished: false } }))
    await made(publisher, ['PATCH', `/v1/templates/${templateName}`, { unpublished: false }])
    await made(publisher, ['PATCH', read(), { unpublished: false }])
    expect(await publisher.call('PATCH', read(), { body: {} })).toMatchObject({ status: 400, body: { error: 9005 } })
  })
})

describe('drafts', () => {
  async function draft() {
    const world = await testService()
    await made(
      world.publisher,
      ['POST', '/v1/templates', template({}, { title: 'A' }, { colour: 'red' })],
      ['POST', '/v1/template_variations', variation({}, undefined, { colour: 'gold' })],
      ['POST', '/v1/vatoms', { template_variation: variationName, num: 1 }],
    )
    const vatom = async () =>
      (await world.publisher.call('POST', '/v1/vatom/discover', { body: {} })).payload.results[0]
    return { ...world, vatom }
  }

  test('a change of the variation reaches the vAtoms already emitted', async () => {
    const { publisher, advance, vatom } = await draft()
    const before = await vatom()
    advance(60)
    await made(publisher, ['PATCH', read(), { vatom: { 'vAtom::vAtomType': { title: 'B', category: 'Gifts' } } }])
    const after = await vatom()
    expect(after).toMatchObject({
      id: before.id,
      sync: 2,
      when_created: before.when_created,
      when_modified: '2027-03-01T12:01:00Z',
      'vAtom::vAtomType': { title: 'B', owner: publisher.id },
      private: { colour: 'red' },
    })
    const filters = [{ filter_elems: [{ field: 'vAtom::vAtomType.category', filter_op: 'Eq', value: 'Gifts' }] }]
    expect((await publisher.call('POST', '/v1/vatom/discover', { body: { filters } })).payload.count).toBe(1)
  })

  test('a change of the template reaches its variations and their vAtoms', async () => {
    const { publisher, vatom } = await draft()
    const changed = template({}, { title: 'C' }, { colour: 'blue', size: 1 }).vatom
    await made(publisher, ['PATCH', `/v1/templates/${templateName}`, { vatom: changed }])
    expect(await vatom()).toMatchObject({ 'vAtom::vAtomType': { title: 'C' }, private: { colour: 'gold', size: 1 } })
  })

  test('a change of the template that a variation cannot follow is refused and changes nothing', async () => {
    const { publisher, vatom } = await draft()
    const body = { vatom: template({}, { title: 'C' }).vatom }
    expect(await publisher.call('PATCH', `/v1/templates/${templateName}`, { body })).toMatchObject({
      status: 400,
      body: { error: 9011 },
    })
    expect(await vatom()).toMatchObject({ sync: 1, 'vAtom::vAtomType': { title: 'A' } })
    const { payload } = await publisher.call('GET', `/v1/templates/${templateName}`)
    expect(payload.properties.template['vAtom::vAtomType'].title).toBe('A')
  })

  test('who finds a vAtom follows a change of its visibility', async () => {
    const { publisher, register } = await draft()
    const bob = await register('bob@example.com')
    const found = async () => (await bob.call('POST', '/v1/vatom/discover', { body: {} })).payload.count
    expect(await found()).toBe(0)
    const visibility = (type: string) => ({ vatom: { 'vAtom::vAtomType': { visibility: { type } } } })
    await made(publisher, ['PATCH', read(), visibility('public')])
    expect(await found()).toBe(1)
    await made(publisher, ['PATCH', read(), visibility('container')])
    expect(await found()).toBe(0)
  })
})
