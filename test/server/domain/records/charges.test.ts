import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { dryRunDetails } from '../../../../src/contract/api/dry-run.ts'
import { requestDetails } from '../../../../src/contract/api/envelope.ts'
import { notOffered } from '../../../../src/contract/api/not-offered.ts'
import { socketDetails } from '../../../../src/contract/api/socket.ts'
import { operations } from '../../../../src/contract/api/table.ts'
import { chargedQuery } from '../../../../src/server/store/chain-writes.ts'
import { openDatabase } from '../../../../src/server/store/database/open-database.ts'
import { template, templateName, variation, variationName } from '../../../fixtures/bodies.ts'
import { newDatabase } from '../../../support/folders.ts'
import { answerOf, type Caller, doors, made, testService } from '../../../support/service.ts'
import { twoPublishers } from '../../../support/worlds.ts'

type Options = NonNullable<Parameters<typeof testService>[0]>
type World = Awaited<ReturnType<typeof testService>>

/** The service's own routes, which are served over HTTP alone. */
async function ownRoutes({ service }: Pick<World, 'service'>) {
  const { baseUrl } = await service.listen({ host: '127.0.0.1', port: 0 })
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(baseUrl + path, init)
    return answerOf(response.status, Object.fromEntries(response.headers), await response.text())
  }
  return {
    ask,
    ledger: async (query = '') => (await ask(`/__vatom/ledger${query}`)).payload,
    balanceOf: async (publisher = 'local.vatom') => {
      const { payload } = await ask('/__vatom/balance')
      return payload.find((one: { publisher_fqdn: string }) => one.publisher_fqdn === publisher)
    },
  }
}

async function world(options: Options = {}, door: (typeof doors)[number] = 'in process') {
  const opened = await testService(options, door)
  return { ...opened, ...(await ownRoutes(opened)) }
}

const uint = (value: unknown) => ({ type: 'uint', value })
const bool = (value: unknown) => ({ type: 'bool', value })
const eth = (fields: object, more: object = {}) => ({ eth: { network: 'mainnet', fields, ...more } })
const testnet = { network: 'testnet' }

const templates = '/v1/templates'
const variations = '/v1/template_variations'
const ofTemplate = `${templates}/${templateName}`
const ofVariation = `${variations}/${variationName}`

/** What was written of each subject, in short: `contract`, or `field = value`. */
const inShort = (entries: readonly Record<string, unknown>[]) =>
  entries.map(({ subject, entry, field, value }) => [
    subject === templateName ? 'template' : 'variation',
    entry === 'contract' ? entry : `${field} = ${JSON.stringify(value)}`,
  ])

/** What a request writes to the ledger. */
async function writesOf(
  { ledger }: Pick<Awaited<ReturnType<typeof world>>, 'ledger'>,
  request: () => Promise<unknown>,
) {
  const before = (await ledger()).length
  await request()
  return (await ledger()).slice(before)
}

describe.each(doors)('%s', (door) => {
  test('§2.3 creating a draft with an eth section writes its contract and each field, charged on mainnet', async () => {
    const { publisher, ledger } = await world({}, door)
    await made(publisher, ['POST', templates, template(eth({ serial: uint('7'), rare: bool(true) }))])
    const entry = {
      when_written: '2027-03-01T12:00:00Z',
      publisher_fqdn: 'local.vatom',
      subject: templateName,
      network: 'mainnet',
      symbol: 'local.vatom',
    }
    expect(await ledger()).toEqual([
      { seq: 1, ...entry, entry: 'contract', units: 100 },
      { seq: 2, ...entry, entry: 'field', field: 'serial', type: 'uint', value: 7, units: 10 },
      { seq: 3, ...entry, entry: 'field', field: 'rare', type: 'bool', value: true, units: 10 },
    ])
  })

  test('what the balance does not cover is refused with what it needs and what is left, and nothing changes', async () => {
    const { publisher, ledger, balanceOf } = await world({ balance: 225 }, door)
    await made(publisher, ['POST', templates, template(eth({ serial: uint(7) }))])
    const before = [await ledger(), await balanceOf()]
    const name = 'local.vatom::Other::v1'
    const body = template({ template: name, ...eth({ a: uint(1), b: uint(2) }) })
    expect(await publisher.call('POST', templates, { body })).toMatchObject({
      status: 400,
      body: {
        error: 9018,
        message: 'the balance does not cover the chain writes: they need 120 units, and 115 are left',
        issues: [{ path: 'eth' }],
      },
    })
    expect([await ledger(), await balanceOf()]).toEqual(before)
    expect(await publisher.call('GET', `${templates}/${name}`)).toMatchObject({ status: 404 })
    expect(await publisher.call('POST', templates, { body: template({ template: name }) })).toMatchObject({
      status: 200,
    })
  })

  test('of two creations at once, of which the balance covers one, exactly one succeeds', async () => {
    const { publisher, ledger, balanceOf } = await world({ balance: 150 }, door)
    const body = (name: string) => template({ template: `local.vatom::${name}`, ...eth({}) })
    const answers = await Promise.all(['A', 'B'].map((name) => publisher.call('POST', templates, { body: body(name) })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(await ledger()).toHaveLength(1)
    expect(await balanceOf()).toMatchObject({ charged: 100, balance: 50 })
    const listed = await publisher.call('GET', templates)
    expect(listed.payload).toEqual([{ name: answers[0]?.status === 200 ? 'local.vatom::A' : 'local.vatom::B' }])
  })
})

describe('§2.3 of a template', () => {
  test('testnet is written and costs nothing, whatever the balance is', async () => {
    const { publisher, ledger, balanceOf } = await world({ balance: 0 })
    await made(publisher, ['POST', templates, template(eth({ a: uint(1) }, testnet))])
    expect(await ledger()).toMatchObject([
      { network: 'testnet', entry: 'contract', units: 0 },
      { network: 'testnet', entry: 'field', units: 0 },
    ])
    expect(await balanceOf()).toEqual({ publisher_fqdn: 'local.vatom', granted: 0, charged: 0, balance: 0 })
  })

  test('the balance over time falls with each charge, from what was granted', async () => {
    const { publisher, ask, advance, service } = await world({ balance: 200 })
    const history = async () => (await ask('/__vatom/balance/history')).payload
    expect(await history()).toEqual([])
    await made(publisher, ['POST', templates, template(eth({ a: uint(1) }))])
    advance(60)
    const headers = { authorization: `Bearer ${service.localToken()}` }
    await publisher.call('PATCH', ofTemplate, { body: eth({ a: uint(2) }), headers })
    const when = '2027-03-01T12:00:00Z'
    expect(await history()).toEqual([
      {
        publisher_fqdn: 'local.vatom',
        granted: 200,
        writes: 3,
        points: [
          { when, balance: 100 },
          { when, balance: 90 },
          { when: '2027-03-01T12:01:00Z', balance: 80 },
        ],
      },
    ])
  })

  test('without an eth section nothing is written, neither of an eos section', async () => {
    const { publisher, ledger } = await world()
    const eos = { network: 'veos-test', fields: { a: uint(1) } }
    await made(publisher, ['POST', templates, template({ eos })], ['PATCH', ofTemplate, { public: true }])
    expect(await ledger()).toEqual([])
  })

  test('an entry has the symbol that the contract has', async () => {
    const { publisher, ledger } = await world()
    await made(publisher, ['POST', templates, template(eth({}, { symbol: 'CUP' }))])
    expect(await ledger()).toMatchObject([{ symbol: 'CUP' }])
  })

  test('publishing writes nothing new, at once or later', async () => {
    const opened = await world()
    const { publisher } = opened
    const create = (fields: object) => () => made(publisher, ['POST', templates, template(fields)])
    const published = { template: 'local.vatom::Other::v1', unpublished: false }
    expect(await writesOf(opened, create({ ...published, ...eth({ a: uint(1) }) }))).toHaveLength(2)
    expect(await writesOf(opened, create(eth({ a: uint(1) })))).toHaveLength(2)
    expect(await writesOf(opened, () => made(publisher, ['PATCH', ofTemplate, { unpublished: false }]))).toEqual([])
  })

  test.each<[string, object, readonly string[]]>([
    ['what stays as it is, in other words: nothing', eth({ a: uint('1'), b: bool('true') }), []],
    ['a new value: its field', eth({ a: uint(2), b: bool(true) }), ['a = 2']],
    ['a new field: it', eth({ a: uint(1), b: bool(true), c: uint(3) }), ['c = 3']],
    ['a field that is gone: null', eth({ b: bool(true) }), ['a = null']],
    ['another network: a contract and every field', eth({ a: uint(1) }, testnet), ['contract', 'a = 1']],
    ['another symbol: a contract and every field', eth({ a: uint(1) }, { symbol: 'X' }), ['contract', 'a = 1']],
    ['the section taken away: nothing', { eth: null }, []],
    ['something else: nothing', { public: true }, []],
    [
      'publishing with a new value: its field',
      { unpublished: false, ...eth({ a: uint(2), b: bool(true) }) },
      ['a = 2'],
    ],
  ])('a draft changed in %s', async (_what, body, writes) => {
    const opened = await world()
    await made(opened.publisher, ['POST', templates, template(eth({ a: uint(1), b: bool(true) }))])
    const entries = await writesOf(opened, () => made(opened.publisher, ['PATCH', ofTemplate, body]))
    expect(inShort(entries)).toEqual(writes.map((write) => ['template', write]))
  })

  test('an entry of a field that is gone has the type it had', async () => {
    const { publisher, ledger } = await world()
    await made(publisher, ['POST', templates, template(eth({ a: bool(true) }))], ['PATCH', ofTemplate, eth({})])
    expect((await ledger())[2]).toMatchObject({ entry: 'field', field: 'a', type: 'bool', value: null, units: 10 })
  })

  test('a section given again after it was taken away has a new contract', async () => {
    const opened = await world()
    const { publisher } = opened
    await made(publisher, ['POST', templates, template(eth({ a: uint(1) }))], ['PATCH', ofTemplate, { eth: null }])
    const entries = await writesOf(opened, () => made(publisher, ['PATCH', ofTemplate, eth({ a: uint(1) })]))
    expect(inShort(entries)).toEqual([
      ['template', 'contract'],
      ['template', 'a = 1'],
    ])
  })

  test('deleting a draft leaves its entries, and one of its name has a new contract', async () => {
    const { publisher, ledger, balanceOf } = await world()
    const create = ['POST', templates, template(eth({}))] as const
    await made(publisher, create, ['DELETE', ofTemplate], create)
    expect(await ledger()).toMatchObject([{ entry: 'contract' }, { entry: 'contract' }])
    expect(await balanceOf()).toMatchObject({ charged: 200 })
  })

  test('a time is that of its change', async () => {
    const { publisher, ledger, advance } = await world()
    await made(publisher, ['POST', templates, template(eth({ a: uint(1) }))])
    advance(60)
    await made(publisher, ['PATCH', ofTemplate, eth({ a: uint(2) })])
    expect((await ledger())[2]).toMatchObject({ when_written: '2027-03-01T12:01:00Z' })
  })
})

describe('§2.5 of a variation', () => {
  const base = template(eth({ a: uint(1), b: bool(true) }))
  const own = variation(eth({ a: uint(5) }))

  test('one without a section of its own has no contract', async () => {
    const opened = await world()
    const { publisher } = opened
    await made(publisher, ['POST', templates, base])
    const entries = await writesOf(opened, () =>
      made(publisher, ['POST', variations, variation()], ['PATCH', ofTemplate, eth({ a: uint(2), b: bool(true) })]),
    )
    expect(inShort(entries)).toEqual([['template', 'a = 2']])
    expect((await publisher.call('GET', ofVariation)).payload.properties.template_variation.eth.fields.a.value).toBe(2)
  })

  test('one with a section of its own has a contract of its own, with the resolved fields', async () => {
    const opened = await world()
    const { publisher } = opened
    await made(publisher, ['POST', templates, template(eth({ a: uint(1), b: bool(true) }, { symbol: 'CUP' }))])
    const entries = await writesOf(opened, () => made(publisher, ['POST', variations, own]))
    const entry = { subject: variationName, publisher_fqdn: 'local.vatom', network: 'mainnet', symbol: 'CUP' }
    expect(entries).toMatchObject([
      { ...entry, entry: 'contract', units: 100 },
      { ...entry, field: 'a', value: 5, units: 10 },
      { ...entry, field: 'b', value: true, units: 10 },
    ])
  })

  test('its network decides what it costs, not its template’s', async () => {
    const opened = await world()
    const { publisher } = opened
    await made(publisher, ['POST', templates, base])
    const create = () => made(publisher, ['POST', variations, variation(eth({}, testnet))])
    expect(await writesOf(opened, create)).toMatchObject([{ units: 0 }, { units: 0 }, { units: 0 }])
  })

  test.each<[string, object, readonly string[]]>([
    ['a new value of its own', eth({ a: uint(6) }), ['a = 6']],
    ['a value that is the template’s again', eth({}), ['a = 1']],
    ['the same value, said outright', eth({ a: uint(5), b: bool(true) }), []],
    ['another network', eth({ a: uint(5) }, testnet), ['contract', 'a = 5', 'b = true']],
    ['its section taken away', { eth: null }, []],
    ['something else', { vatom: { 'vAtom::vAtomType': { title: 'B' } } }, []],
  ])('a draft changed in %s', async (_what, body, writes) => {
    const opened = await world()
    const { publisher } = opened
    await made(publisher, ['POST', templates, base], ['POST', variations, own])
    const entries = await writesOf(opened, () => made(publisher, ['PATCH', ofVariation, body]))
    expect(inShort(entries)).toEqual(writes.map((write) => ['variation', write]))
  })

  test('publishing writes nothing new', async () => {
    const opened = await world()
    const { publisher } = opened
    await made(publisher, ['POST', templates, base], ['POST', variations, own])
    const publish = { unpublished: false }
    const entries = await writesOf(opened, () =>
      made(publisher, ['PATCH', ofTemplate, publish], ['PATCH', ofVariation, publish]),
    )
    expect(entries).toEqual([])
  })

  test('a section given later, or again, has a new contract', async () => {
    const opened = await world()
    const { publisher } = opened
    await made(publisher, ['POST', templates, base], ['POST', variations, variation()])
    const give = () => made(publisher, ['PATCH', ofVariation, eth({ a: uint(5) })])
    const contract = ['contract', 'a = 5', 'b = true'].map((write) => ['variation', write])
    expect(inShort(await writesOf(opened, give))).toEqual(contract)
    await made(publisher, ['PATCH', ofVariation, { eth: null }])
    expect(inShort(await writesOf(opened, give))).toEqual(contract)
  })

  test.each<[string, object, readonly (readonly [string, string])[]]>([
    [
      'a value that both have is written to both',
      eth({ a: uint(1), b: bool(false) }),
      [
        ['template', 'b = false'],
        ['variation', 'b = false'],
      ],
    ],
    [
      'a value that the variation overwrites is written to the template’s alone',
      eth({ a: uint(2), b: bool(true) }),
      [['template', 'a = 2']],
    ],
    [
      'a new field is written to both',
      eth({ a: uint(1), b: bool(true), c: uint(3) }),
      [
        ['template', 'c = 3'],
        ['variation', 'c = 3'],
      ],
    ],
    [
      'a new symbol makes both a contract',
      eth({ a: uint(1), b: bool(true) }, { symbol: 'X' }),
      [
        ['template', 'contract'],
        ['template', 'a = 1'],
        ['template', 'b = true'],
        ['variation', 'contract'],
        ['variation', 'a = 5'],
        ['variation', 'b = true'],
      ],
    ],
    [
      'another network is the template’s alone',
      eth({ a: uint(1), b: bool(true) }, testnet),
      [
        ['template', 'contract'],
        ['template', 'a = 1'],
        ['template', 'b = true'],
      ],
    ],
  ])('it follows its template: %s', async (_what, body, writes) => {
    const opened = await world()
    const { publisher } = opened
    await made(publisher, ['POST', templates, base], ['POST', variations, own])
    const entries = await writesOf(opened, () => made(publisher, ['PATCH', ofTemplate, body]))
    expect(inShort(entries)).toEqual(writes)
  })
})

describe('the balance', () => {
  test('covers what takes all of it, and nothing more', async () => {
    const { publisher, balanceOf } = await world({ balance: 120 })
    await made(publisher, ['POST', templates, template(eth({ a: uint(1), b: uint(2) }))])
    expect(await balanceOf()).toMatchObject({ charged: 120, balance: 0 })
    expect(await publisher.call('PATCH', ofTemplate, { body: eth({ a: uint(2), b: uint(2) }) })).toMatchObject({
      body: { error: 9018, message: expect.stringMatching(/need 10 units, and 0 are left/) },
    })
    await made(publisher, ['PATCH', ofTemplate, eth({}, testnet)], ['PATCH', ofTemplate, { unpublished: false }])
  })

  /** A draft template and a draft variation of it, both with a contract; the balance covers no more than 15 units. */
  async function nearlySpent() {
    const opened = await world({ balance: 235 })
    const { publisher, ledger } = opened
    await made(publisher, ['POST', templates, template(eth({ a: uint(1) }))], ['POST', variations, variation(eth({}))])
    const state = async () => [
      (await publisher.call('GET', ofTemplate)).payload,
      (await publisher.call('GET', ofVariation)).payload,
      await ledger(),
    ]
    return { ...opened, state }
  }

  test.each<[string, string, string, object, RegExp]>([
    [
      'a variation created',
      'POST',
      variations,
      { ...variation(eth({})), template_variation: `${templateName}::B` },
      /110 .* 15 /,
    ],
    ['a variation changed', 'PATCH', ofVariation, eth({}, { symbol: 'X' }), /110 .* 15 /],
    ['a template changed', 'PATCH', ofTemplate, eth({ a: uint(1), b: uint(2), c: uint(3) }), /40 .* 15 /],
    ['a template whose variation follows', 'PATCH', ofTemplate, eth({ a: uint(2) }), /20 .* 15 /],
  ])('refuses %s as a whole', async (_what, method, path, body, message) => {
    const { publisher, state } = await nearlySpent()
    const before = await state()
    expect(await publisher.call(method, path, { body })).toMatchObject({
      status: 400,
      body: { error: 9018, message: expect.stringMatching(message), issues: [{ path: 'eth' }] },
    })
    expect(await state()).toEqual(before)
    expect(await publisher.call('GET', `${variations}/${templateName}::B`)).toMatchObject({ status: 404 })
  })

  test('covers a template whose variation does not follow', async () => {
    const { publisher } = await nearlySpent()
    await made(publisher, ['PATCH', ofVariation, { eth: null }], ['PATCH', ofTemplate, eth({ a: uint(2) })])
  })

  test('a change that is refused for another reason is not charged', async () => {
    const { publisher, ledger } = await world()
    await made(publisher, ['POST', templates, template(eth({ a: uint(1) }))], ['POST', variations, variation(eth({}))])
    const before = await ledger()
    for (const [method, path, body, error] of [
      ['POST', templates, template(eth({ a: uint(2) })), 9004],
      ['POST', variations, variation(eth({})), 9004],
      ['POST', variations, { ...variation(eth({ z: uint(1) })), template_variation: `${templateName}::B` }, 9011],
      ['PATCH', ofVariation, { unpublished: false, ...eth({ a: uint(2) }) }, 9010],
      ['PATCH', ofTemplate, { eth: null }, 9011],
    ] as const)
      expect(await publisher.call(method, path, { body })).toMatchObject({ status: 400, body: { error } })
    expect(await ledger()).toEqual(before)
  })

  test('is each publisher’s own', async () => {
    const opened = await twoPublishers()
    const { ledger, balanceOf } = await ownRoutes(opened)
    const create = (caller: Caller, name: string, fields: object) =>
      made(caller, ['POST', templates, template({ template: name, ...eth(fields) })])
    await create(opened.publisher, templateName, { a: uint(1) })
    await create(opened.other, 'other.example::A::v1', {})
    expect(await balanceOf()).toMatchObject({ charged: 110 })
    expect(await balanceOf('other.example')).toMatchObject({ charged: 100, balance: 999_900 })
    expect(await ledger('?publisher=other.example')).toMatchObject([{ seq: 3, subject: 'other.example::A::v1' }])
  })

  test('one publisher’s charges take nothing from another’s', async () => {
    const opened = await twoPublishers({ balance: 100 })
    const { balanceOf } = await ownRoutes(opened)
    await made(opened.publisher, ['POST', templates, template(eth({}))])
    await made(opened.other, ['POST', templates, template({ template: 'other.example::A::v1', ...eth({}) })])
    expect([await balanceOf(), await balanceOf('other.example')]).toMatchObject([{ balance: 0 }, { balance: 0 }])
  })

  test('the tariff is the service’s: any part of it can be set, and what is free needs no balance', async () => {
    const units = async (options: Options) => {
      const { publisher, ledger } = await world(options)
      await made(publisher, ['POST', templates, template(eth({ a: uint(1) }))])
      return (await ledger()).map((entry: { units: number }) => entry.units)
    }
    expect(await units({})).toEqual([100, 10])
    expect(await units({ tariff: { contract: 7 } })).toEqual([7, 10])
    expect(await units({ tariff: { field: 3 } })).toEqual([100, 3])
    expect(await units({ tariff: { contract: 0, field: 0 }, balance: 0 })).toEqual([0, 0])
  })

  test('outlives the process, and follows what is granted', async () => {
    const db = newDatabase()
    const first = await testService({ db, balance: 100 })
    await made(first.publisher, ['POST', templates, template(eth({}))])
    await first.service.close()
    const { publisher, ledger, balanceOf } = await world({ db, balance: 250 })
    expect(await ledger()).toHaveLength(1)
    expect(await balanceOf()).toEqual({ publisher_fqdn: 'local.vatom', granted: 250, charged: 100, balance: 150 })
    await made(publisher, ['PATCH', ofTemplate, eth({ a: uint(1) })])
    expect(await balanceOf()).toMatchObject({ charged: 110, balance: 140 })
  })

  test('once it is granted less than was charged covers only what is free', async () => {
    const db = newDatabase()
    const first = await testService({ db })
    await made(first.publisher, ['POST', templates, template(eth({ a: uint(1) }))])
    await first.service.close()
    const { publisher, balanceOf } = await world({ db, balance: 50 })
    expect(await balanceOf()).toEqual({ publisher_fqdn: 'local.vatom', granted: 50, charged: 110, balance: -60 })
    expect(await publisher.call('PATCH', ofTemplate, { body: eth({ a: uint(2) }) })).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/need 10 units, and 0 are left/) },
    })
    await made(publisher, ['PATCH', ofTemplate, eth({}, testnet)])
  })

  test('with strict spec what is charged stays charged', async () => {
    const { publisher, ledger } = await world({ strictSpec: true })
    await made(publisher, ['POST', templates, template(eth({}))])
    expect(await ledger()).toMatchObject([{ entry: 'contract', units: 100 }])
  })
})

describe('whatever is sent', () => {
  const types = { a: 'uint', b: 'bool', c: 'string' } as const
  const value = {
    a: fc.constantFrom<unknown>(0, 1, '007', '18446744073709551616', '018446744073709551616'),
    b: fc.constantFrom<unknown>(true, false, 'false'),
    c: fc.constantFrom<unknown>('', '1', 'null'),
  }
  const section = fc.record({
    network: fc.constantFrom('mainnet', 'mainnet', 'testnet'),
    symbol: fc.constantFrom(undefined, 'X'),
    fields: fc
      .record(value, { requiredKeys: [] })
      .map((found) =>
        Object.fromEntries(Object.entries(found).map(([key, one]) => [key, { type: typeOf(key), value: one }])),
      ),
  })
  const typeOf = (key: string) => types[key as keyof typeof types]
  const steps = fc.array(
    fc.record({ path: fc.constantFrom(ofTemplate, ofVariation), eth: fc.option(section, { freq: 4 }) }),
    { minLength: 1, maxLength: 12 },
  )

  /** What the entries of one subject come to: its last contract, with what was written to it. */
  function replayed(entries: readonly Record<string, unknown>[], name: string) {
    let contract: object = {}
    let fields: Record<string, unknown> = {}
    for (const { subject, network, symbol, entry, field, type, value: written } of entries) {
      if (subject !== name) continue
      if (entry === 'contract') {
        contract = { network, symbol }
        fields = {}
      } else if (written === null) delete fields[String(field)]
      else fields[String(field)] = { type, value: written }
    }
    return { ...contract, fields }
  }

  test('the ledger replayed is what stands, the balance is never negative, and a refusal changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 0, max: 900 }), async (sequence, balance) => {
        const opened = await testService({ balance })
        const { ledger, balanceOf } = await ownRoutes(opened)
        const { publisher } = opened
        await made(publisher, ['POST', templates, template()], ['POST', variations, variation()])
        const state = async () => ({
          template: (await publisher.call('GET', ofTemplate)).payload.properties,
          variation: (await publisher.call('GET', ofVariation)).payload.properties,
          entries: await ledger('?limit=1000'),
        })
        let before = await state()
        for (const { path, eth } of sequence) {
          const { status, body } = await publisher.call('PATCH', path, { body: { eth } })
          const after = await state()
          if (status !== 200) {
            expect([9011, 9018]).toContain(body.error)
            expect(after).toEqual(before)
          }
          if (after.template.eth) expect(replayed(after.entries, templateName)).toEqual(after.template.eth)
          if (after.variation.overrides.eth)
            expect(replayed(after.entries, variationName)).toEqual(after.variation.template_variation.eth)
          const charged = after.entries.reduce((sum: number, { units }: { units: number }) => sum + units, 0)
          expect(await balanceOf()).toMatchObject({ granted: balance, charged, balance: balance - charged })
          expect(balance - charged).toBeGreaterThanOrEqual(0)
          before = after
        }
        await opened.service.close()
      }),
      { numRuns: 12 },
    )
  })
})

describe('the database itself', () => {
  test.each(['UPDATE ledger SET units = 0', 'DELETE FROM ledger', "UPDATE ledger SET value = '8' WHERE seq = 1"])(
    'refuses: %s',
    async (sql) => {
      const db = await openDatabase(':memory:')
      onTestFinished(() => db.close())
      db.exec(
        "INSERT INTO ledger (publisher_fqdn, subject, network, symbol, entry, units, when_written) VALUES ('a', 'a::b', 'mainnet', 'a', 'contract', 100, '2027-03-01T12:00:00Z')",
      )
      const rows = () => db.prepare('SELECT * FROM ledger').all()
      const before = rows()
      expect(before).toHaveLength(1)
      expect(() => db.exec(sql)).toThrow(/append-only/)
      expect(rows()).toEqual(before)
    },
  )

  test('sums up what a publisher was charged from an index alone, past what was free', async () => {
    const db = await openDatabase(':memory:')
    onTestFinished(() => db.close())
    const steps = db.prepare(`EXPLAIN QUERY PLAN ${chargedQuery.sql()}`).all('local.vatom', 0)
    expect(steps.map((step) => String(Object(step).detail))).toEqual([
      'SEARCH ledger USING COVERING INDEX ledger_by_publisher (publisher_fqdn=? AND units>?)',
    ])
  })
})

describe('GET /__vatom/ledger', () => {
  const name = (n: number) => `local.vatom::T${String(n).padStart(3, '0')}::v1`
  async function stocked() {
    const opened = await world()
    const create = (n: number) => ['POST', templates, template({ template: name(n), ...eth({}, testnet) })] as const
    await made(opened.publisher, ...Array.from({ length: 105 }, (_, n) => create(n)))
    return opened
  }
  const seqs = (entries: readonly { seq: number }[]) => entries.map(({ seq }) => seq)
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n)

  test('is a page of the entries, oldest first, for anyone on this machine who asks', async () => {
    const { ledger } = await stocked()
    expect(seqs(await ledger())).toEqual(range(1, 100))
    expect(seqs(await ledger('?page=2'))).toEqual(range(101, 105))
    expect(seqs(await ledger('?limit=2&page=3'))).toEqual([5, 6])
    for (const all of ['limit=0', 'limit=1001', 'limit=1000&page=0', 'limit=1000&publisher=local.vatom'])
      expect(seqs(await ledger(`?${all}`))).toEqual(range(1, 105))
    expect(seqs(await ledger('?publisher=local.vatom&limit=2&page=2'))).toEqual([3, 4])
    expect(await ledger('?publisher=nobody.example')).toEqual([])
    expect(await ledger('?page=999999999')).toEqual([])
  })

  test('a page with long values is sent as it is read', async () => {
    const db = newDatabase()
    const { publisher, service } = await testService({ db })
    const text = { type: 'string', value: 'x'.repeat(7000) }
    await made(publisher, ['POST', templates, template(eth({ a: text }, testnet))])
    await service.close()
    const sqlite = await openDatabase(db)
    for (let count = 2; count < 256; count *= 2)
      sqlite.exec(
        'INSERT INTO ledger SELECT NULL, publisher_fqdn, subject, network, symbol, entry, field, type, value, units, when_written FROM ledger',
      )
    sqlite.close()
    const { ask } = await world({ db })
    const { headers, payload } = await ask('/__vatom/ledger?limit=1000')
    expect(headers['content-length']).toBeUndefined()
    expect(payload).toHaveLength(256)
    expect(payload[255]).toMatchObject({ seq: 256, entry: 'field', field: 'a', value: text.value })
  })

  test.each([
    'limit=x',
    'limit=-1',
    'page=1.5',
    'limit=1&limit=2',
    'publisher=Bad%20Name',
    'publisher=',
    'publischer=a',
  ])('a bad query is a 400 that says where: %s', async (query) => {
    const { ask } = await world()
    expect(await ask(`/__vatom/ledger?${query}`)).toMatchObject({
      status: 400,
      body: { error: 516, issues: [{ path: query.split('=')[0] }] },
    })
  })
})

test('GET /__vatom/balance lists every publisher that the service knows, and nobody else', async () => {
  const { ask, register } = await world({ publishers: ['b.example', 'a.example'], balance: 500 })
  const [bob, ann] = [await register('bob@example.com'), await register('ann@example.com')]
  const all = { granted: 500, charged: 0, balance: 500 }
  const listed = async () => (await ask('/__vatom/balance')).payload
  expect(await listed()).toEqual(['a.example', 'b.example'].map((publisher_fqdn) => ({ publisher_fqdn, ...all })))
  for (const { id } of [bob, ann])
    await ask(`/__vatom/users/${id}`, { method: 'PATCH', body: '{"pub_fqdn":"c.example"}' })
  expect((await listed()).slice(2)).toEqual([{ publisher_fqdn: 'c.example', ...all }])
})

test('GET /__vatom/assumptions lists every text of every row once, says what strict spec refuses, and nothing else', async () => {
  const { ask } = await world({ strictSpec: true })
  const { payload } = await ask('/__vatom/assumptions')
  const expected = operations.flatMap(([operation, { method, path, spec, assumed, details = [] }]) =>
    [...(assumed === undefined ? [] : [assumed]), ...details].map((assumption) => ({
      operation,
      method,
      path,
      assumption,
      strict_spec: spec === null ? 'refused' : 'served',
    })),
  )
  const socket = { operation: 'events', method: 'GET', path: '/ws', strict_spec: 'served' }
  const anyRequest = { operation: 'anyRequest', method: 'ANY', path: '/v1/', strict_spec: 'served' }
  const dryRun = { operation: 'dryRun', method: 'ANY', path: '/v1/', strict_spec: 'served' }
  expect(payload).toEqual([
    ...expected,
    ...notOffered.map(({ method, path, subject }) => ({
      operation: 'notOffered',
      method,
      path,
      assumption: `known, and not offered: ${subject}`,
      strict_spec: 'refused',
    })),
    ...requestDetails.map((assumption) => ({ ...anyRequest, assumption })),
    ...socketDetails.map((assumption) => ({ ...socket, assumption })),
    ...dryRunDetails.map((assumption) => ({ ...dryRun, assumption })),
  ])
  expect(new Set(payload.map((one: unknown) => JSON.stringify(one))).size).toBe(payload.length)
})
