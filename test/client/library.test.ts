import { expect, test } from 'vitest'
import { connect } from '../../src/client/library.ts'

const baseUrl = 'http://127.0.0.1:1'

test.each([
  ['baseUrl', { baseUrl: '' }],
  ['baseUrl', { baseUrl: ' ' }],
  ['appId', { baseUrl, appId: '' }],
  ['accessToken', { baseUrl, accessToken: '' }],
  ['refreshToken', { baseUrl, refreshToken: '' }],
])('an empty %s, as of a variable that is not set, is refused: %j', (name, options) => {
  expect(() => connect(options)).toThrow(`${name} of connect is empty: give a value`)
})

test('what is left out has a default', () => {
  expect(() => connect({ baseUrl })).not.toThrow()
})

test.each([
  [Number.NaN, 'NaN'],
  [Number.POSITIVE_INFINITY, 'Infinity'],
  [-1, '-1'],
  [0, '0'],
  [0.5, '0.5'],
  [2 ** 31, '2147483648'],
  [JSON.parse('"30"'), 'the string "30"'],
  [JSON.parse('null'), 'null'],
])('a timeout that no request can wait is refused, with its unit: %s', (timeout, shown) => {
  expect(() => connect({ baseUrl, timeout })).toThrow(
    new TypeError(
      `timeout of connect must be a whole number of milliseconds from 1 to 2147483647, not ${shown}: give one, or leave it out for 30,000`,
    ),
  )
})

test.each([1, 30_000, 2 ** 31 - 1, undefined])('a timeout of whole milliseconds is taken: %s', (timeout) => {
  expect(() => connect({ baseUrl, ...(timeout !== undefined && { timeout }) })).not.toThrow()
})
