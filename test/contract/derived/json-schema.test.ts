import Ajv2020 from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jsonSchemaFor } from '../../../src/contract/derived/json-schema.ts'
import { at, isObject } from '../../../src/contract/schema/path.ts'
import { type SchemaKind, schemaKinds } from '../../../src/contract/values.ts'
import { mutated, valid } from '../../fixtures/arbitraries.ts'
import { bodies } from '../../fixtures/samples.ts'
import { put, schemas } from '../../support/issues.ts'

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
const validators = new Map(schemaKinds.map((kind) => [kind, ajv.compile(jsonSchemaFor(kind))]))
const accepts = (kind: SchemaKind, document: unknown) => validators.get(kind)?.(document) === true

describe.each(schemaKinds)('%s', (kind) => {
  const schema = jsonSchemaFor(kind)

  test('is a titled, described JSON Schema of draft 2020-12 that stands alone', () => {
    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: `urn:vatom:schema:v1:${kind}`,
      title: expect.any(String),
      description: expect.any(String),
      type: 'object',
    })
    expect(ajv.validateSchema(schema)).toBe(true)
    for (const [, path = ''] of JSON.stringify(schema).matchAll(/"\$ref":"#\/([^"]+)"/g))
      expect(at(schema, ...path.split('/')), path).toBeDefined()
    expect(JSON.stringify(schema)).not.toContain('"$ref":"#/components')
  })
  test('it is the same every time', () => expect(jsonSchemaFor(kind)).toEqual(schema))
  test('every field that is written by hand is described', () => expect(undescribed(schema)).toEqual([]))
  test('takes $schema and, where documents have kinds, kind; neither is required', () => {
    const document = bodies[kind]()
    expect(accepts(kind, document)).toBe(true)
    expect(accepts(kind, { $schema: './face.json', ...document })).toBe(true)
    const hasKind = (['template', 'variation', 'face', 'action'] as readonly string[]).includes(kind)
    expect(accepts(kind, { ...document, kind })).toBe(hasKind)
    expect(accepts(kind, { ...document, kind: 'other' })).toBe(false)
  })
  test('accepts every valid document', () =>
    fc.assert(
      fc.property(valid[kind], (document) => {
        expect(schemas[kind].safeParse(document).error).toBeUndefined()
        expect(accepts(kind, document), JSON.stringify(validators.get(kind)?.errors)).toBe(true)
      }),
    ))
  test('accepts and refuses the same documents as the service', () =>
    fc.assert(
      fc.property(mutated(kind), (document) => {
        expect(accepts(kind, document)).toBe(schemas[kind].safeParse(document).success)
      }),
      { numRuns: 200 },
    ))
})

const boundaries: readonly [SchemaKind, string, unknown][] = [
  ['profile', 'first_name', '😀'.repeat(64)],
  ['profile', 'first_name', '😀'.repeat(65)],
  ['profile', 'birthday', '2024-02-29'],
  ['profile', 'birthday', '1900-02-29'],
  ['profile', 'language', ''],
  ['profile', 'language', 'xx'],
  ['discover', 'scope.value', 'a,b,c,d,e'],
  ['discover', 'scope.value', 'a,b,c,d,e,f'],
  ['discover', 'scope.value', '😀'.repeat(1280)],
  ['discover', 'scope.key', 'private.\n'],
  ['discover', 'scope.key', 'private.'],
  ['discover', 'filters.0.filter_elems.0.value', '😀'.repeat(1025)],
  ['action', 'reactor', 'acme://stamp/x'],
  ['action', 'reactor', 'acme://\u001bstamp'],
  ['action', 'reactor', 'acme://sta\u0085mp'],
  ['template', 'template', `acme::${'😀'.repeat(250)}`],
  ['template', 'template', `acme::${'😀'.repeat(251)}`],
  ['template', 'template', 'acme::\u0000'],
  ['template', 'template', 'acme::\u0085'],
  ['template', '~.commerce.pricing.value.price', '1e5'],
  ['template', '~.commerce.pricing.value.price', 1e5],
  ['template', '~.commerce.pricing.value.valid_from', '2027-12-31T23:59:59'],
  ['template', '~.commerce.pricing.value.currency', 'XXX'],
  ['template', 'eth', { network: 'testnet', fields: { '': { type: 'bool', value: true } } }],
  ['template', 'eth', { network: 'testnet', fields: { a: { type: 'uint', value: -0 } } }],
  ['template', 'eth', { network: 'testnet', fields: { a: { type: 'uint', value: 5e-324 } } }],
  ['face', 'display_url', 'https://a\n'],
  ['action', 'reactor', 'Blockv://v1/Transfer'],
  ['action', 'reactor', `acme://${'x'.repeat(249)}`],
  ['action', 'reactor', `acme://${'x'.repeat(250)}`],
  ['action', 'reactor', 'acme://a\n'],
  ['action', 'timeout', 60_000],
  ['action', 'timeout', 60_001],
  ['action', 'timeout', 1.5],
  ['action', 'limit_per_user', -1],
  ['action', 'policy.rule', '😀'.repeat(65_536)],
  ['action', 'params.input', ['😀'.repeat(257)]],
  ['variation', 'cloning_gain', 1.0001],
  ['variation', 'max_clones', 1_000_000_001],
  ['variation', 'max_clones', null],
  ['template', 'eos', { network: 'x'.repeat(257), fields: {} }],
  ['template', 'eos', null],
]
test.each(boundaries)('%s %s = %j: alike in both', (kind, place, value) => {
  const document = put(bodies[kind](), place, value)
  expect(accepts(kind, document)).toBe(schemas[kind].safeParse(document).success)
})

/** Places of properties that have neither a description nor a reference to a schema that has one. */
function undescribed(schema: unknown, place = ''): string[] {
  if (Array.isArray(schema)) return schema.flatMap((inner) => undescribed(inner, place))
  if (!isObject(schema)) return []
  const own = isObject(schema.properties)
    ? Object.entries(schema.properties).filter(([name]) => !/^(type|value|.*policy.*|auto_.*|weighted_.*)$/.test(name))
    : []
  const missing = own.filter(([, property]) => !at(property, 'description') && !at(property, '$ref'))
  const inner = Object.entries(schema).flatMap(([key, child]) => undescribed(child, `${place}.${key}`))
  return [...missing.map(([name]) => `${place}.${name}`), ...inner]
}
