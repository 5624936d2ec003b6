import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { clientForBrowsers } from '../../../src/build/libraries.mjs'
import { startService } from '../../../src/testing/library.ts'
import { describeInBrowser, freshContext, problemsOf } from './browser.ts'

const root = join(import.meta.dirname, '../../..')

/** An app: a page that signs in and shows a name, an error, and what it uploaded. */
const app = `<!doctype html><link rel="icon" href="data:,"><main></main><script type="module">
import { connect, ServiceError } from '/client.mjs'
const [baseUrl, refreshToken] = decodeURIComponent(location.hash.slice(1)).split(' ')
const client = connect({ baseUrl, refreshToken })
const { properties } = await client.getProfile({})
const refused = await client.getTemplate({ name: 'none' }).catch((error) => error)
const file = { name: 'a.txt', content: async function* () { yield new TextEncoder().encode('tea') } }
const [asset] = await client.uploadAssets({ files: [file] }).catch((error) => [error])
const shown = { name: properties.first_name, isError: refused instanceof ServiceError, kind: refused.kind, size: asset.size, asset: asset.message }
document.querySelector('main').textContent = JSON.stringify(shown)
</script>`

describeInBrowser('vatom/client in a browser', () => {
  test('signs in, is refused by name, and uploads, from a page of another origin', async () => {
    const { text } = await clientForBrowsers(root)
    const server = createServer(({ url }, response) => {
      const isModule = url === '/client.mjs'
      response.writeHead(200, { 'content-type': isModule ? 'text/javascript' : 'text/html' })
      response.end(isModule ? text : app)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const service = await startService()
    const context = await freshContext()
    onTestFinished(async () => {
      await context.close()
      await service.close()
      server.close()
    })
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const page = await context.newPage()
    const problems = problemsOf(page, [origin, service.baseUrl])
    const ann = await service.createUser({ first_name: 'Ann', is_admin: true, pub_fqdn: 'local.vatom' })
    await page.goto(`${origin}/#${encodeURIComponent(`${service.baseUrl} ${ann.refreshToken}`)}`)
    await page.waitForFunction(() => document.querySelector('main')?.textContent !== '')
    const shown: unknown = JSON.parse((await page.textContent('main')) ?? '')
    expect(shown).toEqual({ name: 'Ann', isError: true, kind: 'notFound', size: 3 })
    // A browser writes the refusal to its console.
    expect(problems.filter((problem) => !problem.includes('404'))).toEqual([])
    expect(service.journal.count({ operation: 'getProfile', user: ann })).toBe(1)
  }, 60_000)
})
