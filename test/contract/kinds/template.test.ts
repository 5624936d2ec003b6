import { describe, expect, test } from 'vitest'
import { ruleIssues } from '../../../src/contract/rules/document-rules.ts'
import { bodies } from '../../fixtures/samples.ts'
import { cases, errorsOf, put, warningsOf } from '../../support/issues.ts'

describe('configuration', () => {
  cases('2.2', 'template', [
    ['template', 'acme::Coupon::v1', 'ok'],
    ['template', '$publisher::Coupon::v1', 'ok'],
    ['template', 'acme::Coupon', 'ok'],
    ['template', 'acme::Kaffee-Gutschein ☕::v1', 'ok'],
    ['template', undefined, 'required', /template is required/],
    ['template', '', 'length', /must not be empty/],
    ['template', 1, 'type'],
    [
      'template',
      'other::Coupon::v1',
      'publisher-name',
      /must begin with acme::.*write \$publisher::Coupon::v1 in a file: it stands for acme::Coupon::v1\)/,
    ],
    ['template', 'acmecorp::Coupon::v1', 'publisher-name'],
    ['template', 'Acme::Coupon::v1', 'publisher-name'],
    ['template', 'Coupon', 'publisher-name', /write \$publisher::Coupon in a file: it stands for acme::Coupon\)/],
    ['template', '::Coupon', 'publisher-name'],
    [
      'template',
      'Coupon::v1',
      'publisher-name',
      /write \$publisher::Coupon::v1 in a file: it stands for acme::Coupon::v1\)/,
    ],
    ['template', 'other.com::v1', 'publisher-name', /write \$publisher::v1 in a file: it stands for acme::v1\)/],
    ['template', 'acme::', 'publisher-name', /nothing after ::/],
    ['template', '$publisher::', 'publisher-name', /nothing after ::/],
    ['template', 'acme::a\nb', 'format', /control characters/],
    ['template', 'acme::\ud800', 'format'],
    ['template', `acme::${'x'.repeat(250)}`, 'ok'],
    ['template', `acme::${'😀'.repeat(250)}`, 'ok'],
    ['template', `acme::${'x'.repeat(251)}`, 'length', /at most 256 characters/],
    ['cloneable', true, 'ok'],
    ['cloneable', 'yes', 'type', /true or false, not the string "yes"/],
    ['unpublished', true, 'ok'],
    ['unpublished', false, 'ok'],
    ['unpublished', 'no', 'type'],
    ['public', true, 'ok'],
    ['public', null, 'type'],
    ['eth', undefined, 'ok'],
    ['title', 'x', 'unknown-field', /unknown field title/],
    ['clonable', true, 'unknown-field', /did you mean cloneable/],
  ])
  cases('4.6', 'template', [
    ['vatom', undefined, 'required', /vatom is required/],
    ['template', undefined, 'required'],
    ['vatom', null, 'type', /must be an object, not null/],
    ['vatom', [], 'type', /must be an object, not a list/],
  ])

  test('§2.2 without a known publisher a name still has a domain and ::', () => {
    const found = (name: string) => ruleIssues('template', { template: name }, {}).filter((i) => i.severity === 'error')
    expect(found('any::Coupon')).toEqual([])
    expect(found('Coupon')).toMatchObject([{ rule: 'publisher-name', hint: 'write $publisher::Coupon' }])
    expect(found('::Coupon')).toMatchObject([{ rule: 'publisher-name' }])
  })
  test.each([
    ['acme::Coupon::v1', []],
    ['acme::Coupon::v12', []],
    ['acme::Coupon', ['template name-version']],
    ['acme::Coupon::v', ['template name-version']],
    ['acme::v1::Coupon', ['template name-version']],
  ])('§9 the version suffix of %s is advice: %j', (name, warnings) => {
    const document = put(bodies.template(), 'template', name)
    expect(errorsOf('template', document)).toEqual([])
    expect(warningsOf('template', document)).toEqual(warnings)
  })
})

describe('eth', () => {
  const eth = { network: 'testnet', fields: { points: { type: 'uint', value: 1 } } }
  const base = put(bodies.template(), 'eth', eth)
  cases(
    '2.3',
    'template',
    [
      ['eth.network', 'mainnet', 'ok'],
      ['eth.network', 'ropsten', 'value', /must be one of mainnet, testnet/],
      ['eth.network', undefined, 'required'],
      ['eth.symbol', 'CPN', 'ok'],
      ['eth.symbol', 1, 'type'],
      ['eth.fields', {}, 'ok'],
      ['eth.fields', undefined, 'required', /eth.fields is required/],
      ['eth.fields', [], 'type'],
      ['eth.fields', { '': { type: 'bool', value: true } }, 'format @ eth.fields.'],
      ['eth.fields.points.type', 'int', 'value', /bool, uint, string/],
      ['eth.fields.points.type', undefined, 'required'],
      ['eth.fields.points.value', undefined, 'required'],
      ['eth.fields.points.value', '1', 'ok'],
      ['eth.fields.points.value', Number.MAX_SAFE_INTEGER, 'ok'],
      ['eth.fields.points.value', 2 ** 53, 'range', /must be a string beyond 9007199254740991: .*quote it/],
      ['eth.fields.points.value', 1e300, 'range', /quote it/],
      ['eth.fields.points.value', String(2n ** 256n - 1n), 'ok'],
      ['eth.fields.points.value', '0'.repeat(78), 'ok'],
      ['eth.fields.points.value', String(2n ** 256n), 'range', /at most 2\^256 - 1/],
      ['eth.fields.points.value', '9'.repeat(78), 'range'],
      ['eth.fields.points.value', 0, 'ok'],
      ['eth.fields.points.value', -1, 'range', /whole number of 0 or more/],
      ['eth.fields.points.value', 1.5, 'value', /whole number of 0 or more/],
      ['eth.fields.points.value', '-1', 'format', /whole number of 0 or more/],
      ['eth.fields.points.value', '9'.repeat(79), 'format'],
      ['eth.fields.points.value', true, 'value'],
      ['eth.fields.points.unit', 'x', 'unknown-field'],
      ['eth.fields.flag', { type: 'bool', value: true }, 'ok'],
      ['eth.fields.flag', { type: 'bool', value: 'false' }, 'ok'],
      ['eth.fields.flag', { type: 'bool', value: 'yes' }, 'value @ eth.fields.flag.value', /true or false/],
      ['eth.fields.flag', { type: 'bool', value: 1 }, 'value @ eth.fields.flag.value'],
      ['eth.fields.label', { type: 'string', value: '' }, 'ok'],
      ['eth.fields.label', { type: 'string', value: 1 }, 'type @ eth.fields.label.value'],
      ['eth.gas', 1, 'unknown-field'],
      ['vatom.eth', eth, 'unknown-field', /beside vatom/],
    ],
    base,
  )
})

describe('eos', () => {
  const eos = { network: 'veos-test', fields: { points: { type: 'uint', value: 1 } } }
  const base = put(bodies.template(), 'eos', eos)
  cases(
    '2.2',
    'template',
    [
      ['eos', undefined, 'ok'],
      ['eos', null, 'type', /must be an object, not null/],
      ['eos.network', 'veos-main', 'ok'],
      ['eos.network', 'mainnet', 'ok'],
      ['eos.network', '', 'length'],
      ['eos.network', 1, 'type'],
      ['eos.network', undefined, 'required', /eos.network is required/],
      ['eos.symbol', 'CPN', 'ok'],
      ['eos.symbol', null, 'type'],
      ['eos.fields', {}, 'ok'],
      ['eos.fields', undefined, 'required', /eos.fields is required/],
      ['eos.fields.points.type', 'int', 'value', /bool, uint, string/],
      ['eos.fields.points.value', -1, 'range', /whole number of 0 or more/],
      ['eos.fields.flag', { type: 'bool', value: 'no' }, 'value @ eos.fields.flag.value'],
      ['eos.contract', 'x', 'unknown-field'],
      ['vatom.eos', eos, 'unknown-field', /write eos beside vatom, not in it/],
    ],
    base,
  )
  test.each(['template', 'variation'] as const)('§2.2 a %s with eos is accepted with a warning', (kind) => {
    const document = { ...bodies[kind](), eos }
    expect(errorsOf(kind, document)).toEqual([])
    expect(warningsOf(kind, document)).toEqual(['eos eos-unspecified'])
    expect(warningsOf(kind, { ...bodies[kind](), eth: { network: 'testnet', fields: {} } })).toEqual([])
  })
  test.each([undefined, null])('§2.2 %s is no section to warn about', (value) => {
    const rules = ruleIssues('variation', { ...bodies.variation(), eos: value }, {})
    expect(rules).toEqual([])
  })
})
