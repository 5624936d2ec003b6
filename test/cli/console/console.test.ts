import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { consolePaths } from '../../../src/contract/console.ts'
import { consolePages } from '../../support/console-pages.ts'
import { sessionOf, tokenOf } from '../../support/page-session.ts'
import { serving } from '../../support/serving.ts'
import type { Run } from '../../support/vatom.ts'

const link = /http:\/\/127\.0\.0\.1:\d+\/\?key=[\w-]{32}/
const page = { headers: { accept: 'text/html' } }

/** Whether a link signs a browser in. */
const signsIn = async (url: string) => (await tokenOf(url, consolePaths.session)) !== null

const served = ['serve', '--memory', '--port', '0']

test('serve prints a link to its console, for people and for programs', async () => {
  const { vatom, browsed } = serving({ pages: consolePages(), tty: true })
  const { err } = await vatom(served)
  expect(err).toMatch(new RegExp(`^console at ${link.source}$`, 'm'))
  expect(err.replaceAll(/\s+/g, ' ')).toMatch(
    /once; for another: vatom console --base-url http:\/\/127\.0\.0\.1:\d+ --app-id local/,
  )
  expect(browsed).toEqual([])
  const { out } = await serving({ pages: consolePages() }).vatom([...served, '--json'])
  expect(JSON.parse(out)).toMatchObject({ event: 'ready', console_url: expect.stringMatching(link) })
})

test.each([
  ['--no-console', [...served, '--no-console', '--json'], true],
  ['a build without pages', [...served, '--json'], false],
  ['a command', ['serve', '--json', '--', 'true'], true],
])('serve with %s has no console', async (_, args, isBuilt) => {
  let status: number | undefined
  const { vatom } = serving(isBuilt ? { pages: consolePages() } : {})
  const { out } = await vatom(args, async (_service, { baseUrl, consoleLink }) => {
    expect(consoleLink).toBeUndefined()
    status = (await fetch(baseUrl, page)).status
  })
  expect(status).toBe(404)
  expect(out).not.toContain('console')
})

test('console prints a new link to a service that runs, and opens it on a terminal', async () => {
  const server = serving({ pages: consolePages() })
  const { vatom, browsed, file } = serving({ tty: true })
  await server.vatom(served, async (_service, { baseUrl }) => {
    const target = ['--base-url', baseUrl, '--app-id', 'local']
    const there = { base_url: baseUrl, app_id: 'local' }
    file('.config/vatom/config.json', JSON.stringify({ contexts: { ann: there, bob: there } }))
    const shown = await vatom(['console', ...target])
    expect(shown.code).toBe(0)
    expect(browsed).toHaveLength(1)
    expect(shown.out).toBe(`${browsed[0]}\n`)
    expect(await signsIn(String(browsed[0]))).toBe(true)
    expect((await vatom(['console', ...target, '--no-open'])).code).toBe(0)
    const quiet = await vatom(['console', ...target, '--json'])
    expect(JSON.parse(quiet.out)).toEqual({ url: expect.stringMatching(link) })
    expect(browsed).toHaveLength(1)
  })
})

test('console, codes and pins of the local context are those of a service with its data, at any port', async () => {
  const { vatom } = serving({ pages: consolePages() })
  let base = ''
  const runs: Run[] = []
  await vatom(['serve', '--port', '0'], async (_service, { baseUrl }) => {
    base = baseUrl
    const other = serving({ pages: consolePages() })
    await other.vatom(['console', '--json'])
    expect(other.opened).toHaveLength(1)
    runs.push(await vatom(['console', '--no-open']))
    runs.push(await vatom(['user', 'register', '--email', 'ann@example.com']))
    runs.push(await vatom(['user', 'reset-password', 'ann@example.com', '--yes']))
    runs.push(await vatom(['api', 'GET', '__vatom/outbox']))
    const upload = await vatom(['asset', 'upload', fileURLToPath(import.meta.url)])
    expect(upload).toMatchObject({ code: 0, out: expect.stringContaining(`${base}/assets/`) })
  })
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 2])
  const flags = `--base-url ${base} --app-id local`
  expect(runs.map(({ out, err }) => out + err)).toEqual([
    expect.stringContaining(`${base}/?key=`),
    expect.stringContaining(`to see the code: vatom api GET __vatom/outbox ${flags}\n`),
    expect.stringContaining(`vatom login --context ann-example-com --email ann@example.com ${flags}\n`),
    expect.stringContaining(`hint: vatom api GET __vatom/outbox ${flags}\n`),
  ])
  const ended = await vatom(['user', 'token', 'resend', 'ann@example.com'])
  expect(ended.out + ended.err).not.toContain(base)
})

test('console says what to do about a service without one, one that has stopped, and one elsewhere', async () => {
  const { vatom } = serving()
  await serving().vatom(served, async (_service, { baseUrl }) => {
    const { code, err } = await vatom(['console', '--base-url', baseUrl, '--app-id', 'local'])
    expect(code).toBe(1)
    expect(err).toContain(`There is no console at ${baseUrl}`)
    expect(err).toContain('without --no-console: vatom serve')
  })
  const stopped = await vatom(['console', '--base-url', 'http://127.0.0.1:9', '--app-id', 'local'])
  expect(stopped.code).toBe(5)
  expect(stopped.err).toContain('start one here with: vatom serve --port 9')
  expect(stopped.err).not.toContain('no console')
  const elsewhere = await vatom(['console', '--base-url', 'https://api.example.com', '--app-id', 'x'])
  expect(elsewhere.code).toBe(2)
  expect(elsewhere.err).toContain('vatom console --context local')
  const unbuilt = await vatom(['console', '--port', '0'])
  expect([unbuilt.code, unbuilt.err]).toEqual([1, expect.stringContaining('npm run build')])
})

test.each([
  ['serve', [], 'local'],
  ['serve', ['--db', 'own.db'], 'file'],
  ['serve', ['--memory'], 'temporary'],
  ['console', ['--no-open'], 'local'],
])('the console of %s %j knows where its data is', async (command, flags, data) => {
  const { vatom } = serving({ pages: consolePages() })
  let session: unknown
  await vatom([command, '--port', '0', ...flags], async (_service, { baseUrl, consoleLink }) => {
    const headers = await sessionOf(String(consoleLink?.()), consolePaths.session)
    session = await (await fetch(baseUrl + consolePaths.session, { headers })).json()
  })
  expect(session).toMatchObject({ payload: { session: { data } } })
})

test('console on the local context serves its data until Ctrl-C', async () => {
  const { vatom, opened } = serving({ pages: consolePages() })
  let wasServed = false
  const { code, out } = await vatom(['console', '--json', '--port', '0'], async (service, { baseUrl, consoleLink }) => {
    wasServed = (await fetch(`${baseUrl}/__vatom/health`)).status === 200 && (await signsIn(String(consoleLink?.())))
    expect(service.publisher.fqdn).toBe('local.vatom')
  })
  expect([code, wasServed]).toEqual([0, true])
  expect(opened[0]?.db).toMatch(/local\.db$/)
  expect(JSON.parse(out)).toEqual({ url: expect.stringMatching(link) })
})
