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
