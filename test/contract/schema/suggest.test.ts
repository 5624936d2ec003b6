import { codes as currencies } from 'currency-codes'
import languages from 'iso-639-1'
import { expect, test } from 'vitest'
import { didYouMean, suggest } from '../../../src/contract/schema/suggest.ts'

test.each([
  ['local.vatom::Cupon::v1', 'local.vatom::Coupon::v1'],
  ['local.vatom::Coupon', 'local.vatom::Coupon::v1'],
  ['vAtom::vAtomType.owners', 'vAtom::vAtomType.owner'],
  ['Owner', 'owner'],
  ['owner', 'vAtom::vAtomType.owner'],
  ['hlep', 'help'],
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

test.each([
  ['YEN', 'JPY'],
  ['RMB', 'CNY'],
  ['SFr.', 'CHF'],
  ['€', 'EUR'],
  ['KR', 'SEK or NOK or DKK or ISK'],
  ['eur', 'EUR'],
  ['Eur', 'EUR'],
  ['EUD', undefined],
  ['CHD', undefined],
  ['BTC', undefined],
  ['USDT', undefined],
])('%s can mean the currency %s, and none that differs in a letter', (word, meant) => {
  expect(didYouMean(word, currencies())).toBe(meant && `did you mean ${meant}?`)
})

test.each([
  ['EN', 'en'],
  ['en-US', 'en'],
  ['de_CH', 'de'],
  ['jp', 'ja'],
  ['eng', 'en'],
  ['xx', undefined],
])('%s can mean the language %s', (word, meant) => {
  expect(didYouMean(word, languages.getAllCodes())).toBe(meant && `did you mean ${meant}?`)
})

test('a text that is too long for a word means none, as if it were one without its dots', () => {
  expect(didYouMean('...jp', ['ja'])).toBe('did you mean ja?')
  expect(didYouMean('jp'.padStart(100, '.'), ['ja'])).toBeUndefined()
})

test('of hundreds of short names a mistaken one means the nearest, as they are no list of codes', () => {
  const names = Array.from({ length: 500 }, (_, index) => (index + 1296).toString(36))
  expect(suggest('10_', names)).toBe('100')
  expect(suggest('10_', names.slice(0, 400))).toBeUndefined()
})

test('of hundreds of long names a mistaken one means the one that differs in a place', () => {
  const names = Array.from({ length: 200 }, (_, index) => `${index}`.padStart(3, '0').repeat(20))
  expect(suggest(`${names[150]}`.replace('1', 'x'), names)).toBe(names[150])
  expect(suggest('y'.repeat(60), names)).toBeUndefined()
})
