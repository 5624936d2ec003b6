import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { withRests } from '../../../../src/server/store/database/rests.ts'

test('work that took long is followed by a rest that is some times as long, also where it failed', async () => {
  const rested = withRests(4, 20)
  const begun = performance.now()
  const took = async (milliseconds: number) => {
    await rested(() => setTimeout(milliseconds))
    return performance.now()
  }
  const short = await took(1)
  expect(short - begun).toBeLessThan(100)
  await expect(rested(() => setTimeout(100).then(() => Promise.reject(new Error('too long'))))).rejects.toThrow()
  const failed = performance.now()
  const next = await took(1)
  expect(next - failed).toBeGreaterThanOrEqual(4 * 80 - 20)
  expect((await took(1)) - next).toBeLessThan(300)
})
