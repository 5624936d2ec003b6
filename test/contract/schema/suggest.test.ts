import { expect, test } from 'vitest'
import { suggest } from '../../../src/contract/schema/suggest.ts'

test.each([
  ['local.vatom::Cupon::v1', 'local.vatom::Coupon::v1'],
  ['local.vatom::Coupon', 'local.vatom::Coupon::v1'],
  ['vAtom::vAtomType.owners', 'vAtom::vAtomType.owner'],
  ['Owner', 'owner'],
  ['owner', 'vAtom::vAtomType.owner'],
])('%s can mean %s', (word, meant) => {
  expect(suggest(word, ['something::else', meant])).toBe(meant)
})

test.each([
  ['local.vatom::Nope::v1', 'local.vatom::Coupon::v1'],
  ['vAtom::vAtomType.title', 'vAtom::vAtomType.owner'],
  ['https://example.com/icon.png', 'https://example.com/card.png'],
])('%s does not mean %s, though most of both is the same', (word, other) => {
  expect(suggest(word, [other])).toBeUndefined()
})
