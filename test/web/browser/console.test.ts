import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { dryRunDone, dryRunHeader } from '../../../src/contract/api/dry-run-header.ts'
import { consolePaths } from '../../../src/contract/console.ts'
import { pageSessionHeader } from '../../../src/contract/page-session.ts'
import { action, template, templateName } from '../../fixtures/bodies.ts'
import { gate } from '../../support/action-handler.ts'
import { folderWith } from '../../support/folders.ts'
import { neighbour } from '../../support/neighbour.ts'
import { rawConnection } from '../../support/raw-connection.ts'
import { testService } from '../../support/service.ts'
import { inAllForms } from './accessibility.ts'
import { describeInBrowser, freshContext } from './browser.ts'
import { builtPages } from './built-pages.ts'
import { consoleDesk, copied, fewLate, openScreen, scrolled } from './console-desk.ts'
import { shop } from './console-shop.ts'

const rows = '[role=option]'

/** The number of the latest request that the service has told the page. */
async function followed(page: Page): Promise<() => Promise<number>> {
  const numbers = await page.evaluateHandle(
    async ([path, header]) => {
      const headers = { [header]: localStorage.getItem('vatom-page-session') ?? '' }
      const answer = await fetch(path, { headers })
      const events = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
      const seen: number[] = []
      const readOne = async () => {
        const { value = '' } = (await events?.read()) ?? {}
        seen.push(...[...value.matchAll(/data: (\d+)/g)].map(([, number]) => Number(number)))
        return value !== ''
      }
      const readAll = async (): Promise<unknown> => (await readOne()) && readAll()
      await readOne()
      void readAll()
      return seen
    },
    [consolePaths.events, pageSessionHeader] as const,
  )
  return () => numbers.evaluate((seen) => seen.at(-1) ?? 0)
}

describeInBrowser('the console in a browser', () => {
  test('a link signs in, once; the address has no key, and there is no cookie', async () => {
    const { page, link, baseUrl, problems } = await consoleDesk()
    expect(page.url()).toBe(`${baseUrl}/`)
    expect(await page.context().cookies()).toEqual([])
    await page.reload()
    await page.getByRole('navigation').waitFor()
    const tab = await page.context().newPage()
    await tab.goto(`${baseUrl}/#/catalog`)
    await tab.getByRole('navigation').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'vatom console' }).waitFor()
    await expect.poll(() => tab.locator('body').innerText()).toContain('This browser is not signed in')
    expect(await tab.locator('pre').innerText()).toBe(`vatom console --base-url ${baseUrl} --app-id local`)
    await tab.close()
    await page.reload()
    await expect.poll(() => page.locator('body').innerText()).toContain('This browser is not signed in')
    await inAllForms(page, (found) => expect(found).toEqual([]))

    await page.getByLabel('E-mail address').fill('publisher@local.vatom')
    await page.getByLabel('Password').fill('wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect.poll(() => page.getByRole('alert').textContent()).toMatch(/Login failed/)
    await page.getByLabel('Password').fill('vatom-local')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('navigation').waitFor()

    const used = link()
    const other = await freshContext()
    const elsewhere = await other.newPage()
    await elsewhere.goto(used)
    await elsewhere.getByRole('navigation').waitFor()
    await other.close()
    // The refused password is an error of the network for the browser.
    expect(problems.filter((problem) => !problem.includes('403'))).toEqual([])
  }, 60_000)

  test('requests of others come by themselves; one shows what was sent, answered and wrong', async () => {
    const { page, call, problems } = await consoleDesk()
    await call('GET', '/v1/user')
    await page.locator(rows).filter({ hasText: 'getProfile' }).first().waitFor()
    await call('POST', '/v1/templates', { template: 'local.vatom::<img src=x onerror=document.title=1>', vatom: {} })
    const refused = page.locator(rows).filter({ hasText: 'createTemplate' })
    await refused.click()
    const detail = page.locator('.detail')
    await expect.poll(() => detail.innerText()).toContain('for administrators of a publisher')
    const text = await detail.innerText()
    expect(text).toContain('vatom.vAtom::vAtomType is required')
    expect(text).toContain('<img src=x onerror=document.title=1>')
    expect(await detail.locator('img').count()).toBe(0)
    await call('POST', '/v1/templates?first=1&second=a%20b', '{"template": ')
    await page.locator(rows).filter({ hasText: 'first=1' }).click()
    const remedy = page.getByRole('region', { name: 'What would have been right' })
    await expect.poll(() => remedy.innerText()).toContain('administrators of a publisher')
    expect((await remedy.innerText()).match(/not JSON/g)).toHaveLength(1)
    expect(await detail.locator('h2').innerText()).toMatch(/\/v1\/templates$/)
    expect(await page.locator('.facts').innerText()).toMatch(/first=1\s+query\s+second=a b/)
    await inAllForms(page, (found) => expect(found).toEqual([]))

    await call('PATCH', '/v1/user', { first_name: 'Ada', password: 'very secret' })
    await page.locator(rows).filter({ hasText: 'updateProfile' }).click()
    await expect.poll(() => detail.innerText()).toContain('"first_name": "Ada"')
    expect(await detail.innerText()).not.toContain('very secret')
    expect(await page.getByRole('button', { name: 'Send again' }).isDisabled()).toBe(true)
    expect(problems).toEqual([])
  }, 60_000)

  test('a refusal for a path or an App-Id that does not exist says which would have been right', async () => {
    const { page, call, problems } = await consoleDesk()
    const remedy = page.getByRole('region', { name: 'What would have been right' })
    const path = (text: string) => page.locator(rows).filter({ hasText: text })
    await call('POST', '/v1/template', {})
    await path('/v1/template').click()
    await expect.poll(() => remedy.getByRole('link').allInnerTexts()).toContain('POST /v1/templates')
    await inAllForms(page, (found) => expect(found).toEqual([]))
    await call('GET', '/v1/user/avtar?x=1')
    await path('avtar').click()
    await expect.poll(() => remedy.getByRole('link').allInnerTexts()).toContain('POST /v1/user/avatar')
    await call('GET', '/v1/quite/another/thing')
    await path('another').click()
    await expect.poll(() => remedy.getByRole('link').allInnerTexts()).toEqual(['all operations'])
    await call('GET', '/v1/user', undefined, undefined, { 'app-id': 'other' })
    await path('getProfile').click()
    await expect.poll(() => remedy.innerText()).toContain('App-Id: local')
    await remedy.getByText('for users who are signed in').waitFor()
    expect(problems).toEqual([])
  }, 60_000)

  test('a request is filtered, sent again as its user, and copied as a command', async () => {
    const desk = await consoleDesk()
    const { page, call, register, baseUrl } = desk
    const user = await register('someone@example.com')
    await call('GET', '/v1/user', undefined, user.token)
    await call('POST', '/v1/vatom/discover', { filters: [], limit: 3 }, user.token)
    await page.locator(rows).filter({ hasText: 'discover' }).waitFor()
    const filter = page.getByRole('searchbox')
    await call('GET', `/v1/templates/${encodeURIComponent(templateName)}`)
    await filter.fill(`404 ${templateName}`)
    await expect.poll(() => page.locator(rows).allInnerTexts()).toMatchObject([expect.stringContaining(templateName)])
    await filter.fill('')
    await filter.blur()
    await page.keyboard.press('/')
    await page.keyboard.type('get 2xx')
    await expect.poll(() => page.locator(rows).count()).toBe(1)
    await page.locator(rows).click()
    expect(await page.locator('.facts').innerText()).toContain(user.id)
    await page.getByRole('button', { name: 'Send again' }).click()
    await expect.poll(() => page.locator('.detail').innerText()).toContain('Sent again: 200')
    await page.getByLabel('Those of the console').check()
    await expect.poll(() => page.locator(rows).count()).toBe(2)
    await page.locator(rows).first().click()
    const again = await page.locator('.facts').innerText()
    expect(again).toContain(user.id)
    expect(again).toContain('this console')

    await page.locator('[data-filter]').fill('discover')
    await page.locator(rows).click()
    await page.getByText('What is copied acts as someone@example.com').waitFor()
    const curl = await copied(desk, page.getByRole('button', { name: 'Copy as curl' }))
    expect(curl).toMatchObject({
      actor: user.id,
      text: `curl -X POST ${baseUrl}/v1/vatom/discover \\\n  -H 'App-Id: local' \\\n  -H "Authorization: Bearer ${curl.token}" \\\n  -H 'Content-Type: application/json' \\\n  --data-raw '{"filters":[],"limit":3}'`,
    })
    const api = await copied(desk, page.getByRole('button', { name: 'Copy as vatom api' }))
    expect(api).toMatchObject({
      actor: user.id,
      text: `printf %s '{"filters":[],"limit":3}' | VATOM_ACCESS_TOKEN=${api.token} vatom api POST v1/vatom/discover --base-url ${baseUrl} --app-id local --input -`,
    })
  }, 60_000)

  test('a request whose token was refused is sent again and copied without one, not as the publisher', async () => {
    const desk = await consoleDesk()
    const { page, call, baseUrl } = desk
    const { status } = await call('GET', '/v1/user', undefined, 'refused')
    await page.locator(rows).click()
    const { text } = await copied(desk, page.getByRole('button', { name: 'Copy as curl' }))
    expect(text).toBe(`curl -X GET ${baseUrl}/v1/user \\\n  -H 'App-Id: local'`)
    expect(await page.getByRole('button', { name: 'Copy as vatom api' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Send again' }).click()
    await expect.poll(() => page.locator('.detail').innerText()).toContain(`Sent again: ${status}`)
  }, 60_000)

  test.each([
    ['DELETE', `/v1/templates/${encodeURIComponent(templateName)}`],
    ['POST', '/v1/user/vatom/action/Transfer'],
  ])(
    '%s %s is asked about before it is sent again',
    async (method, path) => {
      const { page, call } = await consoleDesk()
      await call(method, path, method === 'POST' ? { 'this.id': 'x' } : undefined)
      await page.locator(rows).click()
      const questions: string[] = []
      page.once('dialog', (dialog) => {
        questions.push(dialog.message())
        void dialog.dismiss()
      })
      await page.getByRole('button', { name: 'Send again' }).click()
      await expect
        .poll(() => questions)
        .toEqual([expect.stringMatching(`^Send ${method} .*again\\? It cannot be taken back.$`)])
      expect(await page.locator('.detail').innerText()).not.toContain('Sent again')
      await page.getByLabel('Those of the console').check()
      expect(
        await page
          .locator(rows)
          .filter({ hasText: decodeURIComponent(path) })
          .count(),
      ).toBe(1)
    },
    60_000,
  )

  test('an action is asked about before it is sent again as what its reactor does, whatever it is called', async () => {
    const { page, call, good, ids } = await shop()
    const called = (name: string, reactor: string) =>
      good('POST', '/v1/publisher/action', action({ wait: true, reactor }, name))
    await called('Give', 'blockv://v1/Transfer')
    await called('Redeem', 'blockv://v1/Activate')
    const questions: string[] = []
    page.on('dialog', (dialog) => {
      questions.push(dialog.message())
      void dialog.dismiss()
    })
    const sendAgain = async (name: string) => {
      await call('POST', `/v1/user/vatom/action/${name}`, { 'this.id': ids[0] })
      await page.locator(rows).filter({ hasText: name }).click()
      await page.getByRole('button', { name: 'Send again' }).click()
    }
    await sendAgain('Redeem')
    await expect.poll(() => page.locator('.detail').innerText()).toContain('Sent again: 200')
    expect(questions).toEqual([])
    await sendAgain('Give')
    await expect.poll(() => questions).toEqual(['Send POST /v1/user/vatom/action/Give again? It cannot be taken back.'])
  }, 60_000)

  test('a request for a path that is an address elsewhere is sent again to the service alone', async () => {
    const { page, call, problems } = await consoleDesk()
    const { origin, asked } = await neighbour()
    const path = `${origin.replace('http:', '')}/v1/user`
    await call('GET', path)
    await page.locator(rows).filter({ hasText: path }).click()
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByRole('status').filter({ hasText: 'Sent again' }).waitFor()
    expect(asked).toEqual([])
    expect(problems.filter((problem) => !problem.includes('404'))).toEqual([])
  }, 60_000)

  test('what was not sent for a path is shown as it came, and is neither sent again nor copied', async () => {
    const { page, baseUrl, problems } = await consoleDesk()
    const targets = ['m://x/v1/user', `${baseUrl}/v1/user`]
    for (const target of targets)
      await rawConnection(
        Number(new URL(baseUrl).port),
        `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      ).closed
    for (const target of targets) {
      await page.locator(rows).filter({ hasText: target }).click()
      expect(await page.locator('.detail h2').innerText()).toContain(target)
      expect(await page.locator('.detail').innerText()).toContain('It was not sent for a path')
      expect(await page.getByRole('button', { name: 'Send again' }).isDisabled()).toBe(true)
      expect(await page.getByRole('button', { name: /^Copy as/ }).count()).toBe(0)
    }
    expect(problems).toEqual([])
  }, 60_000)

  test('a dry run is sent again, and copied, as a dry run; what had a body that is not kept is not sent again', async () => {
    const { page, call, context } = await consoleDesk()
    await call('POST', '/v1/templates', template(), undefined, { [dryRunHeader]: dryRunDone })
    await call('GET', '/v1/templates')
    await expect.poll(() => page.locator(rows).count()).toBe(2)
    await page.getByRole('searchbox').fill('dry')
    await expect.poll(() => page.locator(rows).count()).toBe(1)
    expect(await page.locator(rows).innerText()).toMatch(/dry run\s+\/v1\/templates/)
    await page.getByRole('searchbox').fill('')
    await page.locator(rows).filter({ hasText: 'createTemplate' }).click()
    await page.getByRole('button', { name: 'Send again' }).click()
    await expect.poll(() => page.locator('.detail').innerText()).toContain('Sent again as a dry run: 200')
    expect((await call('GET', '/v1/templates')).body.payload).toEqual([])
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    await page.getByRole('button', { name: 'Copy as curl' }).click()
    await expect.poll(copied).toContain(`-H '${dryRunHeader}: ${dryRunDone}'`)
    await page.getByRole('button', { name: 'Copy as vatom api' }).click()
    await expect.poll(copied).toContain('--dry-run')

    await call('POST', '/v1/user/guest')
    await page.locator(rows).filter({ hasText: 'createGuest' }).click()
    await expect.poll(() => page.locator('.detail').innerText()).toContain('No body of it is kept')
    expect(await page.getByRole('button', { name: 'Send again' }).isDisabled()).toBe(true)
  }, 60_000)

  test('all can be done by keyboard', async () => {
    const { page, call } = await consoleDesk()
    await call('GET', '/v1/user')
    await call('GET', '/v1/templates')
    await page.locator(rows).nth(1).waitFor()
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the content')
    await page.keyboard.press('?')
    expect(await page.getByRole('dialog').innerText()).toContain('Requests')
    await inAllForms(page, (found) => expect(found).toEqual([]))
    await page.keyboard.press('Escape')
    await page.locator('[role=listbox]').focus()
    await page.keyboard.press('ArrowDown')
    expect(await page.locator('.detail h2').innerText()).toContain('/v1/templates')
    await page.keyboard.press('End')
    expect(await page.locator('.detail h2').innerText()).toContain('/v1/user')
  }, 60_000)

  test('on a phone the link of the screen that is shown is in view', async () => {
    const { page } = await consoleDesk()
    await page.setViewportSize({ width: 390, height: 800 })
    const place = (name: string) =>
      page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name, exact: true }).boundingBox()
    expect((await place('Controls'))?.x).toBeGreaterThan(390)
    await page.evaluate(() => {
      location.hash = '#/controls'
    })
    await expect.poll(async () => ((await place('Controls'))?.x ?? 390) < 350).toBe(true)
    await page.evaluate(() => {
      location.hash = '#/requests'
    })
    await expect.poll(async () => ((await place('Requests'))?.x ?? -1) >= 0).toBe(true)
  }, 60_000)

  test('a request that comes while others are loaded is shown', async () => {
    const { page, call } = await consoleDesk()
    await call('GET', '/v1/user')
    await page.locator(rows).nth(0).waitFor()
    const loading = gate()
    const later = gate()
    await page.route(`**${consolePaths.requests}*`, async (route) => {
      const response = await route.fetch()
      loading.open()
      await later.opened
      await route.fulfill({ response })
    })
    await call('GET', '/v1/templates')
    await loading.opened
    const latest = await followed(page)
    const before = await latest()
    await call('GET', '/v1/vatoms')
    await expect.poll(latest).toBeGreaterThan(before)
    later.open()
    await page.locator(rows).filter({ hasText: '/v1/vatoms' }).waitFor()
    expect(await page.locator(rows).count()).toBe(3)
  }, 60_000)

  test('of thousands of requests only those in view are elements, and hardly a frame is late, wherever one scrolls', async () => {
    const { page, service, problems } = await consoleDesk()
    const headers = { 'app-id': 'local', authorization: `Bearer ${service.localToken()}` }
    for (let n = 0; n < 1000; n++) await service.inject({ method: 'GET', path: `/v1/user?n=${n}`, headers })
    await expect.poll(() => page.locator('.count').textContent(), { timeout: 10_000 }).toBe('1000 requests')
    expect(await page.locator(rows).count()).toBeLessThan(60)
    const { mostDrawn, late } = await scrolled(page, '[role=listbox]', rows, 400)
    expect(mostDrawn).toBeLessThan(60)
    expect(mostDrawn).toBeGreaterThan(0)
    expect(late).toBeLessThanOrEqual(fewLate)
    expect(await page.locator(rows).last().innerText()).not.toContain('n=999')
    expect(problems).toEqual([])
  }, 60_000)

  test('a page whose service is started again at its port asks to sign in, and a new link does', async () => {
    const { page, service, port } = await consoleDesk()
    // As it is answered to a request on an open connection while the service ends.
    const ending = { status: 503, body: '' }
    await page.route(`**${consolePaths.events}`, (route) => route.fulfill(ending), { times: 1 })
    const refused = page.waitForResponse((answer) => answer.status() === ending.status)
    await service.close()
    await page.locator('body > .lost').waitFor()
    await refused
    const again = await testService({ pages: folderWith(await builtPages()) })
    const { consoleLink } = await again.service.listen({ host: '127.0.0.1', port })
    await page.getByText('This browser is not signed in').waitFor()
    await page.goto(String(consoleLink?.()))
    await page.getByRole('navigation').waitFor()
  }, 60_000)

  test('when the service stops, every screen says so and what to do', async () => {
    const { page, service, ids } = await shop()
    const publisher = service.publisher.id
    await openScreen(page, 'Map')
    await page.getByRole('application').waitFor()
    await openScreen(page, 'Users')
    await page.getByRole('row').nth(1).getByRole('link').first().click()
    await page.getByText('2 vAtoms').waitFor()
    await page.locator('.tile').first().click()
    await page.getByRole('heading', { name: 'History' }).waitFor()
    await openScreen(page, 'Outbox')
    await page.getByRole('heading', { name: 'Outbox' }).waitFor()
    const lost = page.locator('body > .lost')
    expect(await lost.count()).toBe(0)
    await service.close()
    await lost.waitFor()
    expect(await lost.innerText()).toMatch(/does not answer[\s\S]*vatom serve/)
    await openScreen(page, 'Map')
    await page.getByRole('application').waitFor()
    expect(await lost.isVisible()).toBe(true)
    await inAllForms(page, (found) => expect(found).toEqual([]))
    for (const place of [`${publisher}`, `${publisher}?in=${ids[0]}`, `${publisher}/vatom/${ids[0]}`]) {
      await page.evaluate((hash) => {
        location.hash = hash
      }, `#/users/${place}`)
      const alerts = page.locator('main').getByRole('alert')
      await expect.poll(() => alerts.allInnerTexts()).toContainEqual(expect.stringContaining('answer'))
      const text = await page.locator('main').innerText()
      expect(text).not.toMatch(/0 vAtoms|owns nothing|nothing in this folder|sees no vAtom/)
    }
  }, 60_000)

  test('of a user who does not exist it is said, and not that they own nothing', async () => {
    const { page, baseUrl } = await consoleDesk()
    await page.goto(`${baseUrl}/#/users/nope`)
    await expect.poll(() => page.getByRole('alert').allInnerTexts()).toEqual([expect.stringContaining('nope')])
    expect(await page.locator('main').innerText()).not.toMatch(/0 vAtoms|owns nothing/)
  }, 60_000)
})
