import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Rests } from '../../../../src/server/store/database/rests.ts'

test('work that took long is followed by a rest that is some times as long, also where it failed', async () => {
  const rests = new Rests(4, 50)
  const begun = performance.now()
  await rests.after(() => setTimeout(1))
  await rests.rest()
  expect(performance.now() - begun).toBeLessThan(50)
  const failing = setTimeout(100).then(() => Promise.reject(new Error('too long')))
  await expect(rests.after(() => failing)).rejects.toThrow('too long')
  const failed = performance.now()
  await rests.rest()
  expect(performance.now() - failed).toBeGreaterThanOrEqual(4 * 98 - 10)
  const rested = performance.now()
  await rests.rest()
  expect(performance.now() - rested).toBeLessThan(50)
})
