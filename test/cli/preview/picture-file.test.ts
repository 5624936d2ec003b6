import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pictureFiles } from '../../../src/cli/preview/pictures.ts'

const named = (...names: string[]) => [...pictureFiles(names).values()]
const longest = Buffer.byteLength('.fullscreen.android.png')

test.each([
  ['acme.com::Coffee::v1::Small cup', 'acme.com-Coffee-v1-Small-cup'],
  ['$publisher::Coffee::v1', 'publisher-Coffee-v1'],
  ['acme.com::夜::v1::First', 'acme.com-夜-v1-First'],
  ['acme.com::Ka\u0308se::v1', 'acme.com-K\u00e4se-v1'],
  ['acme.com::Ночь 💥 ليلة::v1', 'acme.com-Ночь-ليلة-v1'],
])('the pictures of %s begin with %s', (name, file) => {
  expect(named(name)).toEqual([file])
})

test('of vAtoms whose pictures would have the same name, the first keeps it, and the others are told apart', () => {
  const names = ['a.b::Tea::v1', 'a.b::TEA::v1', 'a.b::Tea::v1 💥', 'a.b::Tea::v1-🎉', 'a.b::Tea::v1::']
  const files = pictureFiles(names)
  expect(files).toEqual(pictureFiles([...names].reverse()))
  expect(files.get('a.b::TEA::v1')).toBe('a.b-TEA-v1')
  expect(files.get('a.b::Tea::v1')).toMatch(/^a\.b-Tea-v1\.[\da-f]{12}$/)
  const taken = `${files.get('a.b::Tea::v1')}`.replace('a.b-Tea', 'a.b::TEA')
  expect(new Set(named(...names, taken)).size).toBe(names.length + 1)
})

test('the pictures of any vAtoms are apart on every file system, and their names short enough', () => {
  const letters = [...Array.from('aA_-.1:/ éÉßẞıİςσΣ夜昼\u202e\ud800'), 'e\u0301', 'ss', '\u212b', 'x'.repeat(99)]
  const part = fc.string({ unit: fc.constantFrom(...letters), maxLength: 60 })
  fc.assert(
    fc.property(fc.uniqueArray(part, { maxLength: 40 }), (parts) => {
      const files = named(...parts.map((one) => `acme.com::${one}`))
      const onAnyDisk = files.map((file) => file.normalize('NFD').toLowerCase().toUpperCase().toLowerCase())
      expect(new Set(onAnyDisk).size).toBe(parts.length)
      for (const file of files) expect(file).toMatch(/^[\p{L}\p{M}\p{N}_.-]+$/u)
      for (const file of files) expect(Buffer.byteLength(file) + longest).toBeLessThanOrEqual(255)
    }),
  )
})
