import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fileNames } from '../../../../src/cli/catalog/pull/file-names.ts'

const named = (...templates: string[]) => [...fileNames(templates).values()]

test.each([
  ['acme.com::FreeCoffee::v1', 'free-coffee'],
  ['acme.com::FreeTea_2::v1', 'free-tea-2'],
  ['acme.com::Coffee::v12', 'coffee.v12'],
  ['acme.com::Coffee', 'coffee'],
  ['acme.com::Coffee::Large::v1', 'coffee-large'],
  ['acme.com::../../etc::v1', 'etc'],
  ['acme.com::💥::v1', 'template'],
  ['acme.com::CON::v1', 'template-con'],
  ['acme.com::Vatom::v1', 'template-vatom'],
  ['acme.com::Vatom::v2', 'template-vatom.v2'],
  [`acme.com::${'x'.repeat(256)}::v1`, 'x'.repeat(80)],
  ['acme.com::KäseBrötchen::v1', 'käse-brötchen'],
  ['acme.com::Ka\u0308se::v1', 'k\u00e4se'],
  ['acme.com::珈琲 チケット::v1', '珈琲-チケット'],
  ['acme.com::КофеДаром::v2', 'кофе-даром.v2'],
  [`acme.com::${'茶'.repeat(256)}::v1`, '茶'.repeat(26)],
  [`acme.com::${'x'.repeat(79)}${'q\u0323'.repeat(9)}::v1`, 'x'.repeat(79)],
])('%s is in %s', (template, name) => {
  expect(named(template)).toEqual([name])
})

test('of templates that come to the same, the first by name has the plain one, whatever their order', () => {
  const templates = ['a::Coffee::v1', 'a::COFFEE::v1', 'a::Coffee', `a::${'x'.repeat(90)}`, `a::${'x'.repeat(91)}`]
  const names = fileNames(templates)
  expect(names).toEqual(fileNames([...templates].reverse()))
  expect(names.get('a::COFFEE::v1')).toBe('coffee')
  expect(names.get('a::Coffee')).toMatch(/^coffee\.[0-9a-f]{12}$/)
  expect(new Set(names.values()).size).toBe(5)
})

test('any names are apart without case, short, and safe everywhere', () => {
  const part = fc.string({
    unit: fc.constantFrom(...Array.from('aAb_-.1:/ éÉß茶\u202e'), 'e\u0301', 'SS'),
    maxLength: 120,
  })
  fc.assert(
    fc.property(fc.array(fc.tuple(part, fc.constantFrom('', '::v1', '::v2')), { maxLength: 40 }), (parts) => {
      const templates = [...new Set(parts.map(([name, version]) => `acme.com::${name}${version}`))]
      const names = named(...templates)
      expect(new Set(names.map((name) => name.normalize('NFD').toUpperCase())).size).toBe(templates.length)
      for (const name of names) expect(name).toMatch(/^[a-z0-9éß茶][a-z0-9éß茶-]*(\.v\d{1,9})?(\.[0-9a-f]{12})?$/)
      for (const name of names) expect(Buffer.byteLength(name)).toBeLessThan(120)
    }),
  )
})
