import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { overlayIssues } from '../../../src/contract/rules/overlay-rules.ts'
import { at, isObject, printPath } from '../../../src/contract/schema/path.ts'
import { resolveVatom } from '../../../src/contract/vatom/overlay.ts'
import { VatomSection } from '../../../src/contract/vatom/section.ts'
import { customProperties, overlayOfSample, vatomSection } from '../../fixtures/arbitraries.ts'
import { bodies } from '../../fixtures/samples.ts'
import { cases, put, steps } from '../../support/issues.ts'

type Json = Record<string, unknown>
const template = bodies.template()
const section = (document: Json) => document.vatom as Json
const onChain = { network: 'testnet', fields: { points: { type: 'uint', value: 1 } } }
const withBoth = { ...template, eth: onChain, eos: onChain }
const value = (url: string) => ({ resourceValueType: 'ResourceValueType::URI', value: url })

describe('what a variation may say', () => {
  cases('2.5', 'variation', [
    ['template_variation', undefined, 'required'],
    ['template', undefined, 'required'],
    ['template_variation', 'other::Coupon::v1::Red', 'publisher-name'],
    ['template_variation', 'acme::', 'publisher-name'],
    ['template', 'other::Coupon::v1', 'ok'],
    ['vatom', undefined, 'ok'],
    ['vatom', null, 'type'],
    ['cloneable', true, 'unknown-field', /cannot overwrite/],
    ['redeemable', {}, 'unknown-field', /under vatom/],
    ['vatom.eth', {}, 'unknown-field', /beside vatom/],
    ['unpublished', false, 'ok'],
    ['public', true, 'ok'],
    ['auto_create_on_acquire', true, 'ok'],
    ['auto_create_on_acquire', 1, 'type'],
    ['cloning_gain', 0, 'ok'],
    ['cloning_gain', 0.125, 'ok'],
    ['cloning_gain', 1, 'ok'],
    ['cloning_gain', -0.1, 'range', /at least 0/],
    ['cloning_gain', 1.1, 'range', /at most 1/],
    ['cloning_gain', '0.25', 'type', /a number, not the string/],
    ['cloning_gain', null, 'type'],
    ['max_clones', 1, 'ok'],
    ['max_clones', 1_000_000_000, 'ok'],
    ['max_clones', 0, 'range', /at least 1/],
    ['max_clones', 1_000_000_001, 'range', /at most 1000000000/],
    ['max_clones', 1.5, 'type', /a whole number, not 1.5/],
    ['max_clones', null, 'type'],
    ['eos', { network: 'veos-test', fields: {} }, 'ok'],
    ['eth', null, 'type'],
    ['vatom.eos', {}, 'unknown-field', /beside vatom/],
    ['~', {}, 'ok'],
    ['~.title', 'Red', 'ok'],
    ['~.root_type', 'vAtom::vAtomType', 'ok'],
    ['~.title', 1, 'type'],
    ['~.other', 1, 'unknown-field'],
    ['~.resources', [{ name: 'A', value: value('https://b') }], 'ok'],
    ['~.resources', [{ name: 'A' }], 'required @ ~.resources.0.value'],
    ['~.resources', [1, 2].map(() => ({ name: 'A', value: value('x') })), 'unique-resources @ ~.resources.1.name'],
    ['~.query', {}, 'ok'],
    ['vatom.private', { a: 1 }, 'ok'],
  ])
})

/** place, value in the variation, the rule that refuses it (or ok), words; held to the template of `bodies`. */
const rows: readonly [string, unknown, string, RegExp?][] = [
  ['~.title', 'Red', 'ok'],
  ['~.transferable', true, 'ok'],
  ['~.root_type', 'vAtom::vAtomType', 'ok'],
  ['~.root_type', 'vAtom::vAtomType::FolderContainerType', 'overlay-root-type', /fixes root_type to vAtom::vAtomType$/],
  ['~.states.0.name', 'Activated', 'ok'],
  ['~.states.0.name', 'Activate', 'overlay-states', /no entry Activate in states \(did you mean Activated/],
  ['~.states.0.name', {}, 'overlay-states', /no entry an object/],
  ['~.resources.0', { name: 'CardImage', value: value('x') }, 'ok'],
  ['~.resources.0.name', 'cardImage', 'overlay-resources', /did you mean CardImage/],
  ['~.resources.0.name', 'Scene', 'overlay-resources', /its entries: ActivatedImage, CardImage/],
  ['~.resources.0', { name: 'CardImage', resourceType: 'ResourceType::Image::JPEG', value: value('x') }, 'ok'],
  ['vatom.private.colour', 'blue', 'ok'],
  ['vatom.private.colour', null, 'ok'],
  [
    'vatom.private.colour',
    { x: 1 },
    'overlay-private',
    /field private.colour.x \(in the template private.colour is the/,
  ],
  ['vatom.private.colour', { x: { y: 1 } }, 'overlay-private', /no custom field private.colour.x /],
  ['vatom.private.size.width', 3, 'ok'],
  ['vatom.private.color', 'blue', 'overlay-private', /no custom field private.color \(did you mean colour/],
  ['vatom.private.size.depth', 3, 'overlay-private', /private.size.depth \(its fields: width, height/],
  ['vatom.private.constructor', 1, 'overlay-private'],
  ['eth', { network: 'testnet', fields: {} }, 'overlay-eth', /has no eth section/],
  ['eos', { network: 'veos-test', fields: {} }, 'overlay-eos', /has no eos section/],
  ['~.redeemable', true, 'redeemable-commerce', /needs commerce/],
  ['~.query', {}, 'query-container'],
  ['~.child_policy', [], 'child-policy-container'],
]

describe('what a template lets a variation overwrite', () => {
  const found = (place: string, given: unknown, over: Json = template) =>
    overlayIssues(put(bodies.variation(), place, given), over)

  test.each(rows)('§2.5 %s = %j: %s', (place, given, outcome, words) => {
    const issues = found(place, given)
    if (outcome === 'ok') return expect(issues).toEqual([])
    expect(issues[0]).toMatchObject({ rule: outcome, severity: 'error' })
    expect(printPath(issues[0]?.path ?? [])).toContain(printPath(steps(place)))
    if (words) expect(`${issues[0]?.message}${issues[0]?.hint ? ` (${issues[0].hint}` : ''}`).toMatch(words)
  })
  test('of many problems the first ones have a hint', () => {
    const fields = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`color${at}`, 1]))
    const hints = found('vatom.private', fields).filter(({ hint }) => hint !== undefined)
    expect(hints).toHaveLength(limits.hints)
  })
  test.each([
    ['red', 5, /^private.a is the string "red" in the template, and 5 here$/],
    [0, '5', /is 0 in the template, and the string "5" here$/],
    [true, 'yes', /is true in/],
    [[1], 1, /is a list in/],
    ['red', [{ x: 1 }], /and a list here$/],
    ['red', {}, /and an object here$/],
    [{ x: 1 }, 'red', /is an object in/],
  ])('§2.5 a custom field of %j overwritten with %j is a warning: of another type', (base, over, words) =>
    expect(found('vatom.private', { a: over }, put(template, 'vatom.private', { a: base }))).toMatchObject([
      {
        rule: 'overlay-private-type',
        severity: 'warning',
        path: steps('vatom.private.a'),
        message: expect.stringMatching(words),
      },
    ]),
  )
  test.each([
    [null, 1],
    [{ x: 1 }, null],
    [null, []],
    [[1], [{ x: 1 }]],
    [1, 2.5],
  ])('§2.5 a custom field of %j overwritten with %j passes', (base, over) =>
    expect(found('vatom.private', { a: over }, put(template, 'vatom.private', { a: base }))).toEqual([]),
  )
  test.each([null, [], 'red', 0])('§2.5 an object over %j would add its fields', (base) =>
    expect(found('vatom.private', { a: { x: 1 } }, put(template, 'vatom.private', { a: base }))).toMatchObject([
      { rule: 'overlay-private', severity: 'error', path: steps('vatom.private.a.x') },
    ]),
  )
  test('§2.5 only the value of a resource can be overwritten, not its type', () =>
    expect(found('~.resources.0', { name: 'CardImage', resourceType: 'ResourceType::Image::PNG' })).toMatchObject([
      { rule: 'overlay-resource-type', path: steps('~.resources.0.resourceType') },
    ]))
  test.each([
    [undefined, undefined, true],
    [undefined, { reactor: 'r' }, false],
    [undefined, { reactor: '' }, true],
    [undefined, {}, false],
    [{ reactor: 'r', wait: [1, { a: 2 }] }, { wait: [1, { a: 2 }], reactor: 'r' }, true],
    [{ reactor: 'r', wait: [1, { a: 2 }] }, { wait: [1, { a: 3 }], reactor: 'r' }, false],
    [{ reactor: 'r', wait: [] }, { reactor: 'r', wait: {} }, false],
    [{ reactor: 'r' }, { reactor: 'r', wait: true }, false],
    [{ reactor: 'r' }, { reactor: '' }, false],
    [{ reactor: 'r' }, undefined, true],
  ])('§2.5 on_state_change of %j overwritten with %j passes: %j', (base, over, passes) => {
    const entry = { name: 'Activated', on_state_change: over }
    const issues = found('~.states.0', entry, put(template, '~.states.0.on_state_change', base))
    const refused = { rule: 'overlay-state-change', severity: 'error', path: steps('~.states.0.on_state_change') }
    expect(issues).toMatchObject(passes ? [] : [refused])
  })
  test('§2.4 a template without states has the Activated state to overwrite', () => {
    expect(found('~.states.0.name', 'Activated', put(template, '~.states', undefined))).toEqual([])
    expect(found('~.states.0.name', 'Open', put(template, '~.states', []))).toMatchObject([{ rule: 'overlay-states' }])
  })
  test('§2.4 a variation may make a priced template redeemable', () => {
    expect(found('~.redeemable', true, put(template, '~.commerce', {}))).toEqual([])
    expect(found('~', { redeemable: true, commerce: {} })).toEqual([])
  })
  test.each(['~.query', '~.child_policy', '~.redeemable'])(
    'what is wrong with %s of the template is not the variation’s',
    (place) => expect(found('~.title', 'Red', put(template, place, true))).toEqual([]),
  )
  test('§2.4 query and child_policy follow the root type of the template', () => {
    const of = (rootType: string) => put(template, '~.root_type', rootType)
    expect(found('~.query', {}, of('vAtom::vAtomType::DiscoverContainerType'))).toEqual([])
    expect(found('~.child_policy', [], of('vAtom::vAtomType::DefinedFolderContainerType'))).toEqual([])
  })
  const fields: readonly [object, string[]][] = [
    [{}, []],
    [{ points: { type: 'uint', value: 5 } }, []],
    [{ pionts: { type: 'uint', value: 5 } }, ['overlay-X X.fields.pionts (did you mean points?)']],
    [{ toString: { type: 'uint', value: 5 } }, ['overlay-X X.fields.toString (its fields: points)']],
    [{ points: { type: 'bool', value: true } }, ['overlay-X X.fields.points.type (undefined)']],
  ]
  test.each(['eth', 'eos'].flatMap((section) => fields.map((row) => [section, ...row] as const)))(
    '§2.5 %s fields %j: %j',
    (section, fields, expected) => {
      const told = (text: string) => text.replaceAll('X', section)
      const issues = found(section, { network: 'testnet', fields }, withBoth)
      expect(issues.map(({ rule, path, hint }) => `${rule} ${printPath(path)} (${hint})`)).toEqual(expected.map(told))
    },
  )
  test('§2.5 a template without custom fields has none to overwrite', () =>
    expect(found('vatom.private.a', 1, put(template, 'vatom.private', undefined))).toMatchObject([
      { rule: 'overlay-private', hint: 'its fields: none; a new one is added to the template first' },
    ]))
})

describe('resolving', () => {
  const resolved = (place: string, given: unknown, over = template) =>
    resolveVatom(section(over), put({}, place, given))
  const t = (place: string) => `vAtom::vAtomType.${place}`

  test('§2.5 what is left out is the template’s', () => {
    const red = resolved(t('title'), 'Red')
    expect(red).toEqual(section(put(template, '~.title', 'Red')))
  })
  test('§2.5 states and resources are merged by name, in the order of the template', () => {
    const found = resolved(t('resources'), [{ name: 'CardImage', value: value('https://new') }])
    expect(found).toEqual(section(put(template, '~.resources.1.value', value('https://new'))))
    const off = [{ name: 'Activated', value: { type: 'boolean', value: 'false' } }]
    expect(resolved(t('states'), off)).toEqual(section(put(template, '~.states', off)))
    expect(resolved(t('states'), off, put(template, '~.states', []))).toEqual(section(put(template, '~.states', off)))
    expect(resolved(t('states'), off, put(template, '~.states', undefined))).toEqual(
      section(put(template, '~.states', off)),
    )
  })
  test('§2.5 an overwritten state keeps what the variation leaves out', () => {
    const base = put(template, '~.states.0.on_state_change', { reactor: '' })
    const off = { name: 'Activated', value: { type: 'boolean', value: 'false' } }
    expect(resolved(t('states'), [off], base)).toEqual(section(put(base, '~.states.0.value.value', 'false')))
  })
  test('§2.5 objects are merged, other lists are replaced', () => {
    expect(resolved('private.size.width', 9)).toEqual(section(put(template, 'vatom.private.size.width', 9)))
    const listed = put(template, 'vatom.private.states', ['a', 'b'])
    expect(resolved('private.states', ['c'], listed)).toEqual(section(put(listed, 'vatom.private.states', ['c'])))
  })
  test.each([
    [{ price: 5, currency: 'EUR' }, { price: 6 }],
    [{ value: { price: 5, currency: 'EUR' } }, { price: 6 }],
    [{ price: 5, currency: 'EUR' }, { value: { price: 6 } }],
    [{ value: { price: 5, currency: 'EUR' } }, { value: { price: 6 } }],
  ])('§2.4 a price of %j overwritten with %j, flat or nested, is 6', (base, over) => {
    const priced = put(template, '~.commerce.pricing.value', base)
    const found = resolved(t('commerce.pricing.value'), over, priced)
    expect(at(found, 'vAtom::vAtomType', 'commerce', 'pricing', 'value')).toEqual({ price: 6, currency: 'EUR' })
  })

  test('§2.5 an empty variation resolves to the template', () =>
    fc.assert(
      fc.property(
        vatomSection,
        fc.constantFrom(undefined, {}, { 'vAtom::vAtomType': {} }, { private: {} }),
        (base, over) => {
          const kept = over && 'private' in over ? { private: {}, ...base } : base
          expect(resolveVatom(base, over)).toEqual(kept)
        },
      ),
    ))
  test('§2.5 what passes resolves to a section that passes, over itself to itself', () =>
    fc.assert(
      fc.property(overlayOfSample, (over) => {
        const refused = overlayIssues({ vatom: over }, template)
        expect(refused).toEqual([])
        const once = resolveVatom(section(template), over)
        expect(VatomSection().safeParse(once).error).toBeUndefined()
        expect(resolveVatom(once, over)).toEqual(once)
      }),
    ))
  test('§2.5 what passes adds no name to custom properties, states or resources', () =>
    fc.assert(
      fc.property(customProperties, customProperties, (base, over) => {
        const made = put(template, 'vatom.private', base)
        if (overlayIssues({ vatom: { private: over } }, made).some(({ severity }) => severity === 'error')) return
        const found = at(resolveVatom(section(made), { private: over }), 'private')
        expect(Object.keys(found as Json).sort()).toEqual(Object.keys(base).sort())
        expect(newNames(base, found)).toEqual([])
      }),
    ))
  test('what is named __proto__ stays a field', () => {
    const over = JSON.parse('{"private":{"__proto__":{"polluted":true}}}')
    const found = resolveVatom(section(template), over)
    expect(Object.getPrototypeOf(found.private)).toBe(Object.prototype)
    expect(overlayIssues({ vatom: over }, template)).toMatchObject([{ rule: 'overlay-private' }])
  })
})

/** Names in objects of `found` that `base` lacks at their place. */
function newNames(base: unknown, found: unknown): string[] {
  if (!isObject(found)) return []
  return Object.entries(found).flatMap(([key, child]) =>
    isObject(base) && Object.hasOwn(base, key) ? newNames(base[key], child) : [key],
  )
}
