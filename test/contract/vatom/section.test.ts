import { describe, expect, test } from 'vitest'
import { rootTypes } from '../../../src/contract/values.ts'
import { bodies } from '../../fixtures/samples.ts'
import { cases, errorsOf, put, warningsOf } from '../../support/issues.ts'

const discoverContainer = 'vAtom::vAtomType::DiscoverContainerType'
const definedFolder = 'vAtom::vAtomType::DefinedFolderContainerType'
const state = (name: unknown, type: unknown, value: unknown) => ({ name, value: { type, value } })
const activated = state('Activated', 'boolean', 'true')
const resource = (name: string, resourceType = 'ResourceType::Image::PNG') => ({
  name,
  resourceType,
  value: { resourceValueType: 'ResourceValueType::URI', value: 'https://acme/a.png' },
})

describe('structure', () => {
  cases('2.4', 'template', [
    ['vatom.vAtom::vAtomType', undefined, 'required'],
    ['vatom.private', undefined, 'ok'],
    ['vatom.private', { anything: [1, { goes: null }] }, 'ok'],
    ['vatom.private', [], 'type'],
    ['vatom.other', {}, 'unknown-field', /known fields: vAtom::vAtomType, private/],
    ['~.other', 1, 'unknown-field', /known fields: root_type/],
    ['~.titel', 'x', 'unknown-field', /did you mean title/],
    ['~', { root_type: 'vAtom::vAtomType' }, 'ok'],
    ['~.root_type', undefined, 'required', /root_type is required/],
    ['~.root_type', 'vAtom::vAtomType::FolderType', 'value', /must be one of vAtom::vAtomType, /],
    ['~.root_type', 'vatom::vatomtype', 'value', /did you mean vAtom::vAtomType\?/],
    ...rootTypes.map((rootType) => ['~.root_type', rootType, 'ok'] as const),
    ...['transferable', 'acquirable'].flatMap((field) => [
      [`~.${field}`, true, 'ok'] as const,
      [`~.${field}`, false, 'ok'] as const,
      [`~.${field}`, 'true', 'type', /true or false, not the string "true"/] as const,
    ]),
    ...['title', 'description', 'category'].flatMap((field) => [
      [`~.${field}`, 'text', 'ok'] as const,
      [`~.${field}`, '', 'ok'] as const,
      [`~.${field}`, 12, 'type', /must be a string, not 12/] as const,
    ]),
    ['~.category', 'x'.repeat(256), 'ok'],
    ['~.category', 'x'.repeat(257), 'length', /must have at most 256 characters/],
    ['~.title', 'x'.repeat(257), 'ok'],
  ])
  test('§2.4 the root types are the five of the table', () => expect(rootTypes).toHaveLength(5))
})

describe('commerce', () => {
  cases('2.4', 'template', [
    ['~.redeemable', false, 'ok'],
    ['~.redeemable', true, 'redeemable-commerce', /needs commerce.*commerce: \{\}/],
    ['~.redeemable', 'true', 'type'],
    ['~.commerce', {}, 'ok'],
    ['~.commerce', [], 'type'],
    ['~.commerce.pricing', {}, 'ok'],
    ['~.commerce.price', 1, 'unknown-field'],
    ['~.commerce.pricing.pricingType', 'Fixed', 'ok'],
    ['~.commerce.pricing.pricingType', 'fixed', 'value', /only supported pricing.*did you mean Fixed/],
    ['~.commerce.pricing.pricingType', 'Dynamic', 'value'],
    ['~.commerce.pricing.other', 1, 'unknown-field'],
    ['~.commerce.pricing.value.price', 4.5, 'ok'],
    ['~.commerce.pricing.value.price', '4.50', 'ok'],
    ['~.commerce.pricing.value.price', 'free', 'format', /a number, or a number written as a string/],
    ['~.commerce.pricing.value.price', '4,50', 'format'],
    ['~.commerce.pricing.value.price', '', 'format'],
    ['~.commerce.pricing.value.price', true, 'value'],
    ['~.commerce.pricing.value.currency', 'EUR', 'ok'],
    ['~.commerce.pricing.value.currency', 'eur', 'value', /ISO 4217.*did you mean EUR/],
    ['~.commerce.pricing.value.currency', 'Euro', 'value', /ISO 4217/],
    [
      '~.commerce.pricing.value.currency',
      'XAU',
      'value',
      /^must be a fiat currency, such as EUR: XAU is not money of a country \(\)$/,
    ],
    ...['valid_from', 'valid_through'].flatMap((field) => [
      [`~.commerce.pricing.value.${field}`, '*', 'ok'] as const,
      [`~.commerce.pricing.value.${field}`, '2028-02-29', 'ok'] as const,
      [`~.commerce.pricing.value.${field}`, '2027-12-31T23:59:59Z', 'ok'] as const,
      [`~.commerce.pricing.value.${field}`, '2027-12-31T23:59:59+02:00', 'ok'] as const,
      [
        `~.commerce.pricing.value.${field}`,
        '2027-02-29',
        'value',
        /a day that exists: there is no 2027-02-29/,
      ] as const,
      [`~.commerce.pricing.value.${field}`, '2026-02-30T10:00:00Z', 'value', /there is no 2026-02-30/] as const,
      [`~.commerce.pricing.value.${field}`, '01.07.2026', 'value', /ISO 8601 date/] as const,
      [`~.commerce.pricing.value.${field}`, '2026-07-01T25:00:00Z', 'value', /ISO 8601 date/] as const,
      [`~.commerce.pricing.value.${field}`, '', 'value'] as const,
      [`~.commerce.pricing.value.${field}`, 'tomorrow', 'value', /or "\*" for no bound/] as const,
    ]),
    ['~.commerce.pricing.value.vat_included', true, 'ok'],
    ['~.commerce.pricing.value.vat_included', 'yes', 'type'],
    ['~.commerce.pricing.value.value', { price: 4.5, currency: 'EUR', valid_from: '*' }, 'ok'],
    ['~.commerce.pricing.value.value.value', {}, 'unknown-field'],
    ['~.commerce.pricing.value.discount', 1, 'unknown-field'],
  ])

  test.each([{}, { pricing: {} }])('§2.4 redeemable with commerce %j is accepted', (commerce) =>
    expect(errorsOf('template', put(put(bodies.template(), '~.redeemable', true), '~.commerce', commerce))).toEqual([]),
  )
})

describe('states', () => {
  cases('2.4', 'template', [
    ['~.states', undefined, 'ok'],
    ['~.states', [], 'ok'],
    ['~.states', {}, 'type', /must be a list, not an object/],
    ['~.states', [activated], 'ok'],
    ['~.states', [state('Activated', 'boolean', 'false')], 'ok'],
    ['~.states', [state('Open', 'boolean', 'true')], 'value @ ~.states.0.name', /only supported state/],
    ['~.states', [state(undefined, 'boolean', 'true')], 'required @ ~.states.0.name'],
    ['~.states', [state('Activated', 'string', 'true')], 'value @ ~.states.0.value.type', /"boolean"/],
    ['~.states', [state('Activated', 'boolean', true)], 'value @ ~.states.0.value.value', /in quotes/],
    ['~.states', [state('Activated', 'boolean', 'TRUE')], 'value @ ~.states.0.value.value', /did you mean true/],
    ['~.states', [{ ...activated, colour: 1 }], 'unknown-field @ ~.states.0.colour'],
    ['~.states', [{ ...activated, on_state_change: { reactor: '' } }], 'ok'],
    ['~.states', [activated, activated], 'unique-states @ ~.states.1.name', /there twice/],
  ])
  test('§2.4 on_state_change is accepted with a warning', () =>
    expect(warningsOf('template', put(bodies.template(), '~.states.0.on_state_change', {}))).toEqual([
      'vatom.vAtom::vAtomType.states[0].on_state_change state-change-ignored',
    ]))
})

describe('resources', () => {
  cases('2.4', 'template', [
    ['~.resources', undefined, 'ok'],
    ['~.resources', [], 'ok'],
    ['~.resources', null, 'type'],
    ['~.resources', [resource('A'), resource('B')], 'ok'],
    ['~.resources', [resource('A'), resource('a')], 'ok'],
    ['~.resources', [resource('A'), resource('A')], 'unique-resources @ ~.resources.1.name'],
    ['~.resources', Array.from({ length: 1001 }, (_, i) => resource(`R${i}`)), 'length', /at most 1000 entries/],
    ['~.resources.0.name', '', 'length', /must not be empty/],
    ['~.resources.0.name', undefined, 'required'],
    ['~.resources.0.resourceType', 'ResourceType::3D::Scene', 'ok'],
    ['~.resources.0.resourceType', 'ResourceTypes::Video::MP4', 'ok'],
    ['~.resources.0.resourceType', 'Image', 'format', /ResourceType::Image::PNG/],
    ['~.resources.0.resourceType', 'ResourceType::Image', 'format'],
    ['~.resources.0.resourceType', 'ResourceType::Image::', 'format'],
    ['~.resources.0.resourceType', 'ResourceType::Image::PNG::x', 'format'],
    ['~.resources.0.resourceType', undefined, 'required'],
    ['~.resources.0.value', 'https://acme/a.png', 'type', /must be an object/],
    ['~.resources.0.value.resourceValueType', 'URI', 'format', /ResourceValueType::URI/],
    ['~.resources.0.value.resourceValueType', undefined, 'required'],
    ['~.resources.0.value.value', 1, 'type'],
    ['~.resources.0.value.value', undefined, 'required'],
    ['~.resources.0.url', 'x', 'unknown-field'],
  ])
  test('§2.4 ResourceTypes:: is accepted with a warning', () =>
    expect(
      warningsOf('template', put(bodies.template(), '~.resources.1.resourceType', 'ResourceTypes::Video::MP4')),
    ).toEqual(['vatom.vAtom::vAtomType.resources[1].resourceType resource-type-prefix']))
})

describe('visibility', () => {
  cases('2.4', 'template', [
    ['~.visibility', undefined, 'ok'],
    ['~.visibility', {}, 'ok'],
    ['~.visibility', 'public', 'type'],
    ...['owner', 'public', 'container'].map((type) => ['~.visibility', { type, value: '*' }, 'ok'] as const),
    ['~.visibility.type', 'private', 'value', /must be one of owner, public, container/],
    ['~.visibility.type', 'Public', 'value', /did you mean public/],
    ['~.visibility.value', 'x', 'value', /must be "\*"/],
    ['~.visibility.scope', 'x', 'unknown-field'],
  ])
})

describe('containers', () => {
  const query = { scope: { key: 'vAtom::vAtomType.parent_id', value: '.' } }
  const policy = [{ template_variation: 'acme::Coupon::v1::Red', count: 2 }]
  const inside = (rootType: string) => put(bodies.template(), '~.root_type', rootType)
  const others = (own: string) => rootTypes.filter((rootType) => rootType !== own)

  cases(
    '2.4',
    'template',
    [
      ['~.query', query, 'ok'],
      ['~.query.limit', -1, 'range'],
    ],
    inside(discoverContainer),
  )
  cases(
    '2.4',
    'template',
    [
      ['~.child_policy', policy, 'ok'],
      ['~.child_policy', [], 'ok'],
      ['~.child_policy', [{}], 'required @ ~.child_policy.0.template_variation'],
      ['~.child_policy', [{ ...policy[0], creation_policy: { auto_create: 'create_new' } }], 'ok'],
      ['~.child_policy', [{ ...policy[0], count: 1001 }], 'range @ ~.child_policy.0.count'],
    ],
    inside(definedFolder),
  )
  for (const rootType of others(discoverContainer))
    cases(`2.4 in ${rootType}:`, 'template', [['~.query', query, 'query-container']], inside(rootType))
  for (const rootType of others(definedFolder))
    cases(`2.4 in ${rootType}:`, 'template', [['~.child_policy', policy, 'child-policy-container']], inside(rootType))
})
