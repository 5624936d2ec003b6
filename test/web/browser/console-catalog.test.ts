import { expect, test } from 'vitest'
import { templateName, variation } from '../../fixtures/bodies.ts'
import { inAllForms } from './accessibility.ts'
import { describeInBrowser } from './browser.ts'
import { consoleDesk, openScreen } from './console-desk.ts'
import { shop } from './console-shop.ts'

describeInBrowser('the catalog in the console', () => {
  test('an empty service says how to fill it', async () => {
    const { page, baseUrl } = await consoleDesk()
    await openScreen(page, 'Catalog')
    await expect.poll(() => page.locator('.empty').innerText()).toContain(`vatom apply shop --base-url ${baseUrl}`)
    await inAllForms(page, (found) => expect(found).toEqual([]))
  }, 60_000)

  test('a template has its variations with counts, faces, actions, and values by where they are from', async () => {
    const { page, good, ids, hostile, problems } = await shop(3)
    await good('POST', '/v1/user/vatom/trash', { 'this.id': ids[0] })
    await good('POST', '/v1/template_variations', variation({ template_variation: `${templateName}::Silver` }))
    await openScreen(page, 'Catalog')
    await expect.poll(() => page.locator('.templates').innerText()).toMatch(/local\.vatom::Coupon::v1\s+final/)
    await page.getByRole('searchbox').fill('nothing')
    expect(await page.locator('.templates li').count()).toBe(0)
    await page.getByRole('searchbox').fill('coup')
    await page.locator('.templates a').click()

    const rows = page.locator('.numbers tbody tr')
    await expect.poll(() => rows.count()).toBe(2)
    const texts = async () => (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim())
    expect(await texts()).toEqual(['Gold final 3 2 1 any number', 'Silver draft 0 0 0 any number none'])
    expect(await page.locator('.plot').getAttribute('aria-label')).toBe(
      'Emitted in the 30 days until 2027-03-01: 3, at most 3 on a day',
    )
    await expect
      .poll(() => page.locator('.faces li[data-mode=icon]').innerText())
      .toContain('ActivatedImage, which fits into the area')
    expect(await page.getByRole('region', { name: 'Actions' }).innerText()).toContain('Transfer')
    const values = page.getByRole('region', { name: 'Values' })
    expect(await values.locator('tr').filter({ hasText: 'title' }).innerText()).toMatch(
      new RegExp(`title\\s+${hostile.replaceAll(/[()]/g, '.')}\\s+variation`),
    )
    expect(await values.locator('tr').filter({ hasText: 'colour' }).innerText()).toMatch(/red\s+template/)
    await page.getByRole('button', { name: 'Silver' }).click()
    expect(await values.locator('tr').filter({ hasText: 'title' }).innerText()).toMatch(/\s+template$/)
    await inAllForms(page, (found) => expect(found).toEqual([]))
    expect(problems.filter((problem) => !problem.includes('cdn.example'))).toEqual([])
  }, 90_000)
})
