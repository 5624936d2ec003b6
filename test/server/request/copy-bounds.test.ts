import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { CopyBounds, type CopyHolder } from '../../../src/server/request/copy-bounds.ts'

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
    await expect(bounds.grow(growing, 375, memory)).rejects.toMatchObject({ kind: 'dryRunFull' })
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

  test('make room for one that grows', async () => {
    const { closed, run, take, bounds } = world()
    const growing = run('publisher', 'office', { isFirst: true })
    await take(growing)
    for (const user of ['a', 'b', 'c']) await take(run(user, 'crowd'))
    await bounds.grow(growing, 375, memory)
    expect(closed).toEqual(['a'])
  })
})
