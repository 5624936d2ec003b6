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

test('an address has no more places than it leaves to others, and a user there no more than a user may have', async () => {
  const turns = new Turns({ atOnce: 16, atOnceOfLine: (free) => [free, 3], waiting: 100 })
  const running: string[] = []
  const ends: (() => void)[] = []
  const takes = (count: number, ...line: string[]) =>
    Array.from({ length: count }, () =>
      turns.take(
        () => {
          running.push(line.join(' '))
          return new Promise<void>((end) => ends.push(end))
        },
        { line },
      ),
    )
  const all = [
    ...takes(5, 'a', '1'),
    ...takes(5, 'a', '2'),
    ...takes(5, 'a', '3'),
    ...takes(5, 'b', '1'),
    ...takes(5, 'b', '2'),
  ]
  const count = (of: string) => running.filter((one) => one.startsWith(of)).length
  expect([count('a'), count('a 1'), count('a 2'), count('a 3')]).toEqual([8, 3, 3, 2])
  expect([count('b'), count('b 1'), count('b 2')]).toEqual([4, 3, 1])
  all.push(...takes(1, 'c', '1'))
  expect(count('c')).toBe(1)
  while (running.length < all.length) {
    for (const end of ends.splice(0)) end()
    await nextTurn()
  }
  for (const end of ends) end()
  await Promise.all(all)
  expect(turns.isIdle).toBe(true)
})

test('a place that is given up is taken by all that may begin then', async () => {
  const turns = new Turns({ atOnce: 15, atOnceOfLine: (free) => [free], waiting: 10 })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const take = (name: string) =>
    turns.take(
      () => {
        begun.push(name)
        return new Promise<void>((end) => ends.set(name, end))
      },
      { line: [name.slice(0, 1)] },
    )
  const end = async (...names: readonly string[]) => {
    for (const name of names) {
      ends.get(name)?.()
      await nextTurn()
    }
  }
  const named = (letter: string, count: number) => Array.from({ length: count }, (_, index) => `${letter}${index + 1}`)
  const ended = [...named('a', 8), ...named('b', 6)].map(take)
  expect(begun).toEqual([...named('a', 8), ...named('b', 4)])
  await end('a1', 'a2', 'a3')
  ended.push(take('a9'))
  expect(begun.slice(12)).toEqual(['b5'])
  await end('a4')
  expect(begun.slice(12)).toEqual(['b5', 'b6', 'a9'])
  await end(...begun)
  await Promise.all(ended)
})
