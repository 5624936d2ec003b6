import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonPieces } from '../../../src/cli/io/json-pieces.ts'

const whole = (value: unknown) => JSON.stringify(value, null, 2)

test('the pieces of any JSON value make up its text', () =>
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      expect([...jsonPieces(value)].join('')).toBe(whole(value))
    }),
  ))

test.each([[{ a: undefined, b: [undefined, { c: undefined }], d: 'line\nbreak' }], [{}], [[]], [{ a: [] }], [null]])(
  'the pieces of %j make up its text',
  (value) => expect([...jsonPieces(value)].join('')).toBe(whole(value)),
)

test('a long list comes in many pieces of about the same length', () => {
  const list = Array.from({ length: 10_000 }, (_, id) => ({ id, title: 'A coupon for a free coffee' }))
  const pieces = [...jsonPieces({ vatoms: list })]
  expect(pieces.length).toBeGreaterThan(8)
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(70_000)
})
