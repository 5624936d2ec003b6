import { expect, test } from 'vitest'
import { action, variationName } from '../../fixtures/bodies.ts'
import { inAllForms } from './accessibility.ts'
import { describeInBrowser } from './browser.ts'
import { openScreen, scrolled } from './console-desk.ts'
import { shop } from './console-shop.ts'

const rows = '.rows [role=option]'
/** Whether messages arrive; the screen of requests, which is there before, has its own. */
const feed = '[aria-label=Events] .feed'

describeInBrowser('the events in the console', () => {
  test('a user receives messages as they come; one links to its vAtom; they are filtered and paused', async () => {
    const { page, good, call, ids, ada, problems } = await shop(2)
    await openScreen(page, 'Events')
    const list = page.locator(rows)
    const texts = async () => (await list.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))
    await expect.poll(texts).toEqual([expect.stringMatching(/^info connected/)])
    await inAllForms(page, (found) => expect(found).toEqual([]))

    await good('POST', '/v1/user/vatom/action/Update', { 'this.id': ids[0], 'private.colour': 'blue' })
    await good('POST', '/v1/user/vatom/action/Transfer', { 'this.id': ids[1], 'new.owner.id': ada.id })
    await expect
      .poll(texts)
      .toEqual([
        expect.stringMatching(/^inventory Transfer: leaves, Coupon::v1::Gold/),
        expect.stringMatching(/^state_update Update: private.colour/),
        expect.stringMatching(/^info connected/),
      ])
    await page.getByLabel('Type').selectOption('state_update')
    await expect.poll(() => list.count()).toBe(1)
    await list.click()
    const detail = page.getByRole('region', { name: 'state_update' })
    expect(await detail.locator('pre').innerText()).toContain('"colour": "blue"')
    await inAllForms(page, (found) => expect(found).toEqual([]))
    await page.getByLabel('Type').selectOption('')
    await page.getByRole('searchbox').fill('transfer')
    await expect.poll(() => list.count()).toBe(1)
    await page.getByRole('searchbox').fill('')

    await page.getByRole('button', { name: 'Pause' }).click()
    await good('POST', '/v1/user/vatom/action/Update', { 'this.id': ids[0], 'private.colour': 'green' })
    await page.waitForTimeout(300)
    expect(await list.count()).toBe(3)
    await page.getByRole('button', { name: 'Go on' }).click()
    await expect.poll(() => list.count()).toBe(4)
    await detail.getByRole('link').click()
    await expect.poll(() => page.getByRole('region', { name: 'Faces' }).count()).toBe(1)

    // A scenario that leaves messages out is named.
    const rules = '[{"match":{"event":"state_update"},"then":{"omit":true}}]'
    expect((await call('PUT', '/__vatom/scenario', rules)).status).toBe(200)
    await openScreen(page, 'Events')
    await expect.poll(() => page.locator('.event-rules').innerText()).toContain('"omit":true')
    await inAllForms(page, (found) => expect(found).toEqual([]))
    expect((await call('DELETE', '/__vatom/scenario')).status).toBe(200)
    await openScreen(page, 'Controls')

    // Those of others on the map, for a user who watches it.
    expect((await call('POST', '/v1/publisher/action', action({ wait: true }, 'Drop'))).status).toBe(200)
    await openScreen(page, 'Events')
    await page.getByLabel('As').selectOption(ada.id)
    await expect.poll(() => page.locator(feed).innerText()).toBe('live')
    await page.getByLabel('Events of the whole map').check()
    await page.waitForTimeout(200)
    await good('POST', '/v1/user/vatom/action/Drop', { 'this.id': ids[0], 'geo.pos': { lat: 47.5, lon: 8.5 } })
    await expect.poll(texts).toContainEqual(expect.stringMatching(/^map Drop: lies now at 47.5, 8.5/))
    expect(problems.filter((problem) => !problem.includes('cdn.example'))).toEqual([])
  }, 90_000)

  test('what users write to each other is shown as they wrote it, and who registers meanwhile can be chosen', async () => {
    const { page, good, publisher, register, problems } = await shop(1)
    await openScreen(page, 'Events')
    await expect.poll(() => page.locator(feed).innerText()).toBe('live')
    await good('POST', '/v1/user/message', { id: publisher.id, message: 'use <b> and <i>' })
    await expect.poll(() => page.locator(rows).first().innerText()).toContain('use <b> and <i>')
    const cleo = await register('cleo@example.com')
    await page.getByLabel('As').focus()
    await page.getByLabel('As').selectOption(cleo.id)
    expect(problems).toEqual([])
  }, 60_000)

  test('go on after somebody signs out with the token by which they come', async () => {
    const { page, good, publisher } = await shop(1)
    const addresses: URL[] = []
    page.on('websocket', (socket) => addresses.push(new URL(socket.url())))
    await openScreen(page, 'Events')
    await expect.poll(() => page.locator(feed).innerText()).toBe('live')
    const token = addresses.at(-1)?.searchParams.get('token')
    const headers = { 'app-id': 'local', authorization: `Bearer ${token}` }
    const { origin } = new URL(page.url())
    expect((await fetch(`${origin}/v1/user/logout`, { method: 'POST', headers })).status).toBe(200)
    await expect.poll(() => page.locator(feed).innerText()).toMatch(/^no connection/)
    await expect.poll(() => page.locator(feed).innerText(), { timeout: 10_000 }).toBe('live')
    await good('POST', '/v1/user/message', { id: publisher.id, message: 'still here' })
    await expect.poll(() => page.locator(rows).first().innerText()).toContain('still here')
  }, 60_000)

  test('of thousands of messages only those in view are elements', async () => {
    const { page, good, problems } = await shop(1)
    await openScreen(page, 'Events')
    await expect.poll(() => page.locator('.count').textContent()).toBe('1 message')
    await good('POST', '/v1/vatoms', { template_variation: variationName, num: 1000 })
    await expect.poll(() => page.locator('.count').textContent(), { timeout: 10_000 }).toBe('1001 messages')
    expect((await scrolled(page, '[role=listbox]', rows, 400)).mostDrawn).toBeLessThan(60)
    await page.locator('[role=listbox]').focus()
    await page.keyboard.press('End')
    expect(await page.locator('.detail h2').innerText()).toBe('info')
    expect(problems).toEqual([])
  }, 60_000)
})
