import { expect, test } from 'vitest'
import { everyPage } from '../../../src/cli/service/every-page.ts'

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
  [999, ['1']],
  [1000, ['1', '2']],
  [2500, ['1', '2', '3', '4']],
  [4500, ['1', '2', '3', '4', '5', '6', '7', '8']],
  [9500, ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12']],
])('%i records are all there', async (count, pages) => {
  const { asked, ask } = listOf(names(count))
  expect(await everyPage(ask, (name) => name)).toEqual(names(count))
  expect(asked).toEqual(pages)
})

test('a service that ignores paging is asked twice, and each record is there once', async () => {
  const { asked, ask } = listOf(names(1500), true)
  expect(await everyPage(ask, (name) => name)).toEqual(names(1500))
  expect(asked).toEqual(['1', '2'])
})
