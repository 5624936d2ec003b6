import { renameSync } from 'node:fs'
import { expect, test } from 'vitest'
import { consolePaths } from '../../../src/contract/console.ts'
import { consolePages } from '../../support/console-pages.ts'
import { testService } from '../../support/service.ts'

test('a script of the console that is gone is refused by itself, with one line in the log: the service stays ready', async () => {
  const pages = consolePages()
  const { service, lines } = await testService({ pages })
  const { baseUrl } = await service.listen({ host: '127.0.0.1', port: 0 })
  const script = () => fetch(`${baseUrl}${consolePaths.scripts}console-AAAAAAAA.js`)
  expect(await script()).toMatchObject({ status: 200 })
  renameSync(pages, `${pages}.former`)
  for (const answer of [await script(), await script()]) {
    expect(answer.status).toBe(503)
    const message = expect.stringMatching(/^Another version of vatom .* this page .*: start it again$/)
    expect(await answer.json()).toMatchObject({ error: 9054, message })
  }
  expect(await fetch(`${baseUrl}/__vatom/ready`)).toMatchObject({ status: 200 })
  expect(lines.filter((line) => line.includes('outdated: '))).toHaveLength(1)
})
