import { describe, expect, test } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { rootTypes } from '../../../src/contract/values.ts'
import { action, face, resource, template, templateName, variation, variationName } from '../../fixtures/bodies.ts'
import { made, testService, warningsOf } from '../../support/service.ts'
import { twoPublishers } from '../../support/worlds.ts'

const read = (name = templateName) => `/v1/templates/${name}`

async function refusedWith(document: object, path: string, error = 516) {
  const { publisher } = await testService()
  const answer = await publisher.call('POST', '/v1/templates', { body: document })
  expect(answer).toMatchObject({ status: 400, body: { error } })
  expect(answer.body.issues.map((issue: { path: string }) => issue.path)).toContain(path)
}

async function stored(document: object) {
  const { publisher } = await testService()
  await made(publisher, ['POST', '/v1/templates', document])
  return (await publisher.call('GET', read())).payload
}

const [ofAsset, ofOther] = [0, 1].map((index) => `vatom.vAtom::vAtomType.resources[${index}].value.value`)

test.each([
  ['but for those of its own assets there', '127.0.0.1', [ofOther]],
  ['and of all of them where it is reached from elsewhere', 'vatom.example.com', [ofAsset, ofOther]],
])('create and update warn of addresses of this machine, %s', async (_which, host, expected) => {
  const { publisher } = await testService({ allowHosts: ['vatom.example.com'] }, 'over HTTP')
  const asset = 'http://127.0.0.1:4100/assets/0b7f9c1e-5d2a-4c3b-8e9f-a1b2c3d4e5f6/a.png'
  const resources = [resource('First', asset), resource('Second', 'http://127.0.0.1:4100/a.png')]
  const body = template({}, { resources })
  for (const [method, path, sent] of [
    ['POST', '/v1/templates', body],
    ['PATCH', read(), { vatom: body.vatom }],
  ] as const) {
    const found = warningsOf(await publisher.call(method, path, { body: sent, headers: { host } }))
    const places = found.flatMap(({ code, path }) => (code === 'private-address' ? [path] : []))
    expect({ method, places }).toEqual({ method, places: expected })
  }
})

describe('create', () => {
  test('§4.6 the answer says what was created', async () => {
    const { publisher } = await testService()
    expect(await publisher.call('POST', '/v1/templates', { body: template() })).toMatchObject({
      status: 200,
      payload: { success_message: 'Template local.vatom::Coupon::v1 created.' },
    })
  })

  test('§2.2 a template is stored as it was sent, with its defaults', async () => {
    expect(await stored(template())).toEqual({
      name: templateName,
      public: false,
      meta: {
        created_by: expect.any(String),
        modified_by: expect.any(String),
        when_created: '2027-03-01T12:00:00Z',
        when_modified: '2027-03-01T12:00:00Z',
        data_type: 'v1::TemplateType',
      },
      properties: {
        publisher_fqdn: 'local.vatom',
        unpublished: true,
        cloneable: false,
        template: {
          'vAtom::vAtomType': {
            root_type: 'vAtom::vAtomType',
            transferable: true,
            acquirable: false,
            redeemable: false,
            states: [
              { name: 'Activated', value: { type: 'boolean', value: 'true' }, on_state_change: { reactor: '' } },
            ],
            resources: [],
            visibility: { type: 'owner', value: '*' },
          },
          private: {},
        },
      },
    })
  })

  test('§2.2 the name begins with the domain name of the publisher', async () => {
    for (const name of ['other.example::A', 'A', 'local.vatom:A', 'local.vatom2::A', '$publisher::A', 'local.vatom::'])
      await refusedWith(template({ template: name }), 'template', 9003)
  })

  test('§2.2 the name is unique', async () => {
    const { publisher } = await testService()
    await made(publisher, ['POST', '/v1/templates', template()])
    expect(await publisher.call('POST', '/v1/templates', { body: template() })).toMatchObject({
      status: 400,
      body: { error: 9004, message: expect.stringContaining('already exists') },
    })
  })

  test('of many templates of one name created at once, one is', async () => {
    const { publisher } = await testService()
    const calls = Array.from({ length: 8 }, () => publisher.call('POST', '/v1/templates', { body: template() }))
    expect((await Promise.all(calls)).map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)])
  })

  test('§4.6 vatom and template are required, §2.4 root_type too', async () => {
    await refusedWith({ vatom: template().vatom }, 'template')
    await refusedWith({ template: templateName }, 'vatom')
    await refusedWith({ template: templateName, vatom: {} }, 'vatom.vAtom::vAtomType')
    await refusedWith(template({}, { root_type: undefined }), 'vatom.vAtom::vAtomType.root_type')
  })

  test('§2.4 no fields can be added to the structure', async () => {
    await refusedWith(template({}, { colour: 'red' }), 'vatom.vAtom::vAtomType.colour')
    await refusedWith(template({ vatom: { ...template().vatom, eth: {} } }), 'vatom.eth')
    await refusedWith(template({ colour: 'red' }), 'colour')
  })

  test.each([...rootTypes])('§2.4 root_type %s', async (root_type) => {
    expect((await stored(template({}, { root_type }))).properties.template['vAtom::vAtomType'].root_type).toBe(
      root_type,
    )
  })

  test('every problem is reported at once', async () => {
    const { publisher } = await testService()
    const body = template({ cloneable: 'yes' }, { title: 1, visibility: { type: 'all' } })
    const answer = await publisher.call('POST', '/v1/templates', { body })
    expect(answer.body.issues).toHaveLength(3)
    expect(answer.body.message).toMatch(/and 2 more/)
  })

  test('vatom, eth and eos are bounded, in templates and variations, created or changed', async () => {
    const { publisher } = await testService()
    const large = { text: 'x'.repeat(limits.section) }
    const eth = { network: 'testnet', fields: { text: { type: 'string', value: 'x'.repeat(limits.eth) } } }
    await made(publisher, ['POST', '/v1/templates', template()], ['POST', '/v1/template_variations', variation()])
    const { vatom } = template({}, {}, large)
    const calls = [
      ['POST', '/v1/templates', template({ template: 'local.vatom::B' }, {}, large)],
      ['PATCH', read(), { vatom }],
      ['POST', '/v1/template_variations', variation({}, {}, large)],
      ['PATCH', `/v1/template_variations/${variationName}`, { vatom: { private: large } }],
    ] as const
    for (const [method, path, body] of calls) {
      const refused = (sent: object) => publisher.call(method, path, { body: sent })
      expect(await refused(body)).toMatchObject({ status: 400, body: { error: 516, issues: [{ path: 'vatom' }] } })
      const { vatom: _, ...rest } = body
      const small = method === 'POST' ? { ...body, vatom: template().vatom } : rest
      for (const chain of ['eth', 'eos'])
        expect(await refused({ ...small, [chain]: eth })).toMatchObject({
          status: 400,
          body: { error: 516, issues: [{ path: chain }] },
        })
    }
    expect(await publisher.call('POST', '/v1/publisher/face', { body: face({ config: large }) })).toMatchObject({
      status: 400,
      body: { issues: [{ path: '' }] },
    })
  })

  test('what is accepted with a warning is said in Vatom-Warning', async () => {
    const { publisher } = await testService()
    const body = template({ template: 'local.vatom::Coupon' })
    const { status, headers } = await publisher.call('POST', '/v1/templates', { body })
    expect(status).toBe(200)
    expect(headers['vatom-warning']).toMatch(/the name has no version/)
  })
})

describe('built-in properties', () => {
  const priced = (value: object) => ({ redeemable: true, commerce: { pricing: { pricingType: 'Fixed', value } } })

  test('§2.4 a redeemable vAtom has commerce, which may be empty', async () => {
    await refusedWith(template({}, { redeemable: true }), 'vatom.vAtom::vAtomType.redeemable')
    await stored(template({}, { redeemable: true, commerce: {} }))
  })

  test.each([4.5, '4.50', 1e-7, 1e21, -0.5, 5e-324])(
    '§2.4 a price of %j stands flat or under value; it is answered flat, as it was sent',
    async (price) => {
      const rest = { currency: 'EUR', valid_from: '*', valid_through: '2027-12-31', vat_included: true }
      for (const value of [{ ...rest, price }, { value: { ...rest, price } }]) {
        const { properties } = await stored(template({}, priced(value)))
        const value_ = { ...rest, price }
        expect(properties.template['vAtom::vAtomType'].commerce.pricing).toEqual({
          pricingType: 'Fixed',
          value: value_,
        })
      }
    },
  )

  test.each([
    [4.5, '4.5'],
    ['4.50', '4.50'],
    [1e-7, '0.0000001'],
    [-1.25e-7, '-0.000000125'],
    [1e21, '1000000000000000000000'],
    [1.5e21, '1500000000000000000000'],
    [0, '0'],
  ])('§2.4 vAtoms have a price of %j as the string %s', async (price, text) => {
    const { publisher } = await testService()
    const base = template({ unpublished: false }, priced({ currency: 'EUR', price }))
    const { ids } = await made(
      publisher,
      ['POST', '/v1/templates', base],
      ['POST', '/v1/template_variations', variation()],
      ['POST', '/v1/vatoms', { template_variation: variationName, num: 1 }],
    )
    const { payload } = await publisher.call('GET', `/v1/vatoms/${ids[0]}`)
    expect(payload['vAtom::vAtomType'].commerce.pricing.value.price).toBe(text)
    const { properties } = (await publisher.call('GET', `/v1/template_variations/${variationName}`)).payload
    expect(properties.template_variation['vAtom::vAtomType'].commerce.pricing.value.price).toBe(text)
  })

  test('§2.4 pricing is Fixed, in a fiat currency, with ISO dates', async () => {
    const at = 'vatom.vAtom::vAtomType.commerce.pricing'
    await refusedWith(template({}, { commerce: { pricing: { pricingType: 'Free' } } }), `${at}.pricingType`)
    for (const currency of ['EURO', 'XAU', 'XTS', 'XXX', 'CHE'])
      await refusedWith(template({}, priced({ currency })), `${at}.value.currency`)
    for (const currency of ['XAF', 'XCD', 'XPF', 'ZWG']) await stored(template({}, priced({ currency, price: 1 })))
    await refusedWith(template({}, priced({ valid_from: 'today' })), `${at}.value.valid_from`)
    await refusedWith(template({}, priced({ price: 'much' })), `${at}.value.price`)
  })

  test('§2.4 a state is Activated with the string true or false', async () => {
    const state = (name: string, value: unknown) => ({ states: [{ name, value: { type: 'boolean', value } }] })
    const { properties } = await stored(template({}, state('Activated', 'false')))
    expect(properties.template['vAtom::vAtomType'].states[0].value.value).toBe('false')
    await refusedWith(template({}, state('Asleep', 'true')), 'vatom.vAtom::vAtomType.states[0].name')
    await refusedWith(template({}, state('Activated', true)), 'vatom.vAtom::vAtomType.states[0].value.value')
  })

  test('§2.4 without a state the default Activated one is assigned', async () => {
    const { properties } = await stored(template({}, { states: [] }))
    expect(properties.template['vAtom::vAtomType'].states).toMatchObject([{ name: 'Activated' }])
  })

  test('§2.4 resources have names of their own', async () => {
    const resources = [resource('Icon'), resource('Icon')]
    await refusedWith(template({}, { resources }), 'vatom.vAtom::vAtomType.resources[1].name')
  })

  test('§2.4 visibility is owner, public or container, and * alone', async () => {
    for (const type of ['owner', 'public', 'container']) {
      const { properties } = await stored(template({}, { visibility: { type } }))
      expect(properties.template['vAtom::vAtomType'].visibility).toEqual({ type, value: '*' })
    }
    await refusedWith(template({}, { visibility: { type: 'all' } }), 'vatom.vAtom::vAtomType.visibility.type')
    await refusedWith(template({}, { visibility: { value: 'x' } }), 'vatom.vAtom::vAtomType.visibility.value')
  })

  test('§2.4 query and child_policy stand only in their containers', async () => {
    await refusedWith(template({}, { query: {} }), 'vatom.vAtom::vAtomType.query')
    await refusedWith(template({}, { child_policy: [] }), 'vatom.vAtom::vAtomType.child_policy')
    await stored(template({}, { root_type: 'vAtom::vAtomType::DiscoverContainerType', query: { limit: 5 } }))
  })

  test('§2.4 private is free', async () => {
    const custom = { colour: 'red', steps: [1, { two: null }], states: [{ name: 'mine' }] }
    expect((await stored(template({}, {}, custom))).properties.template.private).toEqual(custom)
  })
})

describe('eth', () => {
  const eth = (fields: object, more: object = {}) => template({ eth: { network: 'testnet', fields, ...more } })

  test('§2.3 values are of their declared type, also when written as strings', async () => {
    const fields = {
      open: { type: 'bool', value: 'true' },
      count: { type: 'uint', value: '7' },
      huge: { type: 'uint', value: '340282366920938463463374607431768211455' },
      word: { type: 'string', value: 'x' },
    }
    expect((await stored(eth(fields))).properties.eth.fields).toEqual({
      open: { type: 'bool', value: true },
      count: { type: 'uint', value: 7 },
      huge: fields.huge,
      word: fields.word,
    })
  })

  test('§2.3 without a symbol the domain name of the publisher is used', async () => {
    expect((await stored(eth({}))).properties.eth.symbol).toBe('local.vatom')
    expect((await stored(eth({}, { symbol: 'CPN' }))).properties.eth.symbol).toBe('CPN')
  })

  test('§2.3 network and fields are required, types known, values of their type', async () => {
    await refusedWith(template({ eth: { fields: {} } }), 'eth.network')
    await refusedWith(template({ eth: { network: 'testnet' } }), 'eth.fields')
    await refusedWith(eth({ a: { type: 'uint', value: -1 } }), 'eth.fields.a.value')
    await refusedWith(eth({ a: { type: 'bool', value: 'yes' } }), 'eth.fields.a.value')
    await refusedWith(eth({}, { network: 'moonnet' }), 'eth.network')
  })
})

describe('sections for chains, of a draft', () => {
  const eth = { network: 'testnet', fields: { count: { type: 'uint', value: '7' } } }
  const eos = { network: 'veos-test', fields: { open: { type: 'bool', value: 'true' } } }
  const kept = {
    eth: { network: 'testnet', symbol: 'local.vatom', fields: { count: { type: 'uint', value: 7 } } },
    eos: { network: 'veos-test', fields: { open: { type: 'bool', value: true } } },
  }

  test('an eos section is stored beside eth, values of their declared type, with a warning', async () => {
    const { publisher } = await testService()
    const { headers } = await publisher.call('POST', '/v1/templates', { body: template({ eth, eos }) })
    expect(headers['vatom-warning']).toMatch(/no eos section/)
    expect((await publisher.call('GET', read())).payload.properties).toMatchObject(kept)
  })

  test('an update replaces a section, null takes it away, and one that is not sent stays', async () => {
    const { publisher } = await testService()
    await made(publisher, ['POST', '/v1/templates', template()])
    const update = async (body: object) => {
      const { status, headers } = await publisher.call('PATCH', read(), { body })
      expect(status).toBe(200)
      const { properties } = (await publisher.call('GET', read())).payload
      return { warning: headers['vatom-warning'], eth: properties.eth, eos: properties.eos }
    }
    expect(await update({ eth, eos })).toEqual({ ...kept, warning: expect.stringContaining('no eos section') })
    expect(await update({ eth: { ...eth, fields: {} } })).toEqual({
      eth: { ...kept.eth, fields: {} },
      eos: kept.eos,
      warning: undefined,
    })
    expect(await update({ public: true })).toMatchObject({ eth: { fields: {} }, eos: kept.eos })
    expect(await update({ eos: null, eth })).toEqual({ eth: kept.eth, eos: undefined, warning: undefined })
    expect(await update({ eth: null })).toEqual({ eth: undefined, eos: undefined, warning: undefined })
  })
})

describe('life', () => {
  test('§3 a draft can be changed: a field that is sent replaces the stored one', async () => {
    const { publisher, advance } = await testService()
    await made(publisher, ['POST', '/v1/templates', template({ public: true }, { title: 'A', category: 'Coupons' })])
    advance(60)
    const changed = template({}, { title: 'B' }).vatom
    await made(publisher, ['PATCH', read(), { vatom: changed, cloneable: true }])
    const { payload } = await publisher.call('GET', read())
    expect(payload).toMatchObject({
      public: true,
      meta: { when_created: '2027-03-01T12:00:00Z', when_modified: '2027-03-01T12:01:00Z' },
      properties: { cloneable: true, unpublished: true },
    })
    expect(payload.properties.template['vAtom::vAtomType']).toMatchObject({ title: 'B' })
    expect(payload.properties.template['vAtom::vAtomType']).not.toHaveProperty('category')
  })

  test('§3 an update with unpublished false publishes, which is final', async () => {
    const { publisher } = await testService()
    await made(publisher, ['POST', '/v1/templates', template()], ['PATCH', read(), { unpublished: true }])
    expect(await made(publisher, ['PATCH', read(), { unpublished: false }])).toEqual({
      success_message: 'Template local.vatom::Coupon::v1 published.',
    })
    for (const body of [{ unpublished: false }, { unpublished: true }, { public: true }, {}])
      expect(await publisher.call('PATCH', read(), { body })).toMatchObject({ status: 400, body: { error: 9005 } })
  })

  test('§4.6 a draft can be deleted, with its faces and actions', async () => {
    const { publisher } = await testService()
    const belongings = ['face', 'action'].map((kind) => `/v1/publisher/${kind}?template=${templateName}`)
    const owned = async () =>
      (await Promise.all(belongings.map((path) => publisher.call('GET', path)))).map(({ payload }) => payload.length)
    await made(publisher, ['POST', '/v1/templates', template()], ['POST', '/v1/publisher/face', face()])
    await made(publisher, ['POST', '/v1/publisher/action', action()])
    expect(await owned()).toEqual([1, 1])
    await made(publisher, ['DELETE', read()])
    expect(await publisher.call('GET', read())).toMatchObject({ status: 404, body: { error: 9007 } })
    await made(publisher, ['POST', '/v1/templates', template()])
    expect(await owned()).toEqual([0, 0])
    await made(publisher, ['POST', '/v1/publisher/action', action()])
  })

  test('§4.6 a published template cannot be deleted', async () => {
    const { publisher } = await testService()
    await made(publisher, ['POST', '/v1/templates', template({ unpublished: false })])
    expect(await publisher.call('DELETE', read())).toMatchObject({ status: 400, body: { error: 9005 } })
  })

  test('§3 a draft is deleted with its variations and what was emitted from them', async () => {
    const { publisher } = await testService()
    const second = `${templateName}::Silver`
    await made(
      publisher,
      ['POST', '/v1/templates', template()],
      ['POST', '/v1/template_variations', variation()],
      ['POST', '/v1/template_variations', variation({ template_variation: second })],
    )
    const { ids } = await made(publisher, ['POST', '/v1/vatoms', { template_variation: second, num: 2 }])
    expect(await made(publisher, ['DELETE', read()])).toEqual({
      success_message: `Template ${templateName} deleted with 2 variations and 2 vAtoms.`,
    })
    for (const path of [read(), `/v1/template_variations/${variationName}`, `/v1/vatoms/${ids[0]}`])
      expect(await publisher.call('GET', path)).toMatchObject({ status: 404 })
    await made(publisher, ['POST', '/v1/templates', template()])
    expect((await publisher.call('GET', '/v1/template_variations')).payload).toEqual([])
  })

  test('§3 a published template stays, with all of it', async () => {
    const { publisher } = await testService()
    await made(
      publisher,
      ['POST', '/v1/templates', template({ unpublished: false })],
      ['POST', '/v1/template_variations', variation()],
    )
    expect(await publisher.call('DELETE', read())).toMatchObject({ status: 400, body: { error: 9005 } })
    expect(await publisher.call('GET', `/v1/template_variations/${variationName}`)).toMatchObject({ status: 200 })
  })

  test('a change is held against the rules', async () => {
    const { publisher } = await testService()
    await made(publisher, ['POST', '/v1/templates', template()])
    const body = { vatom: template({}, { redeemable: true }).vatom }
    expect(await publisher.call('PATCH', read(), { body })).toMatchObject({ status: 400, body: { error: 516 } })
  })

  test('what a path names is settled before the body is read', async () => {
    const { publisher } = await testService()
    expect(await publisher.call('PATCH', read(), { raw: '{' })).toMatchObject({ status: 404 })
  })
})

describe('reading', () => {
  test.each([true, false])(
    '§2.2 a public template is readable by everybody, signed in or not; unpublished: %j',
    async (unpublished) => {
      const { publisher, other, bob, send } = await twoPublishers()
      await made(publisher, ['POST', '/v1/templates', template({ public: true, unpublished })])
      const { payload } = await publisher.call('GET', read())
      for (const answer of [await other.call('GET', read()), await bob.call('GET', read()), await send('GET', read())])
        expect(answer).toMatchObject({ status: 200, payload })
      expect(await send('GET', read(), { headers: { 'app-id': '' } })).toMatchObject({
        status: 403,
        body: { error: 2 },
      })
      const headers = { authorization: 'Bearer expired' }
      expect(await send('GET', read(), { headers })).toMatchObject({ status: 403, body: { error: 401 } })
      expect(await send('PATCH', read(), { body: {} })).toMatchObject({ status: 403, body: { error: 401 } })
    },
  )

  test('§5 without a token nobody learns whether a template that is not public exists', async () => {
    const { publisher, send, other, bob } = await twoPublishers()
    await made(publisher, ['POST', '/v1/templates', template({ unpublished: false })])
    for (const name of [templateName, 'local.vatom::None::v1'])
      expect(await send('GET', read(name))).toMatchObject({ status: 403, body: { error: 401 } })
    for (const reader of [other, bob])
      expect(await reader.call('GET', read())).toMatchObject({ status: 403, body: { error: 9002 } })
  })

  test('a user of the domain who is no administrator reads as everybody does', async () => {
    const { publisher, send, register } = await testService({}, 'over HTTP')
    const bob = await register('bob@example.com')
    await made(publisher, ['POST', '/v1/templates', template({ unpublished: false })])
    const rights = (body: object) => send('PATCH', `/__vatom/users/${bob.id}`, { body })
    await rights({ pub_fqdn: 'local.vatom' })
    expect(await bob.call('GET', read())).toMatchObject({ status: 403, body: { error: 9002 } })
    await rights({ is_admin: true })
    expect(await bob.call('GET', read())).toMatchObject({ status: 200 })
  })

  test("another publisher's records are read only", async () => {
    const { publisher, other } = await twoPublishers()
    await made(
      publisher,
      ['POST', '/v1/templates', template({ unpublished: false })],
      ['POST', '/v1/template_variations', variation({ unpublished: false })],
    )
    const foreign = { ...variation(), template_variation: 'other.example::V' }
    const refused = await Promise.all([
      other.call('PATCH', read(), { body: { public: true } }),
      other.call('DELETE', read()),
      other.call('GET', `/v1/template_variations/${variationName}`),
      other.call('PATCH', `/v1/template_variations/${variationName}`, { body: {} }),
      other.call('POST', '/v1/template_variations', { body: foreign }),
      other.call('POST', '/v1/publisher/face', { body: face() }),
      other.call('POST', '/v1/vatoms', { body: { template_variation: variationName, num: 1 } }),
    ])
    for (const answer of refused) expect(answer).toMatchObject({ status: 403, body: { error: 9002 } })
  })

  test("the list has one's own and others' public templates, by name, names alone", async () => {
    const { publisher, other } = await twoPublishers()
    const named = (template: string, fields: object) => ({ template, ...fields })
    for (const name of ['local.vatom::B', 'local.vatom::A'])
      await made(publisher, ['POST', '/v1/templates', template(named(name, {}))])
    await made(other, [
      'POST',
      '/v1/templates',
      template(named('other.example::Open', { public: true, unpublished: false })),
    ])
    await made(other, ['POST', '/v1/templates', template(named('other.example::Draft', { public: true }))])
    expect((await publisher.call('GET', '/v1/templates')).payload).toEqual([
      { name: 'local.vatom::A' },
      { name: 'local.vatom::B' },
      { name: 'other.example::Open' },
    ])
  })

  test('the list is paged, and answers the fields asked for', async () => {
    const { publisher } = await testService()
    for (const n of [1, 2, 3])
      await made(publisher, ['POST', '/v1/templates', template({ template: `local.vatom::${n}` })])
    const list = async (query: string) => (await publisher.call('GET', `/v1/templates?${query}`)).payload
    expect(await list('limit=2&page=2')).toEqual([{ name: 'local.vatom::3' }])
    expect(await list('limit=2&page=0')).toHaveLength(2)
    expect(await list('limit=0')).toHaveLength(3)
    expect(await list('limit=1&fields=public,properties(publisher_fqdn,nothing),none')).toEqual([
      { public: false, properties: { publisher_fqdn: 'local.vatom' } },
    ])
  })

  test.each([
    'fields=',
    'fields=a,',
    'fields=a(',
    'fields=a)',
    'fields=a(b',
    'fields=()',
    'limit=-1',
    'page=x',
    'limit=1&limit=2',
    `fields=${'a('.repeat(500)}`,
  ])('a list refuses %s', async (query) => {
    const { publisher } = await testService()
    expect(await publisher.call('GET', `/v1/templates?${query}`)).toMatchObject({ status: 400, body: { error: 516 } })
  })
})
