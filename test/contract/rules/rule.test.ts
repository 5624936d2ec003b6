import fc from 'fast-check'
import { expect, test } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { ruleIssues, rules } from '../../../src/contract/rules/document-rules.ts'
import { faceResourceIssues } from '../../../src/contract/rules/face-rules.ts'
import { overlayIssues } from '../../../src/contract/rules/overlay-rules.ts'
import { schemaIssues } from '../../../src/contract/schema/issues.ts'
import { type KindName, kinds } from '../../../src/contract/values.ts'
import { mutated } from '../../fixtures/arbitraries.ts'
import type { Body } from '../../fixtures/samples.ts'
import { schemas } from '../../support/issues.ts'

const anything = fc.oneof(
  fc.jsonValue(),
  mutated('template'),
  mutated('variation'),
  mutated('face'),
  mutated('action'),
  fc.constant(JSON.parse('{"display_url":"native://image-policy","config":{"image_policy":[null,{"field":{}}]}}')),
  fc.constant(JSON.parse('{"display_url":"native://generic-3d","config":{"animation_rules":[{"sound":[]}]}}')),
  fc.constant(JSON.parse('{"vatom":{"vAtom::vAtomType":{"states":[{"name":{"toString":1}}],"resources":[null]}}}')),
)

test('every rule has a name of its own, a section, a kind and a summary', () => {
  expect(new Set(rules.map((rule) => rule.name)).size).toBe(rules.length)
  for (const rule of rules) {
    expect(rule.spec).toMatch(/^\d(\.\d)?$/)
    expect(rule.kinds.length).toBeGreaterThan(0)
    expect(rule.summary).toMatch(/^[a-z]/)
  }
})

test('a rule is applied to the kinds it names alone', () => {
  const redeemable = { 'vAtom::vAtomType': { redeemable: true } }
  const document = { template: 'x', template_variation: 'acme::A', vatom: redeemable, display_url: 'native://own' }
  const found = (kind: KindName) => ruleIssues(kind, document, { publisher: 'acme' }).map((issue) => issue.rule)
  expect(found('template')).toEqual(['publisher-name', 'name-version', 'redeemable-commerce'])
  expect(found('variation')).toEqual([])
  expect(found('face')).toEqual(['native-face'])
  expect(found('action')).toEqual([])
  const own = { ...document, name: 'other::A', reactor: 'blockv://v1/X', eos: {}, config: { a: 1 } }
  const nameless = (kind: KindName) => ruleIssues(kind, own, {}).map((issue) => issue.rule)
  expect(nameless('action')).toEqual(['action-name', 'action-reactor'])
  expect(nameless('variation')).toEqual(['eos-unspecified'])
  expect(nameless('face')).toEqual(['native-face'])
  expect(ruleIssues('face', { ...own, display_url: 'native://image' }, {}).map((issue) => issue.rule)).toEqual([
    'face-config',
  ])
})

const sizeOf = (document: object) => JSON.stringify(document).length
const sizes: readonly [KindName, string, number, (text: string) => object][] = [
  ['template', 'vatom', limits.section, (text) => ({ vatom: { private: { text } } })],
  ['variation', 'vatom', limits.section, (text) => ({ vatom: { private: { text } } })],
  ['template', 'eth', limits.eth, (text) => ({ eth: { fields: { text } } })],
  ['template', 'eos', limits.eth, (text) => ({ eos: { fields: { text } } })],
  ['variation', 'eth', limits.eth, (text) => ({ eth: { fields: { text } } })],
  ['variation', 'eos', limits.eth, (text) => ({ eos: { fields: { text } } })],
  ['face', '', limits.section, (text) => ({ config: { text } })],
  ['action', '', limits.section, (text) => ({ config: { text } })],
]
test.each(sizes)('the size of a %s is bounded in bytes: "%s" to %i', (kind, place, most, sized) => {
  const found = (document: object) => ruleIssues(kind, document, {}).filter(({ rule }) => rule === 'size')
  const whole: Record<string, unknown> = { ...sized('') }
  const room = most - sizeOf(place === '' ? whole : Object(whole[place]))
  expect(found(sized('x'.repeat(room)))).toEqual([])
  expect(found(sized('é'.repeat(Math.floor(room / 2))))).toEqual([])
  for (const text of ['x'.repeat(room + 1), 'é'.repeat(room / 2 + 1), '"'.repeat(room / 2 + 1)])
    expect(found(sized(text))).toMatchObject([
      {
        path: place === '' ? [] : [place],
        severity: 'error',
        message: expect.stringMatching(new RegExp(`at most ${most} bytes as JSON, not (${most + 1}|${most + 2})$`)),
        hint: expect.stringContaining('at a URL'),
      },
    ])
})

test.each<[KindName, object]>([
  ['face', { display_url: 'native://image' }],
  ['action', { name: 'A::v1::Action::B', reactor: 'blockv://v1/Transfer' }],
])('of a %s that is too large, only that is found, and no other rule looks at its keys', (kind, document) => {
  const keys = Object.fromEntries(Array.from({ length: 7000 }, (_, at) => [`auto_create_${at}`, true]))
  const found = ruleIssues(kind, { ...document, config: keys }, {})
  expect(found.map(({ rule }) => rule)).toEqual(['size'])
})

test('no rule throws, whatever it is given', () =>
  fc.assert(
    fc.property(anything, anything, (one, other) => {
      for (const kind of kinds) ruleIssues(kind, one, { publisher: 'acme' })
      for (const kind of kinds) ruleIssues(kind, one, {})
      overlayIssues(one, other)
      faceResourceIssues(one, other)
    }),
  ))

test('no schema throws, and every refusal is told in words', () =>
  fc.assert(
    fc.property(fc.constantFrom(...(Object.keys(schemas) as Body[])), anything, (body, value) => {
      const result = schemas[body].safeParse(value)
      if (result.success) return
      const issues = schemaIssues(schemas[body], value, result.error)
      expect(issues.length).toBeGreaterThan(0)
      for (const { message } of issues)
        expect(message).not.toMatch(/^(Invalid|Too |Unrecognized|Expected)|undefined|NaN/)
    }),
  ))

test('rules take time in proportion to a document', () => {
  const many = Array.from({ length: 100_000 }, (_, index) => ({ name: `R${index}` }))
  const document = { vatom: { 'vAtom::vAtomType': { states: many, resources: many } } }
  const names = { resources: many.map(({ name }) => `x${name}`.repeat(20)) }
  expect(ruleIssues('template', document, {}).map(({ rule }) => rule)).toEqual(['size'])
  expect(overlayIssues(document, document)).toEqual([])
  expect(faceResourceIssues({ resources: many.map(({ name }) => name) }, document)).toEqual([])
  expect(
    JSON.stringify(faceResourceIssues({ resources: names.resources.slice(0, 1000) }, document)).length,
  ).toBeLessThan(1e6)
})
