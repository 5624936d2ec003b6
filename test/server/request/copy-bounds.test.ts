import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { CopyBounds, type CopyHolder, NoCopyYet } from '../../../src/server/request/copy-bounds.ts'
import { copyOf } from '../../../src/server/store/memory-copy.ts'
import { openStore } from '../../../src/server/store/store.ts'
import { newDatabase } from '../../support/folders.ts'

const memory = 4000
const full = { kind: 'busy' }

/** Dry runs whose copies have been used by turns a moment ago. */
function world() {
  const bounds = new CopyBounds()
  const closed: string[] = []
  const run = (user: string, place: string, rest: { isFirst?: boolean; unusedFor?: number } = {}): CopyHolder => {
    const one: CopyHolder = {
      user,
      place,
      isFirst: rest.isFirst ?? false,
      unusedFor: () => rest.unusedFor ?? 1,
      close: async () => {
        closed.push(user)
        bounds.giveBack(one)
      },
    }
    return one
  }
  return { closed, run, take: (one: CopyHolder, bytes = 125) => bounds.take(one, bytes, memory), bounds }
}

/** What a copy is to grow to, which fails where it may not. */
function growth(bytes: number, size = 125) {
  let most = size
  return {
    limit: () => most,
    copy: {
      size: () => size,
      limitTo: (limit: number) => {
        most = limit
      },
    },
    change: async () => {
      if (bytes > most) throw Object.assign(new Error('database or disk is full'), { errcode: 13 })
      size = bytes
    },
  }
}

test('copies of a small database take more than its pages: there are as many as the memory has room for', async () => {
  const { run, take } = world()
  for (let index = 0; index < 7; index++) await take(run(`user${index}`, `10.0.0.${index}`, { unusedFor: 0 }), 1)
  await expect(take(run('more', '10.0.0.9'), 1)).rejects.toMatchObject(full)
})

test('a copy that does not fit alone is refused for good: nobody waits for room that there will not be', async () => {
  const { run, take } = world()
  await expect(take(run('large', '10.0.0.1'), 876)).rejects.toMatchObject({ kind: 'dryRunFull' })
  await take(run('large', '10.0.0.1'), 875)
})

describe('copies that others keep using', () => {
  test('make room at once for a publisher: first one that was not used for longer', async () => {
    const { closed, run, take } = world()
    for (const [index, unusedFor] of [5, 9, 7, 3].entries())
      await take(run(`guest${index}`, `10.0.0.${index}`, { unusedFor }))
    await take(run('publisher', '10.0.0.9', { isFirst: true }))
    expect(closed).toEqual(['guest1'])
  })

  test('make room for an address that has fewer, and for none that has as many', async () => {
    const { closed, run, take } = world()
    for (const user of ['a', 'b', 'c', 'd']) await take(run(user, 'crowd'))
    await take(run('other', 'elsewhere'))
    expect(closed).toEqual(['a'])
    await take(run('more', 'elsewhere'))
    expect(closed).toEqual(['a', 'b'])
    await expect(take(run('most', 'elsewhere'))).rejects.toMatchObject(full)
    await expect(take(run('back', 'crowd'))).rejects.toMatchObject(full)
    expect(closed).toEqual(['a', 'b'])
  })

  test('those that a request uses count, and make room once that is answered, but for none that grows', async () => {
    const { closed, run, take, bounds } = world()
    const growing = run('growing', 'there')
    await take(growing)
    for (const user of ['a', 'b', 'c']) await take(run(user, 'here', { unusedFor: 0 }))
    await expect(take(run('d', 'here'))).rejects.toMatchObject(full)
    const { copy, change } = growth(375)
    await expect(bounds.growing(growing, copy, memory, change)).rejects.toMatchObject({ kind: 'dryRunFull' })
    bounds.giveBack(growing)
    await take(growing)
    expect(closed).toEqual([])
    const next = run('e', 'there')
    await expect(take(next)).rejects.toMatchObject(full)
    expect(closed).toEqual(['a'])
    await take(next)
  })

  test('make no room for a user who has as many as one may have', async () => {
    const { closed, run, bounds } = world()
    const large = 2 ** 30
    const publisher = () => run('publisher', 'office', { isFirst: true })
    for (const one of [run('a', 'here'), run('b', 'there')]) await bounds.take(one, 125, large)
    for (let copies = 0; copies < limits.dryRunCopies; copies++) await bounds.take(publisher(), 125, large)
    // A copy may be made each second.
    const later = performance.now() + 60_000
    const now = vi.spyOn(performance, 'now').mockReturnValue(later)
    onTestFinished(() => now.mockRestore())
    await expect(bounds.take(publisher(), 125, large)).rejects.toMatchObject(full)
    expect(closed).toEqual([])
  })

  test('those of publishers make no room for others', async () => {
    const { closed, run, take } = world()
    for (const user of ['a', 'b', 'c', 'd']) await take(run(user, 'office', { isFirst: true }))
    await expect(take(run('guest', 'elsewhere'))).rejects.toMatchObject(full)
    expect(closed).toEqual([])
  })

  test('make room for one that is to grow, which is made again', async () => {
    const { closed, run, take, bounds } = world()
    const growing = run('publisher', 'office', { isFirst: true })
    await take(growing)
    for (const user of ['a', 'b', 'c']) await take(run(user, 'crowd'))
    const { copy, change } = growth(375)
    await expect(bounds.growing(growing, copy, memory, change)).rejects.toBeInstanceOf(NoCopyYet)
    expect(closed).toEqual(['a'])
    bounds.giveBack(growing)
    await bounds.free()
    await take(growing)
    await bounds.growing(growing, copy, memory, change)
    await expect(take(run('d', 'crowd'))).rejects.toMatchObject(full)
  })
})

describe('room that several wait for', () => {
  /** All room is taken by copies that requests use; the function gives that of one back. Nobody has asked too long ago. */
  async function crowded() {
    const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    onTestFinished(() => now.mockRestore())
    const opened = world()
    const { run, take, bounds } = opened
    const users = ['a', 'b', 'c', 'd'].map((user) => run(user, user, { unusedFor: 0 }))
    for (const one of users) await take(one)
    const leave = () => {
      const one = users.pop()
      if (one) bounds.giveBack(one)
    }
    return { ...opened, leave }
  }

  test('is that of who came first, and then that of the next', async () => {
    const { run, take, leave } = await crowded()
    const [first, second, third] = [run('first', 'x'), run('second', 'y'), run('third', 'z')]
    for (const one of [first, second]) await expect(take(one)).rejects.toMatchObject(full)
    leave()
    for (const one of [third, second, third]) await expect(take(one)).rejects.toBeInstanceOf(NoCopyYet)
    await take(first)
    leave()
    await expect(take(third)).rejects.toBeInstanceOf(NoCopyYet)
    await take(second)
    leave()
    await take(third)
  })

  test('is not that of who may not have it, as one who has a copy already may have no more than half', async () => {
    const { run, take, leave } = await crowded()
    await expect(take(run('a', 'a'))).rejects.toMatchObject(full)
    leave()
    await take(run('later', 'x'))
  })

  test('is that of a publisher, and of an address that has fewer copies, before that of who came earlier', async () => {
    const { run, take, leave } = await crowded()
    const [early, late, publisher] = [run('e', 'a'), run('f', 'x'), run('p', 'a', { isFirst: true })]
    await expect(take(early)).rejects.toMatchObject(full)
    await expect(take(late)).rejects.toMatchObject(full)
    await expect(take(publisher)).rejects.toMatchObject(full)
    leave()
    for (const one of [early, late]) await expect(take(one)).rejects.toBeInstanceOf(NoCopyYet)
    await take(publisher)
    leave()
    await expect(take(early)).rejects.toBeInstanceOf(NoCopyYet)
    await take(late)
    leave()
    await take(early)
  })

  test('is that of others once who came first asks no more', async () => {
    const { run, take, leave } = await crowded()
    await expect(take(run('gone', 'x'))).rejects.toMatchObject(full)
    leave()
    await expect(take(run('next', 'y'))).rejects.toBeInstanceOf(NoCopyYet)
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 1500)
    await take(run('next', 'y'))
  })
})

describe('copies in which changes are made', () => {
  test('share the room that there is, as it is then: one that is too small for that may have more later', async () => {
    const { run, take, bounds } = world()
    const runs = ['a', 'b'].map((user) => run(user, user, { unusedFor: 0 }))
    for (const one of runs) await take(one)
    const [first, second] = [growth(500), growth(375)]
    const grow = (index: number, { copy }: typeof first, change: () => Promise<void>) =>
      bounds.growing(runs[index] ?? run('c', 'c'), copy, memory, change)
    await grow(0, first, async () => {
      expect(first.limit()).toBe(625)
      await grow(1, second, async () => {
        expect([first.limit(), second.limit()]).toEqual([375, 375])
        await expect(grow(0, first, first.change)).rejects.toBeInstanceOf(NoCopyYet)
        for (const one of runs.slice(0, 1)) bounds.giveBack(one)
        await bounds.free()
        expect(second.limit()).toBe(875)
      })
    })
  })

  test('have less once another copy is made, and more once no change is made in that', async () => {
    const { run, take, bounds } = world()
    const [one, other] = [run('a', 'here', { unusedFor: 0 }), run('b', 'there', { unusedFor: 0 })]
    const [first, second] = [growth(500), growth(225)]
    await take(one)
    await bounds.growing(one, first.copy, memory, async () => {
      expect(first.limit()).toBe(875)
      await take(other)
      expect(first.limit()).toBe(625)
      await bounds.growing(other, second.copy, memory, async () => {
        expect([first.limit(), second.limit()]).toEqual([375, 375])
        await second.change()
      })
      expect(first.limit()).toBe(525)
      await first.change()
    })
  })

  test('do not grow beyond it, not even for a moment', async () => {
    const { run, bounds } = world()
    const store = await openStore(newDatabase())
    onTestFinished(() => store.close())
    const copy = await copyOf(store)
    onTestFinished(() => copy.close())
    const large = 8 * (copy.size() + 2 ** 20)
    const one = run('large', 'here')
    await bounds.take(one, copy.size(), large)
    let most = 0
    const change = () =>
      copy.committed(async ({ write, settings }) => {
        for (let index = 0; index < 40; index++) {
          await write(() => settings.write(`text ${index}`, 'x'.repeat(100_000)))
          most = Math.max(most, copy.size())
        }
      })
    await expect(bounds.growing(one, copy, large, change)).rejects.toMatchObject({ kind: 'dryRunFull' })
    expect(most).toBeGreaterThan(2 ** 20)
    expect(most).toBeLessThan(large / 4)
  })
})
