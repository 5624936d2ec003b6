import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Turns } from '../../../src/server/store/turns.ts'

test('the end of all work can be waited for, however much waits', async () => {
  const turns = new Turns({ atOnce: 1, waiting: 2 })
  const ended: string[] = []
  const work = (name: string) =>
    turns.take(async () => {
      await nextTurn()
      ended.push(name)
    })
  await turns.drained()
  const all = ['a', 'b', 'c'].map(work)
  expect(() => work('d')).toThrow(expect.objectContaining({ kind: 'busy' }))
  await turns.drained()
  expect(ended).toEqual(['a', 'b', 'c'])
  await Promise.all(all)
})
