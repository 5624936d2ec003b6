import { expect, test } from 'vitest'
import { operations } from '../../../src/contract/api/table.ts'
import { template, templateName } from '../../fixtures/bodies.ts'
import { inAllForms } from './accessibility.ts'
import { describeInBrowser } from './browser.ts'
import { consoleDesk, openScreen } from './console-desk.ts'

describeInBrowser('the reference of the API in the console', () => {
  test('lists every operation by resource, and sends one as a user: as a dry run, and to be stored', async () => {
    const { page, call, problems } = await consoleDesk()
    await openScreen(page, 'API')
    const list = page.getByRole('navigation', { name: 'Operations' })
    const links = list.getByRole('link')
    await expect.poll(() => links.count()).toBeGreaterThan(operations.length)
    const shown = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    for (const [name] of operations) expect(shown).toContain(`#/api/${name}`)
    await inAllForms(page, (found) => expect(found).toEqual([]))

    await list.getByRole('searchbox').fill('POST /v1/templates')
    await expect.poll(() => links.count()).toBe(1)
    await links.click()
    const form = page.getByRole('form', { name: 'Try it' })
    const answer = form.locator('.answer')
    expect(JSON.parse(await form.getByLabel('Body').inputValue())).toMatchObject({ template: '' })
    await form.getByLabel('Body').fill('{')
    await form.getByRole('button', { name: 'Send' }).click()
    await expect.poll(() => form.getByRole('alert').innerText()).toBe('The body is not JSON.')
    await form.getByLabel('Body').fill(JSON.stringify(template()))
    await form.getByLabel('Dry run').check()
    await form.getByRole('button', { name: 'Send' }).click()
    await expect.poll(() => answer.innerText()).toContain(templateName)
    expect((await call('GET', '/v1/templates')).body.payload).toEqual([])
    await form.getByLabel('Dry run').uncheck()
    await form.getByRole('button', { name: 'Send' }).click()
    await expect.poll(async () => (await call('GET', '/v1/templates')).body.payload.length).toBe(1)

    // The fields of a field are shown when it is opened, and who may call it, and what is refused.
    const body = page.getByRole('region', { name: 'Body' })
    expect(await body.innerText()).not.toContain('vAtom::vAtomType')
    await body.locator('summary').filter({ hasText: 'Structure of the vAtom' }).click()
    await expect.poll(() => body.innerText()).toContain('vAtom::vAtomType')
    expect(await page.getByRole('article').innerText()).toContain('administrators of a publisher')
    expect(await page.getByRole('region', { name: 'Answers' }).innerText()).toContain('The name is taken')
    await inAllForms(page, (found) => expect(found).toEqual([]))
    expect(problems).toEqual([])
  }, 90_000)

  test('fills in paths and queries, sends files, and says what a refusal is', async () => {
    const { page, call, register, problems } = await consoleDesk()
    await call('POST', '/v1/templates', template())
    const ada = await register('ada@example.com')
    const form = page.getByRole('form', { name: 'Try it' })
    const open = (name: string) => page.goto(`${new URL(page.url()).origin}/#/api/${name}`)
    const send = () => form.getByRole('button', { name: 'Send' }).click()
    await open('getTemplate')
    await form.getByLabel('name').fill(templateName)
    await send()
    await expect.poll(() => form.locator('.answer .status').innerText()).toBe('200')
    await form.getByLabel('As').selectOption(ada.id)
    await send()
    await expect.poll(() => form.locator('.answer .status.refused').innerText()).toBe('404')

    await open('listTemplates')
    await form.getByLabel('fields').fill('name,properties(unpublished)')
    await send()
    await expect.poll(() => form.locator('.answer').innerText()).toContain('"unpublished": true')

    const upload = async () => {
      await open('uploadAssets')
      await form
        .locator('input[type=file]')
        .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a text') })
      await send()
      await expect.poll(() => form.locator('.answer').innerText()).toMatch(/200[\s\S]*\/assets\//)
    }
    await upload()
    // A refusal is an error of the network for the browser.
    expect(problems.filter((problem) => !problem.includes('404'))).toEqual([])

    // A token that has expired is renewed for files, too.
    expect((await call('PUT', '/__vatom/clock', { advance_seconds: 86_400 })).status).toBe(200)
    await open('listTemplates')
    await upload()
  }, 60_000)
})
