import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withoutRepeated } from '../../src/client/repeated-secrets.ts'
import type { WireRequest } from '../../src/contract/api/wire.ts'

/** Characters that look encoded together, and others, some of which are made of them: %20 is a space, %41 is A, %33 is 3. */
const characters = [...'%%%+ 0123456AEFacefé-']

/** As long as no other word is taken for it. */
const secrets = fc.string({ unit: fc.constantFrom(...characters), minLength: 8, maxLength: 14 })
const surroundings = fc.string({ unit: fc.constantFrom(...characters), maxLength: 6 })

const encodedWholly = (character: string) => [...Buffer.from(character)].map((byte) => `%${byte.toString(16)}`).join('')

/** What encodes anything encodes each %; any other character may be encoded, too. */
const encodedInPart = (secret: string, choices: readonly boolean[]): string =>
  [...secret]
    .map((one, index) => {
      if (one === ' ' && choices[index]) return '+'
      return /[%+]/.test(one) || choices[index] ? encodedWholly(one) : one
    })
    .join('')

/** Enough that the letters of a secret, its %, and what is around it come in each order. */
const numRuns = 10_000

/** What is shown of a message that answers a request. */
const shown = (message: string, request: Partial<WireRequest>): string =>
  withoutRepeated(
    { method: 'POST', path: '/v1/user/login', headers: {}, ...request },
    { status: 400, headers: {}, body: JSON.stringify({ message }) },
  ).body

test('a password is not shown as it is, nor encoded in part, whatever stands around it', () => {
  fc.assert(
    fc.property(
      secrets,
      surroundings,
      surroundings,
      fc.array(fc.boolean(), { minLength: 14, maxLength: 14 }),
      (password, before, behind, choices) => {
        for (const repeated of [password, encodedInPart(password, choices)])
          expect(shown(`${before}${repeated}${behind}`, { body: JSON.stringify({ password }) })).not.toContain(repeated)
      },
    ),
    { numRuns },
  )
})

test('a token is not shown, whatever stands around it', () => {
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 8, maxLength: 14 })
  fc.assert(
    fc.property(digits, surroundings, surroundings, (token, before, behind) => {
      expect(shown(`${before}${token}${behind}`, { headers: { authorization: `Bearer ${token}` } })).not.toContain(
        token,
      )
    }),
    { numRuns },
  )
})

const almost = `${'a'.repeat(998)}b`

test.each([
  ['almost repeats the token again and again', '', almost, almost, 20_000],
  ['repeats a long password again and again', 'abcdefghijk', 'abcdefghijk', '***', 1_000_000],
  ['repeats a short password as a word again and again', 'pin1', 'pin1 ', '*** ', 1_000_000],
])('a long answer that %s is read once', (_, password, repeated, left, times) => {
  const request = {
    headers: { authorization: `Bearer ${'a'.repeat(999)}` },
    body: JSON.stringify({ password }),
  }
  const expected = JSON.stringify({ message: left.repeat(times) })
  expect(shown(repeated.repeat(times), request) === expected).toBe(true)
})

const escapes: readonly (readonly [string, (text: string) => string])[] = [
  ['PHP', (text) => text.replaceAll('/', '\\/')],
  ['.NET', (text) => text.replaceAll('+', '\\u002B').replaceAll('/', '\\u002f')],
]

test.each([
  ['behind a mark of the order of bytes', (token: string) => `\ufeff{"message":"${token} is bad"}`],
  ['in one of several lines', (token: string) => `{"a":1}\n{"message":"${token}"}\n`],
  ['in what was cut', (token: string) => `{"message":"${token} is b`],
  ['as a key', (token: string) => `{"${token}":"is bad"}`],
])('a token that is escaped as in JSON is not shown %s', (_, bodyWith) => {
  const token = 'abc/def+ghi/jklmnop=='
  for (const [, escaped] of escapes) {
    const { body } = withoutRepeated(
      { method: 'GET', path: '/v1/user', headers: { authorization: `Bearer ${token}` } },
      { status: 400, headers: {}, body: bodyWith(escaped(token)) },
    )
    expect(body).toBe(bodyWith('***'))
  }
})
