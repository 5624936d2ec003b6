import { describe, expect, test } from 'vitest'
import { completeAction, fieldChanges } from '../../../src/contract/kinds/action.ts'
import type { Changes } from '../../../src/contract/kinds/changes.ts'
import { kindOf } from '../../../src/contract/kinds/kinds.ts'
import type { TemplateRecord } from '../../../src/contract/kinds/template-schemas.ts'
import type { VariationRecord } from '../../../src/contract/kinds/variation-schemas.ts'
import { activated, meta } from '../../fixtures/records.ts'

type Fields = Record<string, unknown>

const templateChanges = kindOf('template').changes
const variationChanges = kindOf('variation').changes
const actionChanges = kindOf('action').changes

const pathsOf = ({ differences }: Changes) => differences.map(({ path }) => path)

const priced = (price: unknown) => ({ pricing: { pricingType: 'Fixed', value: { currency: 'EUR', price } } })
const eth = { network: 'testnet', fields: { serial: { type: 'uint', value: '7' } } }
const keptEth = { network: 'testnet', symbol: 'acme', fields: { serial: { type: 'uint', value: 7 } } }

const vatom = (type: Fields = {}, custom?: Fields) => ({
  'vAtom::vAtomType': { root_type: 'vAtom::vAtomType', title: 'Coupon', ...type },
  ...(custom && { private: custom }),
})

describe('what a template lacks of its document', () => {
  const document = (fields: Fields = {}) => ({ template: 'acme::A::v1', vatom: vatom(), ...fields })
  /** The record as a service answers it. */
  const record = (properties: Fields = {}, type: Fields = {}, custom: Fields = {}): TemplateRecord => ({
    name: 'acme::A::v1',
    public: properties.public === true,
    meta,
    properties: {
      publisher_fqdn: 'acme',
      unpublished: true,
      cloneable: false,
      template: {
        'vAtom::vAtomType': {
          root_type: 'vAtom::vAtomType',
          title: 'Coupon',
          transferable: true,
          acquirable: false,
          redeemable: false,
          resources: [],
          states: activated,
          visibility: { type: 'owner', value: '*' },
          ...type,
        },
        private: custom,
      },
      ...properties,
    },
  })

  test.each<[string, Fields, TemplateRecord]>([
    ['a bare one, whose defaults the record fills in', {}, record()],
    ['defaults said outright', { cloneable: false, public: false, unpublished: true }, record()],
    ['no states', { vatom: vatom({ states: [] }) }, record()],
    ['half a visibility', { vatom: vatom({ visibility: { type: 'owner' } }) }, record()],
    ['a price that is a number', { vatom: vatom({ commerce: priced(3.5) }) }, record({}, { commerce: priced('3.5') })],
    [
      'a price that a number holds only roughly',
      { vatom: vatom({ commerce: priced('1000000000000000000000') }) },
      record({}, { commerce: priced(1e21) }),
    ],
    [
      'a nested price',
      {
        vatom: vatom({
          commerce: { pricing: { pricingType: 'Fixed', value: { value: { currency: 'EUR', price: 3 } } } },
        }),
      },
      record({}, { commerce: priced('3') }),
    ],
    ['a value in words, and no symbol', { eth }, record({ eth: keptEth })],
    ['a draft that was published since', { unpublished: true }, record({ unpublished: false })],
    ['a draft that its document says is published', { unpublished: false }, record()],
    ['a published one', { unpublished: false }, record({ unpublished: false })],
    ['fields that a newer service adds', {}, record({ extra: 1 }, { tags: [] })],
  ])('nothing: %s', async (_, fields, stored) =>
    expect(await templateChanges(document(fields), stored)).toMatchObject({ body: {}, differences: [], fixed: [] }),
  )

  test.each<[string, Fields, TemplateRecord, unknown, string[]]>([
    [
      'only the section that differs, whole, as the document has it',
      { vatom: vatom({ title: 'Gift' }, { a: 1 }), public: true },
      record({ public: true }, {}, { a: 1 }),
      { vatom: vatom({ title: 'Gift' }, { a: 1 }) },
      ['vatom.vAtom::vAtomType.title'],
    ],
    [
      'a setting goes back to its default',
      {},
      record({ public: true, cloneable: true }),
      { cloneable: false, public: false },
      ['cloneable', 'public'],
    ],
    [
      'a section that is gone is taken away',
      {},
      record({ eth: keptEth, eos: keptEth }),
      { eth: null, eos: null },
      ['eth', 'eos'],
    ],
    ['a section that is new', { eth }, record(), { eth }, ['eth']],
    [
      'a value on the chain',
      { eth: { ...eth, fields: { serial: { type: 'uint', value: 8 } } } },
      record({ eth: keptEth }),
      { eth: { ...eth, fields: { serial: { type: 'uint', value: 8 } } } },
      ['eth.fields.serial.value'],
    ],
    [
      'a place in a list',
      { vatom: vatom({ states: [{ name: 'Activated', value: { type: 'boolean', value: 'false' } }] }) },
      record(),
      expect.objectContaining({ vatom: expect.anything() }),
      ['vatom.vAtom::vAtomType.states[0].value.value'],
    ],
    [
      'a list of another length',
      { vatom: vatom({ resources: [{ name: 'A' }] }) },
      record(),
      { vatom: vatom({ resources: [{ name: 'A' }] }) },
      ['vatom.vAtom::vAtomType.resources'],
    ],
    [
      'custom fields',
      { vatom: vatom({}, { b: 1 }) },
      record({}, {}, { a: 1 }),
      { vatom: vatom({}, { b: 1 }) },
      ['vatom.private.b', 'vatom.private.a'],
    ],
  ])('%s', async (_, fields, stored, body, paths) => {
    const changes = await templateChanges(document(fields), stored)
    expect(changes.body).toEqual(body)
    expect(pathsOf(changes)).toEqual(paths)
  })

  test('tells whether the record is final, and the eth section before and after', async () => {
    expect(await templateChanges(document({ eth }), record({ unpublished: false }))).toMatchObject({ final: true })
    expect(await templateChanges(document({ eth }), record())).toMatchObject({
      final: false,
      eth: { before: undefined, after: keptEth },
    })
    expect((await templateChanges(document(), record({ eth: keptEth }))).eth).toEqual({
      before: keptEth,
      after: undefined,
    })
  })
})

describe('what a variation lacks of its document', () => {
  const document = (fields: Fields = {}) => ({
    template_variation: 'acme::A::v1::B',
    template: 'acme::A::v1',
    ...fields,
  })
  const record = (properties: Fields = {}, isPublic = false): VariationRecord => ({
    name: 'acme::A::v1::B',
    public: isPublic,
    meta,
    properties: {
      template: 'acme::A::v1',
      publisher_fqdn: 'acme',
      unpublished: true,
      auto_create_on_acquire: false,
      cloning_gain: 0.25,
      max_clones: null,
      template_variation: { 'vAtom::vAtomType': { title: 'of the template' }, private: { color: 'blue' } },
      overrides: {},
      ...properties,
    },
  })
  const red = { private: { color: 'red' } }

  test.each<[string, Fields, VariationRecord]>([
    ['nothing overwritten', {}, record()],
    ['nothing overwritten, in so many words', { vatom: {} }, record()],
    ['what it overwrites itself', { vatom: red }, record({ overrides: { vatom: red } })],
    ['defaults said outright', { cloning_gain: 0.25, public: false, auto_create_on_acquire: false }, record()],
    ['clone parameters', { max_clones: 9, cloning_gain: 0.5 }, record({ max_clones: 9, cloning_gain: 0.5 })],
    [
      'values in words',
      { eth },
      record({ overrides: { eth: { ...eth, fields: { serial: { type: 'uint', value: 7 } } } } }),
    ],
  ])('nothing: %s', async (_, fields, stored) =>
    expect(await variationChanges(document(fields), stored)).toMatchObject({ body: {}, differences: [], fixed: [] }),
  )

  test.each<[string, Fields, VariationRecord, Fields, string[]]>([
    [
      'what the template has anyway is still overwritten',
      { vatom: { private: { color: 'blue' } } },
      record(),
      { vatom: { private: { color: 'blue' } } },
      ['vatom.private'],
    ],
    ['what is no longer overwritten', {}, record({ overrides: { vatom: red } }), { vatom: {} }, ['vatom.private']],
    [
      'settings go back to their defaults',
      {},
      record({ max_clones: 9, cloning_gain: 0, auto_create_on_acquire: true }, true),
      { public: false, auto_create_on_acquire: false, cloning_gain: 0.25, max_clones: null },
      ['public', 'auto_create_on_acquire', 'cloning_gain', 'max_clones'],
    ],
    ['a section that is gone', {}, record({ overrides: { eth } }), { eth: null }, ['eth']],
  ])('%s', async (_, fields, stored, body, paths) => {
    const changes = await variationChanges(document(fields), stored)
    expect(changes.body).toEqual(body)
    expect(pathsOf(changes)).toEqual(paths)
  })

  test('another template is a difference that no update makes', async () => {
    const changes = await variationChanges(document({ template: 'acme::Other::v1', public: true }), record())
    expect(changes).toMatchObject({ body: { public: true }, fixed: ['template'] })
    expect(changes.differences).toEqual([
      { path: 'template', before: 'acme::A::v1', after: 'acme::Other::v1' },
      { path: 'public', before: false, after: true },
    ])
  })

  test('its own eth section stands over the template’s on the chain', async () => {
    const base = {
      network: 'testnet',
      symbol: 'acme',
      fields: { serial: { type: 'uint', value: 1 }, rare: { type: 'bool', value: false } },
    }
    const own = { network: 'testnet', fields: { serial: { type: 'uint', value: 2 } } }
    expect((await variationChanges(document({ eth: own }), record(), base)).eth).toEqual({
      before: undefined,
      after: { ...base, fields: { ...base.fields, serial: { type: 'uint', value: 2 } } },
    })
  })
})

describe('what an action lacks of some fields', () => {
  const kept = completeAction({ name: 'acme::A::Action::Go', reactor: 'blockv://v1/Transfer', timeout: 5000 })

  test('nothing where they are the same, whatever the record has beside them', async () =>
    expect(await actionChanges(kept, { properties: { ...kept, newer: true } })).toMatchObject({
      body: {},
      differences: [],
      final: false,
    }))

  test('the fields that differ, and never the name', async () => {
    const wanted = { ...kept, name: 'other', wait: true, policy: { ...kept.policy, rule: 'x' } }
    const changes = await actionChanges(wanted, { properties: kept })
    expect(changes.body).toEqual({ wait: true, policy: { pre: [], rule: 'x', post: [] } })
    expect(pathsOf(changes)).toEqual(['wait', 'policy.rule'])
  })

  test('only the fields that are asked about', () =>
    expect(fieldChanges({ timeout: 5000, wait: true }, { properties: kept })).toMatchObject({
      body: { wait: true },
      differences: [{ path: 'wait', before: false, after: true }],
    }))
})
