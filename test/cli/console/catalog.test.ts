import { expect, test } from 'vitest'
import { consolePaths } from '../../../src/contract/console.ts'
import { at, listAt } from '../../../src/contract/schema/path.ts'
import type { Listening } from '../../../src/server/service.ts'
import { template, templateName } from '../../fixtures/bodies.ts'
import { consolePages } from '../../support/console-pages.ts'
import { writeFiles } from '../../support/folders.ts'
import { sessionOf } from '../../support/page-session.ts'
import { serving } from '../../support/serving.ts'

const served = ['serve', '--memory', '--port', '0', '--json']
const withTitle = (title: string) => ({ 'shop/coupon.json': JSON.stringify(template({}, { title })) })

/** Calls the console's own routes as a browser that used its link. */
async function signedIn({ baseUrl, consoleLink }: Listening) {
  const headers = await sessionOf(String(consoleLink?.()), consolePaths.session)
  return (path: string) => fetch(baseUrl + path, { headers })
}

test('serve --catalog compares the service with files as plan does, and says when they have changed', async () => {
  const { vatom, home } = serving({ pages: consolePages() })
  writeFiles(home, withTitle('First'))
  let isRefused = false
  const plans: unknown[] = []
  const { code } = await vatom([...served, '--catalog', 'shop', '--seed', 'shop'], async (_service, listening) => {
    isRefused = (await fetch(listening.baseUrl + consolePaths.catalog)).status === 403
    const get = await signedIn(listening)
    const compare = async () => {
      const answer: unknown = await (await get(consolePaths.catalog)).json()
      plans.push(at(answer, 'payload', 'plan'))
      expect(at(answer, 'payload', 'paths')).toEqual(['shop'])
    }
    await compare()
    const { body } = await get(consolePaths.events)
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
    let said = ''
    const isSaid = async () => {
      while (!said.includes('event: catalog')) said += (await reader?.read())?.value
    }
    writeFiles(home, withTitle('Second edition'))
    await isSaid()
    await compare()
    writeFiles(home, { 'shop/coupon.json': '{' })
    await compare()
    await reader?.cancel()
  })
  expect([code, isRefused]).toEqual([0, true])
  const [first, second, third] = plans
  expect(at(first, 'summary')).toMatchObject({ unchanged: 1, update: 0, create: 0 })
  expect(at(second, 'results', 0)).toMatchObject({
    name: templateName,
    action: 'update',
    changes: [{ before: 'First', after: 'Second edition' }],
  })
  expect(at(third, 'results', 0)).toMatchObject({ status: 'invalid' })
}, 30_000)

test('serve --catalog compares for each publisher what that one has, also for several at once', async () => {
  const { vatom, home } = serving({ pages: consolePages() })
  const name = (publisher: string) => `${publisher}::Coupon::v1`
  writeFiles(home, { 'shop/coupon.json': JSON.stringify(template({ template: name('$publisher') })) })
  const publishers = ['--publisher', 'acme.example', 'rival.example', '--seed', 'shop']
  const elsewhere = { VATOM_PUBLISHER: 'acme.example', VATOM_BASE_URL: 'http://127.0.0.1:9', VATOM_APP_ID: 'a' }
  const found: unknown[] = []
  let unknown = 0
  await vatom(
    [...served, ...publishers, '--catalog', 'shop'],
    async (_service, listening) => {
      const get = await signedIn(listening)
      const users: unknown = await (await get('/__vatom/users?limit=9')).json()
      const ids = ['acme.example', 'rival.example'].map((domain) =>
        String(
          at(
            listAt(users, 'payload').find((one) => at(one, 'pub_fqdn') === domain),
            'id',
          ),
        ),
      )
      const plan = async (query: string) =>
        at(await (await get(`${consolePaths.catalog}${query}`)).json(), 'payload', 'plan', 'results', 0)
      found.push(...(await Promise.all([...ids, ids[0]].map((id) => plan(`?user=${id}`)))), await plan(''))
      unknown = (await get(`${consolePaths.catalog}?user=nobody`)).status
    },
    elsewhere,
  )
  const [acme, rival] = [
    { name: name('acme.example'), status: 'unchanged' },
    { name: name('rival.example'), action: 'create' },
  ]
  expect(found).toMatchObject([acme, rival, acme, acme])
  expect(unknown).toBe(404)
}, 30_000)

test('serve without --catalog compares nothing, and --catalog takes a console and files', async () => {
  let answer: unknown
  await serving({ pages: consolePages() }).vatom(served, async (_service, listening) => {
    answer = await (await (await signedIn(listening))(consolePaths.catalog)).json()
  })
  expect(at(answer, 'payload')).toBeNull()
  const { vatom } = serving({ pages: consolePages() })
  const refused = await vatom(['serve', '--memory', '--port', '0', '--no-console', '--catalog', 'shop'])
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('--catalog is for the console')])
  const input = await vatom(['serve', '--memory', '--port', '0', '--catalog', '-'])
  expect([input.code, input.err]).toEqual([2, expect.stringContaining('--catalog reads no standard input')])
})

test('serve --catalog refuses a path at which nothing is, and names what may be meant', async () => {
  const { vatom, home } = serving({ pages: consolePages() })
  writeFiles(home, withTitle('First'))
  const absent = await vatom(['serve', '--memory', '--port', '0', '--catalog', 'shop', 'shopp'])
  expect(absent).toMatchObject({
    code: 2,
    out: '',
    err: 'error: --catalog shopp: no such file or folder\nhint: did you mean shop?\n',
  })
  const below = await vatom(['serve', '--memory', '--port', '0', '--catalog', 'shopp/**/*.yaml'])
  expect(below).toMatchObject({
    code: 2,
    err: 'error: --catalog shopp/**/*.yaml: no such file or folder\nhint: did you mean shop?\n',
  })
})
