import { expect, test } from 'vitest'
import { messageOf, parseJson } from '../../src/contract/unknown-values.ts'

test('says what was thrown, an error or anything else', () => {
  expect(messageOf(new TypeError('no such thing'))).toBe('no such thing')
  expect(messageOf('a text')).toBe('a text')
  expect(messageOf(undefined)).toBe('undefined')
})

test('reads JSON, and takes what is none for undefined', () => {
  expect(parseJson('{"a": [1]}')).toEqual({ a: [1] })
  expect(parseJson('null')).toBeNull()
  expect(parseJson('{')).toBeUndefined()
})
