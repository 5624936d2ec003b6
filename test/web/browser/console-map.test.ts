import { expect, test } from 'vitest'
import { action, template, variation, variationName } from '../../fixtures/bodies.ts'
import { dial } from '../../support/sockets.ts'
import { inAllForms } from './accessibility.ts'
import { describeInBrowser } from './browser.ts'
import { openScreen } from './console-desk.ts'
import { shop } from './console-shop.ts'

/** A shop whose vAtoms can be dropped. */
async function mapDesk(count: number) {
  const desk = await shop(count)
  await desk.good('POST', '/v1/publisher/action', action({ wait: true }, 'Drop'))
  await openScreen(desk.page, 'Map')
  const drop = (id: string | undefined, lat: number, lon: number) =>
    desk.good('POST', '/v1/user/vatom/action/Drop', { 'this.id': id, 'geo.pos': { lat, lon } })
  return { ...desk, drop, list: desk.page.getByRole('region', { name: 'On the map' }) }
}

describeInBrowser('the map in the console', () => {
  test('a vAtom is dropped where one clicks, or by keys alone; what others drop appears; regions of sockets are drawn', async () => {
    const { page, ids, drop, list, ada, wsUrl, problems } = await mapDesk(3)
    await expect.poll(() => list.innerText()).toBe('Nothing lies here')
    await expect.poll(() => page.locator('path.land').count()).toBe(1)
    await inAllForms(page, (found) => expect(found).toEqual([]))

    const form = page.getByRole('form', { name: 'Drop a vAtom' })
    const area = await page.locator('.map-area').boundingBox()
    if (!area) throw new Error('there is no map')
    await page.mouse.click(area.x + area.width * 0.75, area.y + area.height * 0.25)
    await expect.poll(async () => Number(await form.getByLabel('Degrees north').inputValue())).toBeCloseTo(45, 0)
    expect(Number(await form.getByLabel('Degrees east').inputValue())).toBeCloseTo(90, 0)
    await form.getByLabel('vAtom').selectOption(String(ids[0]))
    await form.getByRole('button', { name: 'Drop it there' }).click()
    await expect.poll(() => list.innerText()).toContain('1 vAtom on this part of the map')
    expect(await page.locator('.dot').count()).toBe(1)

    // By keys: to the middle of a part of the map, which is chosen there.
    const pin = () => page.locator('.pin').evaluate(({ style }) => [style.left, style.top].map(Number.parseFloat))
    const [left = 0, top = 0] = await pin()
    await page.getByRole('button', { name: 'Zoom in' }).click()
    const zoomed = await pin()
    expect(zoomed[0]).toBeCloseTo(left, 1)
    expect(zoomed[1]).toBeCloseTo(top, 1)
    await page.getByRole('button', { name: 'World' }).click()
    await page.getByRole('application').focus()
    for (const key of ['+', '+', 'ArrowLeft', 'ArrowUp', 'Enter']) await page.keyboard.press(key)
    await expect.poll(() => form.getByLabel('Degrees north').inputValue()).toBe('9.00000')
    expect(await form.getByLabel('Degrees east').inputValue()).toBe('-18.00000')
    await form.getByLabel('vAtom').selectOption(String(ids[1]))
    await form.getByLabel('Degrees north').fill('91')
    await form.getByRole('button', { name: 'Drop it there' }).click()
    await expect.poll(() => list.innerText()).toBe('Nothing lies here')
    await form.getByLabel('Degrees north').fill('9')
    await form.getByRole('button', { name: 'Drop it there' }).click()
    await expect.poll(() => list.innerText()).toContain('9.0000, -18.0000')

    // What another client drops, and asks to watch.
    const { socket, next } = dial(`${wsUrl}?app_id=local&token=${ada.token}`)
    await next()
    const payload = { top_left: { lat: 20, lon: -30 }, bottom_right: { lat: 0, lon: -10 } }
    socket.send(JSON.stringify({ type: 'command', cmd: 'monitor', payload }))
    await drop(ids.at(-1), 8, -17)
    await expect.poll(() => list.innerText()).toContain('2 vAtoms')
    const watched = page.getByRole('region', { name: 'Watched regions' })
    await expect.poll(() => watched.innerText()).toMatch(/ada@example\.com\s+20, -30 to 0, -10/)
    expect(await page.locator('.region').count()).toBe(1)
    socket.close()
    await inAllForms(page, (found) => expect(found).toEqual([]))
    await page.locator('.on-map a').first().click()
    await expect.poll(() => page.getByRole('region', { name: 'Faces' }).count()).toBe(1)
    expect(problems.filter((problem) => !problem.includes('cdn.example'))).toEqual([])
  }, 90_000)

  test('what can be dropped is what has an action for it, whatever that is called', async () => {
    const { page, good, ids } = await shop(1)
    const called = (name: string, reactor: string) =>
      good('POST', '/v1/publisher/action', action({ wait: true, reactor }, name))
    await called('Drop', 'blockv://v1/Pickup')
    await openScreen(page, 'Map')
    const form = page.getByRole('form', { name: 'Drop a vAtom' })
    await expect.poll(() => form.innerText()).toContain('no vAtom to drop')
    await called('LayDown', 'blockv://v1/Drop')
    await page.getByRole('button', { name: 'Reload' }).click()
    await form.getByLabel('vAtom').selectOption(String(ids[0]))
    await form.getByLabel('Degrees north').fill('9')
    await form.getByLabel('Degrees east').fill('18')
    await form.getByRole('button', { name: 'Drop it there' }).click()
    const list = page.getByRole('region', { name: 'On the map' })
    await expect.poll(() => list.innerText()).toContain('9.0000, 18.0000')
  }, 60_000)

  test('what can be dropped is found behind a hundred newer vAtoms that cannot', async () => {
    const { page, good, ids } = await mapDesk(1)
    const other = 'local.vatom::Other::v1'
    await good('POST', '/v1/templates', template({ template: other, unpublished: false }))
    const variationOfOther = variation({ template: other, template_variation: `${other}::V`, unpublished: false })
    await good('POST', '/v1/template_variations', variationOfOther)
    await good('POST', '/v1/vatoms', { template_variation: `${other}::V`, num: 110 })
    await page.getByRole('button', { name: 'Reload' }).click()
    const choices = page.getByRole('form', { name: 'Drop a vAtom' }).getByLabel('vAtom').locator('option')
    await expect.poll(() => choices.evaluateAll((all) => all.map((one) => one.getAttribute('value')))).toEqual(ids)
  }, 90_000)

  test('many are shown as groups, into which one zooms', async () => {
    const { page, good, drop, list, problems } = await mapDesk(1)
    const { ids } = await good('POST', '/v1/vatoms', { template_variation: variationName, num: 210 })
    for (const [index, id] of ids.entries())
      await drop(id, index < 205 ? 47.37 + index / 10_000 : -33.9, index < 205 ? 8.54 : 151.2)
    await page.getByRole('button', { name: 'Reload' }).click()
    await expect.poll(() => list.getByRole('status').innerText()).toBe('210 vAtoms on this part of the map')
    expect((await page.locator('.cluster').allInnerTexts()).sort()).toEqual(['205', '5'])
    await inAllForms(page, (found) => expect(found).toEqual([]))
    await page.locator('.cluster', { hasText: /^5$/ }).click()
    await expect.poll(() => list.getByRole('status').innerText()).toBe('5 vAtoms on this part of the map')
    expect(await page.locator('.dot').count()).toBe(5)
    expect(problems.filter((problem) => !problem.includes('cdn.example'))).toEqual([])
  }, 90_000)
})
