import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { LoopTurns } from '../../../src/server/store/loop-turns.ts'

test('what is gone takes no turn, however much of it waits', async () => {
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 10
    return now
  })
  onTestFinished(() => clock.mockRestore())
  const turns = new LoopTurns()
  const begun: string[] = []
  const wait = (name: string, isGone: boolean) =>
    turns.wait(
      ['here', 'ann'],
      () => begun.push(name),
      () => isGone,
    )
  for (let count = 0; count < 1000; count++) wait('gone', true)
  wait('there', false)
  for (let count = 0; count < 5; count++) await setImmediate()
  expect(begun).toEqual(['there'])
})
