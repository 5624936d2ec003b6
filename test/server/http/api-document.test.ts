import { expect, test } from 'vitest'
import { apiDocument } from '../../../src/server/http/api-document.ts'

test('those who wait for the OpenAPI document while it is made are answered in turns', async () => {
  const document = apiDocument('local')
  let turn = 0
  const count = () => {
    turn++
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  const answeredIn = async () => {
    await document('http://127.0.0.1:4100')
    return turn
  }
  const turns = await Promise.all(Array.from({ length: 50 }, answeredIn))
  clearImmediate(next)
  expect(new Set(turns).size).toBeGreaterThan(25)
})
