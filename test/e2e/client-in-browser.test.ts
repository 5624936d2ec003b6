import { build } from 'esbuild'
import { expect, onTestFinished, test } from 'vitest'
import { startService } from '../../src/testing/library.ts'
import { projectWith } from '../support/installed.ts'
import { serverOf } from '../support/servers.ts'
import { describeInBrowser, freshContext, problemsOf } from '../web/browser/browser.ts'

/** An app: a page that signs in and shows a name, its errors, and what it uploaded. */
const app = `
import { connect, ServiceError, SessionError, UnreachableError } from 'vatom/client'
const [baseUrl, refreshToken] = decodeURIComponent(location.hash.slice(1)).split(' ')
const client = connect({ baseUrl, refreshToken })
const failure = (promise) => promise.then(() => undefined, (error) => error)
const { properties } = await client.getProfile({})
const refused = await failure(client.getTemplate({ name: 'none' }))
const nobody = await failure(connect({ baseUrl }).getProfile({}))
const unreachable = await failure(connect({ baseUrl: 'http://127.0.0.1:1' }).getAppVersion({}))
const file = { name: 'a.txt', content: async function* () { yield new TextEncoder().encode('tea') } }
const [asset] = await client.uploadAssets({ files: [file] })
const errors = [refused instanceof ServiceError, nobody instanceof SessionError, unreachable instanceof UnreachableError]
document.querySelector('main').textContent = JSON.stringify({ name: properties.first_name, errors, kind: refused.kind, size: asset.size })
`
const page = '<!doctype html><link rel="icon" href="data:,"><main></main><script type="module" src="/app.js"></script>'

/** The app as a bundler makes it for browsers, and the files of the package that are in it. */
async function bundled(folder: string) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: folder,
    entryPoints: ['app.mjs'],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'browser',
    format: 'esm',
    logLevel: 'silent',
  })
  const files = Object.keys(metafile.inputs).filter((name) => name !== 'app.mjs')
  return { text: outputFiles[0]?.text ?? '', files }
}

describeInBrowser('vatom/client of an installed package in a browser', () => {
  test('signs in, is refused by name, and uploads, from a page of another origin', async () => {
    const { text, files } = await bundled(projectWith({ 'app.mjs': app }))
    expect(files).toEqual(['node_modules/vatom/dist/library/client.browser.mjs'])
    const { url } = await serverOf((request, response) => {
      const isScript = request.url === '/app.js'
      response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
      response.end(isScript ? text : page)
    })
    const service = await startService()
    const context = await freshContext()
    onTestFinished(async () => {
      await context.close()
      await service.close()
    })
    const shown = await context.newPage()
    const problems = problemsOf(shown, [url, service.baseUrl])
    const ann = await service.createUser({ first_name: 'Ann', is_admin: true, pub_fqdn: 'local.vatom' })
    await shown.goto(`${url}/#${encodeURIComponent(`${service.baseUrl} ${ann.refreshToken}`)}`)
    await shown.waitForFunction("document.querySelector('main').textContent !== ''")
    expect(JSON.parse((await shown.textContent('main')) ?? '')).toEqual({
      name: 'Ann',
      errors: [true, true, true],
      kind: 'notFound',
      size: 3,
    })
    // A browser writes the refusals, and that nobody answers, to its console.
    expect(problems.filter((problem) => !/404|ERR_|127\.0\.0\.1:1\b/.test(problem))).toEqual([])
    expect(service.journal.count({ operation: 'getProfile', user: ann })).toBe(1)
  }, 60_000)
})
