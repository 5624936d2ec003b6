import { expect, test } from 'vitest'
import { ruleIssues } from '../../src/contract/rules.ts'
import { bodies } from './documents.ts'

type Json = Record<string, unknown>
const warnings = (kind: 'template' | 'variation' | 'face', document: unknown) =>
  ruleIssues(kind, document, { publisher: 'acme' }).map(({ rule, path }) => `${rule} ${path.join('.')}`)
const template = (builtIn: Json) => ({ ...bodies.template(), vatom: { 'vAtom::vAtomType': builtIn } })

const resource = (value: string, resourceValueType = 'ResourceValueType::URI') =>
  template({
    resources: [{ name: 'A', resourceType: 'ResourceType::Image::PNG', value: { resourceValueType, value } }],
  })

test.each(['https://acme.example/a.png', 'http://x/y%20z?q=1#f', 'data:image/png;base64,AA==', 'ipfs://bafy'])(
  'resource-url: %s is one',
  (url) => expect(warnings('template', resource(url))).toEqual([]),
)
test.each([
  '',
  'card.png',
  '//acme.example/a',
  'https://acme.example/a b.png',
  'https://acme.example/ä.png',
  'https://',
  'https://a/%zz',
  'https://a/<x>',
])('resource-url: "%s" is none', (url) => {
  expect(warnings('template', resource(url))).toEqual(['resource-url vatom.vAtom::vAtomType.resources.0.value.value'])
  expect(warnings('template', resource(url, 'ResourceValueType::Text'))).toEqual([])
})

const priced = (value: Json) => template({ commerce: { pricing: { value } } })
const place = 'validity vatom.vAtom::vAtomType.commerce.pricing.value'
test.each<[unknown, unknown]>([
  ['2027-01-02', '2027-01-01'],
  ['2027-01-02T00:00:00Z', '2027-01-01'],
  ['2027-01-01T12:00:00+02:00', '2027-01-01T09:59:59Z'],
])('validity: from %s through %s is never', (valid_from, valid_through) => {
  expect(warnings('template', priced({ valid_from, valid_through }))).toEqual([`${place}.valid_through`])
  expect(warnings('template', priced({ value: { valid_from, valid_through } }))).toEqual([
    `${place}.value.valid_through`,
  ])
})
test.each<[unknown, unknown]>([
  ['2027-01-01', '2027-01-01'],
  ['2027-01-01T23:00:00Z', '2027-01-01'],
  ['*', '2027-01-01'],
  ['2027-01-01', '*'],
  ['2027-01-01', undefined],
  [undefined, undefined],
])('validity: from %s through %s is some day', (valid_from, valid_through) =>
  expect(warnings('template', priced({ valid_from, valid_through }))).toEqual([]),
)

test('native-package: the same address, or a dot', () => {
  const face = (display_url: string, package_url: string) => ({ ...bodies.face(), display_url, package_url })
  expect(warnings('face', face('native://image', 'native://image'))).toEqual([])
  expect(warnings('face', face('native://image', '.'))).toEqual([])
  expect(warnings('face', face('https://acme.example', 'https://acme.example/a.zip'))).toEqual([])
  expect(warnings('face', face('native://image', 'https://acme.example/a.zip'))).toEqual(['native-package package_url'])
})
