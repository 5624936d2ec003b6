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

test('what began last is charged for its turn alone, however long nothing happens afterwards', async () => {
  const time = { now: 0 }
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => time.now)
  onTestFinished(() => clock.mockRestore())
  const turns = new LoopTurns()
  const work = (milliseconds: number) => () => {
    time.now += milliseconds
  }
  const later = async () => {
    for (let count = 0; count < 20; count++) await setImmediate()
  }
  turns.wait(['there', 'ann'], work(1))
  await later()
  time.now += 15_000
  let crowd = 0
  for (let count = 0; count < 1000; count++)
    turns.wait(['there', 'ann'], () => {
      crowd++
      time.now += 2
    })
  await setImmediate()
  let before: number | undefined
  turns.wait(['here', 'bob'], () => {
    before = crowd
  })
  const since = crowd
  await later()
  expect(since).toBeGreaterThan(0)
  expect(before).toBeLessThanOrEqual(since + 8)
})
