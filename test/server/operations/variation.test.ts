import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { definedFolder } from '../../../src/contract/values.ts'
import { openSqlite } from '../../../src/server/store/database/sqlite.ts'
import { resource, template, templateName, variation, variationName } from '../../fixtures/bodies.ts'
import { newDatabase } from '../../support/folders.ts'
import { type Caller, made, testService, warningsOf } from '../../support/service.ts'
import { twoPublishers } from '../../support/worlds.ts'

const folderType = 'vAtom::vAtomType::FolderContainerType'
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

  test('§2.5 an object in the place of another value would add custom fields', async () => {
    await refused(template({}, {}, { a: 'red' }), variation({}, {}, { a: { x: 1 } }), 'vatom.private.a.x')
  })

  test('§2.5 a custom field of another type than in the template is a warning', async () => {
    const { publisher } = await testService()
    await made(publisher, ['POST', '/v1/templates', template({}, {}, { stamps: 0, name: 'A' })])
    const over = variation({}, {}, { stamps: '5', name: 'B' })
    const created = await publisher.call('POST', '/v1/template_variations', { body: over })
    expect(created.status).toBe(200)
    const message =
      'private.stamps is 0 in the template, and the string "5" here; write a value of the type that the template has'
    expect(warningsOf(created)).toEqual([{ code: 'overlay-private-type', path: 'vatom.private.stamps', message }])
  })

  test('§2.5 a template that changes the type of a custom field warns of each variation that has it', async () => {
    const { publisher } = await testService()
    const path = `/v1/templates/${templateName}`
    await made(publisher, ['POST', '/v1/templates', template({}, {}, { stamps: 0 })])
    await made(publisher, ['POST', '/v1/template_variations', variation({}, {}, { stamps: 5 })])
    const text = await publisher.call('PATCH', path, { body: { vatom: template({}, {}, { stamps: '' }).vatom } })
    expect(text.status).toBe(200)
    expect(warningsOf(text)).toMatchObject([{ code: 'overlay-private-type', path: 'vatom', about: variationName }])
    const holder = template({}, {}, { stamps: { x: 1 } }).vatom
    expect(await publisher.call('PATCH', path, { body: { vatom: holder } })).toMatchObject({ status: 200 })
    await made(publisher, ['PATCH', read(), { vatom: { private: { stamps: { x: 2 } } } }])
    expect(
      await publisher.call('PATCH', path, { body: { vatom: template({}, {}, { stamps: 0 }).vatom } }),
    ).toMatchObject({ status: 400, body: { error: 9011 } })
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

  test.each(['eth', 'eos'])('§2.3, §2.5 fields of %s have the type the template gives them', async (section) => {
    const chain = (fields: object) => ({ [section]: { network: 'testnet', fields } })
    const base = template(chain({ a: { type: 'uint', value: 1 } }))
    await refused(base, variation(chain({ b: { type: 'uint', value: 1 } })), `${section}.fields.b`)
    await refused(base, variation(chain({ a: { type: 'string', value: 'x' } })), `${section}.fields.a.type`)
    await refused(template(), variation(chain({})), section)
  })

  test('eos values are overwritten as those of eth are', async () => {
    const eos = (fields: object) => ({ eos: { network: 'veos-test', fields } })
    const base = template(eos({ a: { type: 'uint', value: 1 }, b: { type: 'bool', value: false } }))
    const { template_variation } = await resolved(base, variation(eos({ a: { type: 'uint', value: '2' } })))
    expect(template_variation).not.toHaveProperty('eth')
    expect(template_variation.eos).toEqual({
      network: 'veos-test',
      fields: { a: { type: 'uint', value: 2 }, b: { type: 'bool', value: false } },
    })
  })

  test('§2.5 a list that is neither states nor resources is replaced whole', async () => {
    const base = template({}, {}, { steps: [1, 2, 3], deep: { list: ['a'] } })
    const { template_variation } = await resolved(base, variation({}, {}, { steps: [4], deep: { list: [] } }))
    expect(template_variation.private).toEqual({ steps: [4], deep: { list: [] } })
  })

  test('§2.5 a state has another value, and names alone that the template has', async () => {
    const state = (value: string) => ({ states: [{ name: 'Activated', value: { type: 'boolean', value } }] })
    const { template_variation } = await resolved(template(), variation({}, state('false')))
    expect(template_variation['vAtom::vAtomType'].states).toMatchObject([
      { name: 'Activated', value: { value: 'false' } },
    ])
  })

  test('§2.4 query and child_policy stand only in their containers, whose kind is the template’s', async () => {
    const at = 'vatom.vAtom::vAtomType'
    await refused(template(), variation({}, { query: {} }), `${at}.query`)
    await refused(template(), variation({}, { child_policy: [] }), `${at}.child_policy`)
    const base = template({}, { root_type: 'vAtom::vAtomType::DiscoverContainerType', query: { limit: 5, page: 1 } })
    const { template_variation } = await resolved(base, variation({}, { query: { limit: 7 } }))
    expect(template_variation['vAtom::vAtomType'].query).toEqual({ limit: 7, page: 1 })
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
      body: {
        error: 9011,
        message: `vatom: the variation ${variationName} overwrites vatom.private.colour: the template defines no custom field private.colour; change the variation first`,
        issues: [{ path: 'vatom' }],
      },
    })
    expect(await vatom()).toMatchObject({ sync: 1, 'vAtom::vAtomType': { title: 'A' } })
    const { payload } = await publisher.call('GET', `/v1/templates/${templateName}`)
    expect(payload.properties.template['vAtom::vAtomType'].title).toBe('A')
  })

  test('all that is in the way of a change of the template is counted once, however many variations it is in', async () => {
    const { publisher } = await testService()
    const custom = Object.fromEntries(Array.from({ length: 130 }, (_, index) => [`field${index}`, index]))
    const create = (body: object) => ['POST', '/v1/template_variations', body] as const
    const names = ['A', 'B', 'C'].map((name) => `${templateName}::${name}`)
    await made(
      publisher,
      ['POST', '/v1/templates', template({}, {}, custom)],
      ...names.map((name) => create(variation({ template_variation: name }, {}, custom))),
    )
    const body = { vatom: template({}, {}, {}).vatom }
    const { status, body: answer } = await publisher.call('PATCH', `/v1/templates/${templateName}`, { body })
    const messages: string[] = answer.issues.map(({ message }: { message: string }) => message)
    expect([status, messages.length, messages.at(-1)]).toEqual([400, limits.issues + 1, 'and 290 more problems'])
    const first = messages.filter((message) => message.includes(`${names[0]} overwrites vatom.private.field`))
    expect(first).toHaveLength(limits.issues)
    expect(messages.join()).not.toContain('did you mean')
  })

  test('every variation in the way of a change of the template is named', async () => {
    const { publisher } = await draft()
    const silver = `${templateName}::Silver`
    const free = variation({ template_variation: `${templateName}::Free` })
    await made(
      publisher,
      ['POST', '/v1/template_variations', variation({ template_variation: silver }, undefined, { colour: 'grey' })],
      ['POST', '/v1/template_variations', free],
    )
    const body = { vatom: template().vatom }
    const { text, body: answered } = await publisher.call('PATCH', `/v1/templates/${templateName}`, { body })
    expect(answered.issues.map(({ path, message }: Record<string, string>) => [path, message?.split(' ')[2]])).toEqual([
      ['vatom', variationName],
      ['vatom', silver],
    ])
    expect(text).not.toMatch(/Free/)
  })

  test.each([
    ['template', `/v1/templates/${templateName}`, {}],
    ['template', `/v1/templates/${templateName}`, { public: true }],
    ['template', `/v1/templates/${templateName}`, { vatom: template({}, { title: 'A' }, { colour: 'red' }).vatom }],
    ['template', `/v1/templates/${templateName}`, { vatom: template({}, { title: 'A' }, { colour: 'blue' }).vatom }],
    ['variation', read(), {}],
    ['variation', read(), { public: true, max_clones: 5 }],
    ['variation', read(), { vatom: { private: { colour: 'gold' } } }],
  ])('a change of the %s at %s to %j leaves vAtoms as they are', async (_, path, body) => {
    const { publisher, advance, vatom } = await draft()
    const before = await vatom()
    advance(60)
    await made(publisher, ['PATCH', path, body])
    expect(await vatom()).toEqual(before)
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

describe('a draft and what is made of it', () => {
  const eos = { network: 'veos-test', fields: { open: { type: 'bool', value: false } } }
  const eth = { network: 'testnet', fields: { count: { type: 'uint', value: 1 } } }
  const base = template({ eth, eos }, { title: 'A', resources: [resource('Icon')] }, { colour: 'red', size: 1 })
  const picture = (value: string) => ({ name: 'Icon', value: { resourceValueType: 'ResourceValueType::URI', value } })

  async function draft(over: object = variation()) {
    const world = await testService()
    await made(
      world.publisher,
      ['POST', '/v1/templates', base],
      ['POST', '/v1/template_variations', over],
      ['POST', '/v1/vatoms', { template_variation: variationName, num: 2 }],
    )
    const vatoms = async () => (await world.publisher.call('POST', '/v1/vatom/discover', { body: {} })).payload.results
    return { ...world, vatoms, of: async () => (await world.publisher.call('GET', read())).payload.properties }
  }
  const changedVatom = (changes: object) => [changes, changes].map((change) => expect.objectContaining(change))

  test('D.2 changes of a variation reach every vAtom: private, resources, eth and eos', async () => {
    const { publisher, vatoms } = await draft()
    const over = {
      vatom: { 'vAtom::vAtomType': { resources: [picture('https://cdn.example/b.png')] }, private: { colour: 'blue' } },
      eth: { ...eth, fields: { count: { type: 'uint', value: 2 } } },
      eos: { ...eos, fields: { open: { type: 'bool', value: true } } },
    }
    await made(publisher, ['PATCH', read(), over])
    expect(await vatoms()).toEqual(
      changedVatom({
        private: { colour: 'blue', size: 1 },
        'vAtom::vAtomType': expect.objectContaining({
          title: 'A',
          resources: [{ ...resource('Icon'), value: picture('https://cdn.example/b.png').value }],
        }),
        eth: expect.objectContaining({ fields: over.eth.fields }),
        eos: expect.objectContaining({ fields: over.eos.fields }),
      }),
    )
    await made(publisher, ['PATCH', read(), { vatom: {} }])
    expect(await vatoms()).toEqual(
      changedVatom({
        private: { colour: 'red', size: 1 },
        eth: expect.objectContaining({ fields: over.eth.fields }),
        eos: expect.objectContaining({ fields: over.eos.fields }),
      }),
    )
    await made(publisher, ['PATCH', read(), { eth: null, eos: null }])
    expect(await vatoms()).toEqual(
      changedVatom({
        private: { colour: 'red', size: 1 },
        'vAtom::vAtomType': expect.objectContaining({ resources: [resource('Icon')] }),
        eth: expect.objectContaining({ fields: eth.fields }),
        eos: expect.objectContaining({ fields: eos.fields }),
      }),
    )
  })

  test('D.2 changes of a template reach every vAtom, but what the variation overwrites', async () => {
    const { publisher, vatoms } = await draft(
      variation(
        { eos: { ...eos, fields: { open: { type: 'bool', value: true } } } },
        { resources: [picture('https://cdn.example/own.png')] },
        { colour: 'blue' },
      ),
    )
    const { vatom } = template({}, { resources: [resource('Card'), resource('Icon')] }, { colour: 'green', size: 2 })
    const more = { ...eos, fields: { ...eos.fields, count: { type: 'uint', value: '5' } } }
    await made(publisher, ['PATCH', `/v1/templates/${templateName}`, { vatom, eos: more, eth: null }])
    expect(await vatoms()).toEqual(
      changedVatom({
        private: { colour: 'blue', size: 2 },
        'vAtom::vAtomType': expect.objectContaining({
          title: '',
          resources: [resource('Card'), { ...resource('Icon'), value: picture('https://cdn.example/own.png').value }],
        }),
        eth: {},
        eos: expect.objectContaining({
          fields: { open: { type: 'bool', value: true }, count: { type: 'uint', value: 5 } },
        }),
      }),
    )
  })

  test.each(['eth', 'eos'])('§2.5 a template keeps its %s while a variation overwrites it', async (section) => {
    const own = { eth, eos }[section]
    const { publisher, vatoms, of } = await draft(variation({ [section]: own }))
    const second = `${templateName}::Silver`
    await made(publisher, ['POST', '/v1/template_variations', variation({ template_variation: second })])
    const state = async () => [
      (await publisher.call('GET', `/v1/templates/${templateName}`)).payload,
      (await publisher.call('GET', read(second))).payload,
      await of(),
      await vatoms(),
    ]
    const before = await state()
    const body = { [section]: null, public: true, vatom: template({}, { title: 'B' }, { colour: 1, size: 1 }).vatom }
    expect(await publisher.call('PATCH', `/v1/templates/${templateName}`, { body })).toMatchObject({
      status: 400,
      body: { error: 9011, issues: expect.arrayContaining([expect.objectContaining({ path: section })]) },
    })
    expect(await state()).toEqual(before)
    await made(publisher, ['PATCH', read(), { [section]: null }])
    expect((await of()).overrides).not.toHaveProperty(section)
    const { vatom: _, ...rest } = body
    await made(publisher, ['PATCH', `/v1/templates/${templateName}`, rest])
    expect((await of()).template_variation).not.toHaveProperty(section)
  })

  test('D.2 publishing tells the vAtoms; what is published is neither changed nor deleted', async () => {
    const { publisher, vatoms } = await draft()
    expect(await vatoms()).toEqual(changedVatom({ unpublished: true }))
    await made(publisher, ['PATCH', `/v1/templates/${templateName}`, { unpublished: false }])
    await made(publisher, ['PATCH', read(), { unpublished: false }])
    expect(await vatoms()).toEqual(changedVatom({ unpublished: false }))
    for (const [method, body] of [['PATCH', { public: true }], ['PATCH', { unpublished: true }], ['DELETE']] as const)
      expect(await publisher.call(method, read(), { body })).toMatchObject({ status: 400, body: { error: 9005 } })
  })

  test('D.3 of two requests at once, which together emit more than 10 of a draft, one is refused', async () => {
    const { publisher, vatoms } = await draft()
    const emit = () => publisher.call('POST', '/v1/vatoms', { body: { template_variation: variationName, num: 5 } })
    expect((await Promise.all([emit(), emit()])).map(({ status }) => status).sort()).toEqual([200, 400])
    expect(await vatoms()).toHaveLength(7)
  })
})

describe('§2.4 a child_policy that names a variation which is not there', () => {
  const childName = `${templateName}::Child`
  const policy = (...names: string[]) => ({
    root_type: definedFolder,
    child_policy: names.map((template_variation) => ({ template_variation })),
  })
  const child = ['POST', '/v1/template_variations', variation({ template_variation: childName })] as const
  const missing = (name: string) => `the child_policy names a variation that does not exist: ${name}`

  const warningOf = (about: string, index: number) => ({
    code: 'missing-variation',
    path: `vatom.vAtom::vAtomType.child_policy[${index}].template_variation`,
    message: missing(about),
    about,
  })

  test('is warned of when the draft that published variations name is deleted, naming them', async () => {
    const { publisher } = await testService()
    const parent = variation({ unpublished: false })
    await made(
      publisher,
      ['POST', '/v1/templates', template({ unpublished: false }, policy(childName))],
      child,
      ['POST', '/v1/template_variations', variation({ template_variation: `${templateName}::Else` })],
      ['POST', '/v1/template_variations', parent],
    )
    const remove = async (name: string, headers = {}) => {
      const answer = await publisher.call('DELETE', `/v1/template_variations/${name}`, { headers })
      return [answer.status, ...warningsOf(answer)]
    }
    const message = `${childName} is in the child_policy of ${variationName}, which no longer emits vAtoms until it exists again`
    const warned = [200, { code: 'missing-variation', path: '', message, about: childName }]
    expect(await remove(childName, { 'vatom-dry-run': 'true' })).toEqual(warned)
    expect(await remove(`${templateName}::Else`)).toEqual([200])
    expect(await remove(childName)).toEqual(warned)
    expect(
      await publisher.call('POST', '/v1/vatoms', { body: { template_variation: variationName, num: 1 } }),
    ).toMatchObject({ status: 400 })
  })

  test('is warned of when a draft is deleted that drafts of another published template name, of which some are named', async () => {
    const { publisher } = await testService()
    const box = 'local.vatom::Box::v1'
    const parents = Array.from({ length: 25 }, (_, index) => `${box}::P${String.fromCharCode(65 + index)}`)
    const names = (...children: string[]) => ({ vatom: { 'vAtom::vAtomType': policy(...children) } })
    await made(
      publisher,
      ['POST', '/v1/templates', template({ template: box, unpublished: false }, policy(childName, childName + 2))],
      ['POST', '/v1/templates', template({}, policy(childName))],
      child,
      ['POST', '/v1/template_variations', variation()],
      ...parents.map(
        (template_variation) =>
          ['POST', '/v1/template_variations', { template: box, template_variation, vatom: {} }] as const,
      ),
    )
    const told = async (name: string) => {
      const headers = { 'vatom-dry-run': 'true' }
      return warningsOf(await publisher.call('DELETE', read(name), { headers })).map(({ message }) => message)
    }
    const some = parents.slice(0, 3).join(', ')
    const message = `${childName} is in the child_policy of ${some} and 22 more, which no longer emit vAtoms until it exists again`
    expect(await told(childName)).toEqual([message])
    for (const parent of parents.slice(1)) await made(publisher, ['PATCH', read(parent), names(`${childName}2`)])
    const [first = ''] = parents
    expect(await told(childName)).toEqual([message.replace(`${some} and 22 more`, first).replace('emit', 'emits')])
    await made(publisher, ['DELETE', read(first)])
    expect(await told(childName)).toEqual([])
  })

  test('is warned of when a draft is deleted that a draft of another draft template names, not one of its own', async () => {
    const { publisher } = await testService()
    const box = 'local.vatom::Box::v1'
    await made(
      publisher,
      ['POST', '/v1/templates', template({}, policy(childName))],
      ['POST', '/v1/templates', template({ template: box }, policy(childName))],
      child,
      ['POST', '/v1/template_variations', variation()],
      ['POST', '/v1/template_variations', { template: box, template_variation: `${box}::First` }],
    )
    const message = `${childName} is in the child_policy of ${box}::First, which no longer emits vAtoms until it exists again`
    const answer = await publisher.call('DELETE', read(childName))
    expect(warningsOf(answer)).toEqual([{ code: 'missing-variation', path: '', message, about: childName }])
  })

  test.each([
    ['closed', {}],
    ['public', { public: true }],
  ])('is not warned of where another publisher’s %s draft names it', async (_, fields) => {
    const { publisher, other } = await twoPublishers()
    const theirs = 'other.example::Box::v1'
    await made(publisher, ['POST', '/v1/templates', template({ unpublished: false })], child)
    await made(
      other,
      ['POST', '/v1/templates', template({ template: theirs, unpublished: false }, policy(childName))],
      ['POST', '/v1/template_variations', { template: theirs, template_variation: `${theirs}::Draft`, ...fields }],
    )
    const answer = await publisher.call('DELETE', read(childName))
    expect([answer.status, ...warningsOf(answer)]).toEqual([200])
    expect(answer.text).not.toContain(theirs)
  })

  const drafts = (of: string, count = 60) =>
    Array.from({ length: count }, (_, index) => {
      const template_variation = `${of}::D${index}`
      return ['POST', '/v1/template_variations', { template: of, template_variation, vatom: {} }] as const
    })

  test('is warned of by the published one that names it, then by drafts of other templates, behind many drafts of its own', async () => {
    const { publisher } = await testService()
    const [box, zoo] = ['local.vatom::Box::v1', 'local.vatom::Zoo::v1']
    const last = `${templateName}::Z`
    await made(
      publisher,
      ['POST', '/v1/templates', template({ unpublished: false }, policy(childName))],
      ...[box, zoo].map((name) => ['POST', '/v1/templates', template({ template: name }, policy(childName))] as const),
      child,
      ...drafts(templateName),
      ...drafts(zoo, 1),
      ...drafts(box, 1),
      ['POST', '/v1/template_variations', variation({ template_variation: last })],
    )
    const headers = { 'vatom-dry-run': 'true' }
    const warned = async () => warningsOf(await publisher.call('DELETE', read(childName), { headers }))
    const message = (names: string) =>
      `${childName} is in the child_policy of ${names}, which no longer emit vAtoms until it exists again`
    expect(await warned()).toMatchObject([{ message: message(`${box}::D0, ${zoo}::D0`) }])
    await made(publisher, ['PATCH', read(last), { unpublished: false }])
    expect(await warned()).toMatchObject([{ message: message(`${last}, ${box}::D0, ${zoo}::D0`) }])
    await made(publisher, ['DELETE', `/v1/templates/${box}`], ['DELETE', `/v1/templates/${zoo}`])
    expect(await warned()).toMatchObject([{ message: message(last).replace('emit', 'emits') }])
  })

  test('is warned of by its publisher’s, however many drafts of another publisher name it', async () => {
    const { publisher, other } = await twoPublishers()
    const theirs = 'other.example::Box::v1'
    const [named, parent] = [`${theirs}::Child`, `${theirs}::Z`]
    await made(
      other,
      ['POST', '/v1/templates', template({ template: theirs, unpublished: false }, policy(named))],
      ['POST', '/v1/template_variations', { template: theirs, template_variation: named }],
      ['POST', '/v1/template_variations', { template: theirs, template_variation: parent, unpublished: false }],
    )
    await made(publisher, ['POST', '/v1/templates', template({}, policy(named))], ...drafts(templateName))
    const answer = await other.call('DELETE', read(named))
    expect(warningsOf(answer)).toMatchObject([{ message: expect.stringContaining(`child_policy of ${parent}, which`) }])
    expect(answer.text).not.toContain(templateName)
  })

  test('is warned of with every change of a template or a draft, until it is there', async () => {
    const { publisher } = await testService()
    const templatePath = `/v1/templates/${templateName}`
    const warned = async (method: string, path: string, body: object) => {
      const answer = await publisher.call(method, path, { body })
      return [answer.status, ...warningsOf(answer)]
    }
    const there = [200]
    const told = [200, warningOf(childName, 0)]
    expect(await warned('POST', '/v1/templates', template({}, policy(childName, variationName)))).toEqual([
      200,
      warningOf(childName, 0),
      warningOf(variationName, 1),
    ])
    expect(await warned('POST', '/v1/template_variations', variation())).toEqual(told)
    expect(await warned('PATCH', read(), { public: true })).toEqual(told)
    expect(await warned('PATCH', templatePath, { public: true })).toEqual(told)
    expect(await warned(...child)).toEqual(there)
    expect(await warned('PATCH', read(), {})).toEqual(there)
    expect(await warned('PATCH', read(), { vatom: { 'vAtom::vAtomType': policy('local.vatom::None') } })).toEqual([
      200,
      warningOf('local.vatom::None', 0),
    ])
    expect(await warned('PATCH', templatePath, { unpublished: false })).toEqual(there)
  })

  test('is not published, neither at once nor later, until it is there; itself is there', async () => {
    const { publisher } = await testService()
    const design = template({ unpublished: false }, policy(childName, variationName))
    await made(publisher, ['POST', '/v1/templates', design])
    const refusal = {
      status: 400,
      body: { error: 9006, issues: [{ path: 'unpublished', message: `${missing(childName)}; create it first` }] },
    }
    const publish = () => publisher.call('PATCH', read(), { body: { unpublished: false } })
    const body = variation({ unpublished: false })
    expect(await publisher.call('POST', '/v1/template_variations', { body })).toMatchObject(refusal)
    expect(await publisher.call('GET', read())).toMatchObject({ status: 404 })
    await made(publisher, ['POST', '/v1/template_variations', variation()])
    expect(await publish()).toMatchObject(refusal)
    await made(publisher, child)
    const gone = publisher.call('DELETE', read(childName))
    expect(await Promise.all([gone, publish()])).toMatchObject([{ status: 200 }, refusal])
    expect((await publisher.call('GET', read())).payload.properties.unpublished).toBe(true)
    await made(publisher, child)
    expect(await publish()).toMatchObject({ status: 200 })
  })

  test('and that is another publisher’s is no child of what is published', async () => {
    const { publisher, other } = await twoPublishers()
    const theirs = 'other.example::Coin::v1'
    await made(
      other,
      ['POST', '/v1/templates', template({ template: theirs, public: true, unpublished: false })],
      ['POST', '/v1/template_variations', { template: theirs, template_variation: `${theirs}::V`, unpublished: false }],
    )
    await made(publisher, ['POST', '/v1/templates', template({ unpublished: false }, policy(`${theirs}::V`))])
    const body = variation({ unpublished: false })
    const refused = { status: 403, body: { error: 9002 } }
    expect(await publisher.call('POST', '/v1/template_variations', { body })).toMatchObject(refused)
    await made(publisher, ['POST', '/v1/template_variations', variation()])
    expect(await publisher.call('PATCH', read(), { body: { unpublished: false } })).toMatchObject(refused)
  })
})

describe('delete', () => {
  const second = `${templateName}::Silver`
  const there = async () => {
    const world = await testService()
    await made(
      world.publisher,
      ['POST', '/v1/templates', template({ unpublished: false }, { root_type: folderType })],
      ['POST', '/v1/template_variations', variation({}, { visibility: { type: 'public' } })],
      ['POST', '/v1/template_variations', variation({ template_variation: second })],
    )
    const emit = async (template_variation: string, num: number): Promise<string[]> =>
      (await made(world.publisher, ['POST', '/v1/vatoms', { template_variation, num }])).ids
    const find = async () =>
      (await world.publisher.call('POST', '/v1/user/vatom/inventory', { body: {} })).payload.vatoms
    return { ...world, emit, find }
  }

  test('§3 a draft is deleted, and its name is free again', async () => {
    const { publisher } = await there()
    expect(await made(publisher, ['DELETE', read(second)])).toEqual({
      success_message: `Template variation ${second} deleted.`,
    })
    for (const method of ['GET', 'DELETE'])
      expect(await publisher.call(method, read(second))).toMatchObject({ status: 404, body: { error: 9007 } })
    expect(await publisher.call('GET', read())).toMatchObject({ status: 200 })
    await made(publisher, ['POST', '/v1/template_variations', variation({ template_variation: second })])
  })

  test('§3 a draft is deleted with what was emitted from it, trashed vAtoms too, and no other vAtom', async () => {
    const { publisher, emit, find } = await there()
    const [gone = ''] = await emit(variationName, 3)
    const kept = await emit(second, 2)
    await made(publisher, ['POST', '/v1/user/vatom/trash', { 'this.id': gone }])
    expect((await publisher.call('GET', read())).payload.properties).toMatchObject({ num_vatoms: 2, num_trashed: 1 })
    expect(await made(publisher, ['DELETE', read()])).toEqual({
      success_message: `Template variation ${variationName} deleted with 2 vAtoms.`,
    })
    expect((await find()).map(({ id }: { id: string }) => id).sort()).toEqual([...kept].sort())
    await made(publisher, ['POST', '/v1/template_variations', variation()])
    expect((await publisher.call('GET', read())).payload.properties).toMatchObject({ num_vatoms: 0, num_trashed: 0 })
    expect(await emit(variationName, 10)).toHaveLength(10)
  })

  test('what is in a vAtom of a deleted draft moves to the root, and is found there by its owner alone', async () => {
    const { publisher, emit, find, register } = await there()
    const [folder = ''] = await emit(variationName, 1)
    const inside = await emit(second, 2)
    await made(publisher, ['PATCH', '/v1/vatoms', { ids: inside, parent_id: folder }])
    await made(publisher, ['DELETE', read()])
    const found: { id: string; 'vAtom::vAtomType': { parent_id: string } }[] = await find()
    expect(found.map((one) => one['vAtom::vAtomType'].parent_id)).toEqual(['.', '.'])
    const ann = await register('ann@example.com')
    expect((await ann.call('POST', '/v1/vatom/discover', { body: {} })).payload.results).toEqual([])
  })

  test('a dry run says what would be deleted, and deletes nothing', async () => {
    const { publisher, emit, find } = await there()
    await emit(variationName, 1)
    const headers = { 'vatom-dry-run': 'true' }
    expect((await publisher.call('DELETE', read(), { headers })).payload).toEqual({
      success_message: `Template variation ${variationName} deleted with 1 vAtom.`,
    })
    expect(await find()).toHaveLength(1)
  })

  test('§3 a published variation is not deleted, nor are its vAtoms; it does not count them', async () => {
    const { publisher, emit, find } = await there()
    await made(publisher, ['PATCH', read(), { unpublished: false }])
    await emit(variationName, 2)
    expect(await publisher.call('DELETE', read())).toMatchObject({ status: 400, body: { error: 9005 } })
    expect(await find()).toHaveLength(2)
    expect((await publisher.call('GET', read())).payload.properties).not.toHaveProperty('num_vatoms')
  })
})

describe('clone parameters', () => {
  const parameters = async (publisher: Caller) => {
    const { cloning_gain, max_clones, num_clones, max_clones_reached } = (await publisher.call('GET', read())).payload
      .properties
    return { cloning_gain, max_clones, num_clones, max_clones_reached }
  }
  const none = { num_clones: 0, max_clones_reached: false }

  test('without them cloning is unlimited, and a clone adds a quarter to the score', async () => {
    const { publisher } = await testService()
    await made(publisher, ['POST', '/v1/templates', template()], ['POST', '/v1/template_variations', variation()])
    expect(await parameters(publisher)).toEqual({ cloning_gain: 0.25, max_clones: null, ...none })
  })

  test('they are set, changed and, the maximum, lifted', async () => {
    const { publisher } = await testService()
    const over = variation({ cloning_gain: 0, max_clones: 5 })
    await made(publisher, ['POST', '/v1/templates', template()], ['POST', '/v1/template_variations', over])
    expect(await parameters(publisher)).toEqual({ cloning_gain: 0, max_clones: 5, ...none })
    const update = async (body: object) => {
      await made(publisher, ['PATCH', read(), body])
      return await parameters(publisher)
    }
    expect(await update({ max_clones: 7 })).toEqual({ cloning_gain: 0, max_clones: 7, ...none })
    expect(await update({ cloning_gain: 1 })).toEqual({ cloning_gain: 1, max_clones: 7, ...none })
    expect(await update({ max_clones: null })).toEqual({ cloning_gain: 1, max_clones: null, ...none })
    for (const [body, path] of [
      [{ max_clones: 0 }, 'max_clones'],
      [{ cloning_gain: 1.5 }, 'cloning_gain'],
      [{ num_clones: 3 }, 'num_clones'],
    ] as const)
      expect(await publisher.call('PATCH', read(), { body })).toMatchObject({
        status: 400,
        body: { issues: [{ path }] },
      })
    const body = variation({ template_variation: `${templateName}::B`, max_clones: null })
    expect(await publisher.call('POST', '/v1/template_variations', { body })).toMatchObject({ status: 400 })
  })

  test('the record tells when the maximum is reached; an update leaves the number of clones', async () => {
    const db = newDatabase()
    const { publisher } = await testService({ db })
    const over = variation({ max_clones: 3 })
    await made(publisher, ['POST', '/v1/templates', template()], ['POST', '/v1/template_variations', over])
    const sqlite = await openSqlite(db)
    onTestFinished(() => sqlite.close())
    for (const [clones, reached] of [
      [2, false],
      [3, true],
    ] as const) {
      sqlite.exec(`UPDATE variations SET num_clones = ${clones}`)
      // A request that comes after a commit of another connection is in a later turn.
      await nextTurn()
      expect(await parameters(publisher)).toMatchObject({ num_clones: clones, max_clones_reached: reached })
    }
    await made(publisher, ['PATCH', read(), { max_clones: 4 }])
    expect(await parameters(publisher)).toMatchObject({ num_clones: 3, max_clones: 4, max_clones_reached: false })
  })
})

describe('reading', () => {
  test('§2.5 a variation of another publisher is readable once it is public, a draft too', async () => {
    const { publisher, other, bob } = await twoPublishers()
    await made(publisher, ['POST', '/v1/templates', template({ unpublished: false })])
    await made(publisher, ['POST', '/v1/template_variations', variation()])
    expect(await other.call('GET', read())).toMatchObject({ status: 404, body: { error: 9007 } })
    await made(publisher, ['PATCH', read(), { public: true }])
    expect((await other.call('GET', read())).payload).toEqual((await publisher.call('GET', read())).payload)
    await made(publisher, ['PATCH', read(), { unpublished: false }])
    expect((await other.call('GET', read())).payload).toEqual((await publisher.call('GET', read())).payload)
    expect(await bob.call('GET', read())).toMatchObject({ status: 403, body: { error: 9001 } })
  })

  test("the list has one's own and others' public variations, by name, names alone", async () => {
    const { publisher, other } = await twoPublishers()
    const offered = [
      ['Open', { public: true, unpublished: false }],
      ['Draft', { public: true }],
      ['Closed', { unpublished: false }],
    ] as const
    await made(other, ['POST', '/v1/templates', template({ template: 'other.example::T', unpublished: false })])
    for (const [name, fields] of offered)
      await made(other, [
        'POST',
        '/v1/template_variations',
        { template: 'other.example::T', template_variation: `other.example::${name}`, ...fields },
      ])
    await made(publisher, ['POST', '/v1/templates', template()])
    for (const name of ['B', 'A'])
      await made(publisher, [
        'POST',
        '/v1/template_variations',
        variation({ template_variation: `local.vatom::${name}` }),
      ])
    const names = async (query = '') => (await publisher.call('GET', `/v1/template_variations${query}`)).payload
    expect(await names()).toEqual([
      { name: 'local.vatom::A' },
      { name: 'local.vatom::B' },
      { name: 'other.example::Open' },
    ])
    expect(await names('?template=other.example::T')).toEqual([{ name: 'other.example::Open' }])
    expect(await names(`?template=${templateName}&limit=1&page=2`)).toEqual([{ name: 'local.vatom::B' }])
    expect(await names('?template=local.vatom::None')).toEqual([])
  })

  test('the list is paged, and answers the fields asked for, within what is resolved too', async () => {
    const { publisher } = await testService()
    await made(publisher, ['POST', '/v1/templates', template({}, { title: 'A' }, { colour: 'red' })])
    for (const n of [1, 2, 3])
      await made(publisher, ['POST', '/v1/template_variations', variation({ template_variation: `local.vatom::${n}` })])
    const list = async (query: string) => (await publisher.call('GET', `/v1/template_variations?${query}`)).payload
    expect(await list('limit=2&page=2')).toEqual([{ name: 'local.vatom::3' }])
    expect(await list('limit=0')).toHaveLength(3)
    const deep = 'public,none,properties(template,template_variation(private,vAtom::vAtomType(title,none),nothing))'
    expect(await list(`limit=1&fields=${deep}`)).toEqual([
      {
        public: false,
        properties: {
          template: templateName,
          template_variation: { private: { colour: 'red' }, 'vAtom::vAtomType': { title: 'A' } },
        },
      },
    ])
    const [whole] = await list('limit=1&fields=name,public,meta,properties')
    expect(whole).toEqual((await publisher.call('GET', read('local.vatom::1'))).payload)
  })

  test.each(['fields=', 'fields=a(', 'limit=-1', 'page=x', 'template=', 'template=a&template=b'])(
    'a list refuses %s',
    async (query) => {
      const { publisher } = await testService()
      expect(await publisher.call('GET', `/v1/template_variations?${query}`)).toMatchObject({
        status: 400,
        body: { error: 516 },
      })
    },
  )
})
