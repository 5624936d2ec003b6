import { describe, expect, test } from 'vitest'
import { everyPage, isFollowed, type Place } from '../../../src/cli/service/every-page.ts'
import { newOnEachPage } from '../../../src/cli/service/new-on-each-page.ts'
import { limits } from '../../../src/contract/limits.ts'

const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`)

/** A list that is answered page by page, or as if nobody had asked for pages. */
function listOf(all: readonly string[], ignoresPaging = false) {
  const asked: string[] = []
  const ask = async ({ limit, page }: { limit: string; page: string }) => {
    asked.push(page)
    return ignoresPaging ? all : all.slice((Number(page) - 1) * Number(limit), Number(page) * Number(limit))
  }
  return { asked, ask }
}

test.each([
  [0, ['1']],
  [99, ['1']],
  [100, ['1', '2']],
  [999, ['1', '2']],
  [1000, ['1', '2']],
  [2500, ['1', '2', '3', '4']],
  [4500, ['1', '2', '3', '4', '5', '6', '7', '8']],
  [9500, ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12']],
])('%i records are all there', async (count, pages) => {
  const { asked, ask } = listOf(names(count))
  expect(await everyPage(ask, (name) => name)).toEqual(names(count))
  expect(asked).toEqual(pages)
})

test.each([100, 101, 300, 1050])(
  '%i records of a service whose pages have 100 at most are all there',
  async (count) => {
    const ask = async ({ page }: { page: string }) => names(count).slice((Number(page) - 1) * 100, Number(page) * 100)
    expect(await everyPage(ask, (name) => name)).toEqual(names(count))
  },
)

test('a service that ignores paging is asked twice, and each record is there once', async () => {
  const { asked, ask } = listOf(names(1500), true)
  expect(await everyPage(ask, (name) => name)).toEqual(names(1500))
  expect(asked).toEqual(['1', '2'])
})

/** A list whose pages have at most so many records, whatever is asked for; `asked` has the numbers of the pages. */
function pagesOf(all: readonly string[], size: number) {
  const asked: number[] = []
  const ask = async ({ limit, page }: Place) => {
    if (limit > 1) asked.push(page)
    const length = Math.min(limit, size)
    return all.slice((page - 1) * length, page * length)
  }
  return { asked, ask }
}
const key = (name: string) => name
async function collected(pages: AsyncIterable<readonly string[]>) {
  const found: (readonly string[])[] = []
  for await (const page of pages) found.push(page)
  return found
}

test.each([
  [0, [1]],
  [3, [1, 2]],
  [5, [1, 2, 3]],
  [6, [1, 2, 3]],
])('%i records come page by page, whatever length the service gives a page', async (count, pages) => {
  const { asked, ask } = pagesOf(names(count), 3)
  const found = await collected(newOnEachPage({ ask, limit: 1000, keyOf: key }))
  expect(found.flat()).toEqual(names(count))
  expect(found.every((page) => page.length > 0)).toBe(true)
  expect(asked.length).toBeLessThanOrEqual(pages.length)
})

test('page by page, a record that moved to the next page comes once, and a service that ignores pages ends', async () => {
  const moving = async ({ limit, page }: Place) =>
    limit === 1 ? ['b'] : ([['c', 'b'], ['b', 'a'], []][page - 1] ?? [])
  expect(await collected(newOnEachPage({ ask: moving, limit: 2, keyOf: key }))).toEqual([['c', 'b'], ['a']])
  const ignoring = async () => ['a', 'b']
  expect(await collected(newOnEachPage({ ask: ignoring, limit: 2, keyOf: key }))).toEqual([['a', 'b']])
})

describe('a list that changes while it is read page by page', () => {
  /** A list of 20 in pages of 3, which `change` changes before a page is read; `found` has what came of it. */
  async function changing(change: (all: string[], page: number) => void) {
    const all = names(20)
    const ask = async ({ limit, page }: Place) => {
      if (limit > 1) change(all, page)
      return all.slice((page - 1) * limit, page * limit)
    }
    const found = (await collected(newOnEachPage({ ask, limit: 3, keyOf: key }))).flat()
    expect(new Set(found).size).toBe(found.length)
    return { all, found }
  }

  test.each([1, 3, 4, 9, 30])('has all that was there if %i are added before them', async (count) => {
    let isOver = false
    const { found } = await changing((all, page) => {
      if (page === 3 && !isOver) all.unshift(...Array.from({ length: count }, (_, index) => `new ${index}`))
      isOver ||= page === 3
    })
    expect(found).toEqual(expect.arrayContaining(names(20)))
  })

  test.each([1, 3, 4, 9, 17])('has all that are left if %i of the first are gone', async (count) => {
    for (const at of [2, 4, 7]) {
      let isOver = false
      const { all, found } = await changing((list, page) => {
        if (page === at && !isOver) list.splice(0, count)
        isOver ||= page === at
      })
      expect(found).toEqual(expect.arrayContaining(all))
    }
  })

  test('has all that are left if each page is taken away as soon as it was read', async () => {
    const taken: string[] = []
    const { found } = await changing((all, page) => {
      if (page > 1) taken.push(...all.splice(0, 3))
    })
    expect(found.toSorted()).toEqual(names(20).toSorted())
    expect(taken.length).toBeGreaterThan(0)
  })
})

test.each([
  [5, { limit: 2, page: 1 }, true],
  [4, { limit: 2, page: 2 }, false],
  [5, { limit: 2, page: 3 }, false],
])('of %i records, a page %j is followed by another: %s', async (count, place, expected) => {
  const ask = async ({ limit, page }: typeof place) => names(count).slice((page - 1) * limit, page * limit)
  expect(await isFollowed(ask, await ask(place), place, key)).toBe(expected)
})

test.each([
  [201, 1, true],
  [201, 2, true],
  [201, 3, false],
  [200, 2, false],
])(
  'of %i records in pages of 100, where 150 are asked for, page %i is followed by another: %s',
  async (count, page, is) => {
    const { ask } = pagesOf(names(count), 100)
    const place = { limit: 150, page }
    expect(await isFollowed(ask, await ask(place), place, key)).toBe(is)
  },
)

test('no page of a service that ignores pages is followed by another', async () => {
  for (const limit of [150, 1000])
    expect(await isFollowed(async () => names(150), names(150), { limit, page: 1 }, key)).toBe(false)
})

test('a list without an end is given up', async () => {
  let last = 0
  const more = (count: number) => Array.from({ length: count }, () => ++last)
  const failure = { code: 'endless_list', message: expect.stringContaining('did not end') }
  await expect(
    everyPage(
      async () => more(1000),
      (number) => number,
    ),
  ).rejects.toMatchObject(failure)
  const read = async (size: number) => {
    let pages = 0
    const numbers = newOnEachPage({ ask: async () => more(size), limit: size, keyOf: (number) => number })
    for await (const _ of numbers) if (++pages > limits.listed / size + 1) return
  }
  await expect(read(1)).rejects.toMatchObject(failure)
  await expect(read(limits.listed / 4)).rejects.toMatchObject(failure)
})

test('a list whose records are too large to be kept is given up, however few they are', async () => {
  const text = 'x'.repeat(1_000_000)
  let last = 0
  const large = () => ({ name: ++last, properties: { texts: [text] } })
  const failure = {
    code: 'endless_list',
    message: expect.stringContaining(`after ${limits.listedCharacters} characters`),
  }
  const pageOf = (count: number) => Array.from({ length: count }, large)
  await expect(
    everyPage(
      async () => pageOf(1000),
      ({ name }) => name,
    ),
  ).rejects.toMatchObject(failure)
  expect(last).toBe(1000)
  const empty = Array.from({ length: 100_000 }, () => '')
  let pages = 0
  const many = async () => Array.from({ length: ++pages > 5 ? 0 : 100 }, () => ({ name: ++last, empty }))
  await expect(everyPage(many, ({ name }) => name)).rejects.toMatchObject(failure)
  last = 0
  const byText = newOnEachPage({ ask: async () => pageOf(100), limit: 100, keyOf: ({ name }) => name + text })
  const read = async () => {
    for await (const _ of byText) if (last > 2000) return
  }
  await expect(read()).rejects.toMatchObject(failure)
})
