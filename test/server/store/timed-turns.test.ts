import { expect, onTestFinished, test, vi } from 'vitest'
import { TimedTurns } from '../../../src/server/store/timed-turns.ts'
import { gate } from '../../support/action-handler.ts'

/** One piece of work at a time, each of which takes as long as its name says; `order` has those that have begun. */
function turns() {
  const time = { now: 0 }
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => time.now)
  onTestFinished(() => clock.mockRestore())
  const all = new TimedTurns({ atOnce: 1 })
  const order: string[] = []
  const take = ([address, user, length]: readonly [string, string, number]) =>
    all.take(
      async () => {
        order.push(user)
        await Promise.resolve()
        time.now += length
      },
      { line: [address, user], isFirst: address === 'publisher' },
    )
  return { all, order, take, time }
}

test('whoever took the least of late is next, of however many others', async () => {
  const { all, order, take } = turns()
  const many = ['a', 'b', 'c', 'd'].map((user) => [user, user, 100] as const)
  await Promise.all(many.map(take))
  await Promise.all([...many, ['here', 'x', 10] as const, ['here', 'x', 10] as const].map(take))
  expect(order.join('')).toBe('abcdaxxbcd')
  expect(all.waiting).toBe(0)
})

test('addresses share the time, and so do the users of each', async () => {
  const { order, take } = turns()
  const there = ['a', 'b', 'a', 'c'].map((user) => ['there', user, 100] as const)
  await Promise.all([...there, ['here', 'x', 60] as const, ['here', 'x', 60] as const].map(take))
  expect(order.join('')).toBe('axxbca')
})

test('what was taken long ago counts no more', async () => {
  const { order, take, time } = turns()
  await take(['1', 'a', 100])
  time.now += 100_000
  await take(['2', 'b', 10])
  await Promise.all([take(['3', 'c', 50]), take(['2', 'b', 10]), take(['1', 'a', 10])])
  expect(order.join('')).toBe('abcab')
})

test('as many run at once as may, and all have run when it is drained', async () => {
  const all = new TimedTurns({ atOnce: 2 })
  let running = 0
  const seen: number[] = []
  const work = async () => {
    seen.push(++running)
    await new Promise((resolve) => setTimeout(resolve, 5))
    running--
  }
  const taken = [1, 2, 3, 4, 5].map(() => all.take(work, { line: ['', ''], isFirst: false }))
  expect(all.waiting).toBe(3)
  await all.drained()
  expect([running, seen.length, Math.max(...seen)]).toEqual([0, 5, 2])
  await Promise.all(taken)
})

test('work that fails is followed by the next', async () => {
  const { order, all, take } = turns()
  const failing = all.take(() => Promise.reject(new Error('no')), { line: ['', 'a'], isFirst: false })
  await Promise.all([expect(failing).rejects.toThrow('no'), take(['', 'b', 1])])
  expect(order).toEqual(['b'])
})

test('every second turn is of whoever is first', async () => {
  const { order, take } = turns()
  const there = ['a', 'b', 'c'].map((user) => ['there', user, 10] as const)
  const publisher = ['publisher', 'P', 100] as const
  await Promise.all([...there, publisher, publisher, publisher].map(take))
  expect(order.join('')).toBe('aPbPcP')
})

/** What is asked for at a gate: `a@here` and `b@here` are two users at an address. */
function bounded() {
  const all = new TimedTurns({ atOnce: 1, ofWaiting: { waiting: 4, waitingOfLines: [3, 2], refusal: 'too much' } })
  const held = gate()
  const order: string[] = []
  const take = async (who: string, isGone: (() => boolean) | undefined = () => false) => {
    const [user = '', address = ''] = who.split('@')
    const asking = { line: [address, user], isFirst: user === 'publisher', isGone }
    return await all.take(() => held.opened.then(() => order.push(who)), asking).catch((error) => error.message)
  }
  return { all, held, order, take }
}
const tooMuch = expect.stringContaining('too much')

test('what waits is bounded by user, by address and in all; an address with nothing that waits is not refused', async () => {
  const { all, held, take } = bounded()
  const taken = ['run@1', 'a@1', 'a@1'].map((who) => take(who))
  expect(await take('a@1')).toEqual(tooMuch)
  taken.push(take('b@1'))
  expect(await take('c@1')).toEqual(tooMuch)
  taken.push(take('d@2'))
  expect([await take('e@2'), await take('d@2')]).toEqual([tooMuch, tooMuch])
  taken.push(take('f@3'), take('publisher@1'), take('publisher@1'))
  expect(await take('publisher@1')).toEqual(tooMuch)
  expect(all.waiting).toBe(7)
  held.open()
  expect(await Promise.all(taken)).not.toContainEqual(tooMuch)
})

test('whoever is gone takes no room from others who would wait', async () => {
  const { all, held, order, take } = bounded()
  const gone = { is: false }
  const taken = ['run@1', 'a@1', 'a@1'].map((who) => take(who, () => gone.is))
  gone.is = true
  taken.push(take('a@1'))
  expect(all.waiting).toBe(1)
  held.open()
  await Promise.all(taken)
  expect(order).toEqual(['run@1', 'a@1'])
})

test('what goes on with something is refused only at the end, what has begun never', async () => {
  const { all, held, order, take } = bounded()
  const going = { line: ['1', 'a'], isFirst: false }
  const begun = take('run@1')
  const waiting = take('a@1')
  const goesOn = [1, 2, 3].map(() => all.take(() => held.opened, going))
  all.close()
  const closing = expect.stringContaining('closing')
  expect([await waiting, await take('b@1')]).toEqual([closing, closing])
  expect(all.waiting).toBe(3)
  all.end()
  for (const one of goesOn) await expect(one).rejects.toThrow('closing')
  await expect(all.take(() => held.opened, going)).rejects.toThrow('closing')
  held.open()
  await begun
  expect(order).toEqual(['run@1'])
})
