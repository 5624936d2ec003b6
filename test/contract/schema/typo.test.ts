import { expect, test } from 'vitest'
import { typo } from '../../../src/contract/schema/typo.ts'

const among = (...names: string[]) => new Set(names)

test.each([
  ['acme::Cofee::v1', 'acme::Coffee::v1'],
  ['Coffee::v1', 'acme::Coffee::v1'],
  ['Coffee', 'acme::Coffee::v1'],
  ['acme::Coffee', 'acme::Coffee::v1'],
])('%s means the only name that it misspells', (name, meant) => {
  expect(typo(name, among('acme::Tea::v1', meant, 'acme::Cocoa::v1'))).toBe(meant)
})

test.each([
  ['acme::Coffee::v2', 'acme::Coffee::v1'],
  ['acme::Cup1::v1', 'acme::Cup2::v1'],
  ['acme::Te::v1', 'acme::Tea::v1'],
  ['acme::Cofee::Cup::v1', 'acme::Coffee::v1'],
  ['acme::Cofee::v1', 'acne::Coffee::v1'],
  ['acme::Coffee::v1', 'acme::Coffee::v1'],
])('%s is no misspelling of %s', (name, other) => {
  expect(typo(name, among(other))).toBeUndefined()
})

test('a longest part is compared, and a longer one not', () => {
  const name = (letters: string) => `acme::${letters}::v1`
  const [long, longer] = ['x'.repeat(63), 'x'.repeat(64)]
  expect(typo(name(`${long}y`), among(name(`${long}z`)))).toBe(name(`${long}z`))
  expect(typo(name(`${longer}y`), among(name(`${longer}z`)))).toBeUndefined()
})

test('of several the first is meant', () => {
  expect(typo('acme::Cofee::v1', among('acme::Coffees::v1', 'acme::Coffee::v1'))).toBe('acme::Coffees::v1')
})

test('of thousands of names each is compared with thousands of others', () => {
  const letters = (at: number) => [...String(at)].map((digit) => 'abcdefghij'[Number(digit)]).join('')
  const names = among(...Array.from({ length: 2000 }, (_, at) => `acme::Coupon${letters(at)}::v1`))
  for (let times = 0; times < 3; times++)
    for (let at = 0; at < 2000; at++) expect(typo(`acme::Ticket${letters(at)}::v1`, names)).toBeUndefined()
})
