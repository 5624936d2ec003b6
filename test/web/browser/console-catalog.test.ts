import { expect, test } from 'vitest'
import { consolePaths, type ServedAs } from '../../../src/contract/console.ts'
import { template, templateName, variation } from '../../fixtures/bodies.ts'
import { inAllForms } from './accessibility.ts'
import { describeInBrowser } from './browser.ts'
import { consoleDesk, copied, openScreen } from './console-desk.ts'
import { shop } from './console-shop.ts'

describeInBrowser('the catalog in the console', () => {
  test('an empty service says how to fill it', async () => {
    const { page, baseUrl } = await consoleDesk()
    await openScreen(page, 'Catalog')
    await expect.poll(() => page.locator('.empty').innerText()).toContain(`vatom apply shop --base-url ${baseUrl}`)
    await inAllForms(page, (found) => expect(found).toEqual([]))
  }, 60_000)

  test('the difference to the files follows each save; a service without files shows none', async () => {
    const row = { file: 'shop/coupon.yaml', kind: 'template', name: templateName, problems: [], status: 'updated' }
    const changes = [{ path: 'vatom.vAtom::vAtomType.title', before: 'Old', after: '<b>New</b>' }]
    let plan: object = {
      results: [{ ...row, action: 'update', changes }],
      summary: { total: 3, update: 1, unchanged: 2 },
    }
    const watching = new Set<() => void>()
    const asked: number[] = []
    const catalog = {
      compare: async ({ baseUrl: at, appId, accessToken }: ServedAs) => {
        const headers = { 'app-id': appId, authorization: `Bearer ${accessToken}` }
        asked.push((await fetch(`${at}/v1/templates?compared`, { headers })).status)
        // What it is given shows the page's own routes to nobody.
        asked.push((await fetch(`${at}${consolePaths.requests}`, { headers })).status)
        return { paths: ['shop'], plan }
      },
      watch: (changed: () => void) => {
        watching.add(changed)
        return () => watching.delete(changed)
      },
    }
    const { page, baseUrl, problems } = await consoleDesk({ catalog })
    await openScreen(page, 'Catalog')
    const comparison = page.getByRole('region', { name: 'Compared with the files' })
    await expect.poll(() => comparison.getByRole('status').innerText()).toBe('3 documents: 1 to change, 2 unchanged')
    expect(await comparison.innerText()).toMatch(/update\s+template\s+local\.vatom::Coupon::v1/)
    expect(await comparison.locator('ins').innerText()).toBe('<b>New</b>')
    expect(await comparison.innerText()).toContain(`vatom apply shop --base-url ${baseUrl} --app-id local`)
    await inAllForms(page, (found) => expect(found).toEqual([]))
    const problem = { severity: 'error', line: 3, message: 'vatom is required' }
    const unplaced = { severity: 'error', line: null, message: 'links to a file that does not exist' }
    plan = {
      results: [{ ...row, status: 'invalid', problems: [problem, unplaced] }],
      summary: { total: 3, failed: 3 },
      error: { message: '1 of 3 documents is not valid' },
    }
    for (const changed of watching) changed()
    await expect.poll(() => comparison.innerText()).toContain('error, line 3: vatom is required')
    expect(await comparison.innerText()).toContain('error: links to a file that does not exist')
    expect(await comparison.innerText()).not.toContain('vatom apply')
    const absent = { rule: 'input', severity: 'error', line: null, message: 'no such file or folder' }
    plan = {
      results: [{ ...row, file: 'shop', name: '', status: 'invalid', problems: [absent] }],
      summary: { total: 1, failed: 1 },
      error: { message: '1 of 1 document is not valid' },
    }
    for (const changed of watching) changed()
    await expect
      .poll(() => comparison.getByRole('status').innerText())
      .toBe('1 path cannot be read: nothing is compared until that is corrected')
    expect(await comparison.innerText()).toMatch(/invalid\s+shop\s+error: no such file or folder/)
    expect(await comparison.innerText()).not.toMatch(/template|document/)
    const why = { message: 'it is published, which is final', hint: 'make the next version: vatom template bump NAME' }
    const others = { problems: [], status: 'not_sent', message: 'not sent: 1 of 3 documents would be refused' }
    plan = {
      results: [
        { ...row, status: 'refused', action: 'refuse', problems: [{ ...problem, ...why }], error: why },
        { ...row, ...others, name: 'local.vatom::Pass::v1', action: 'update', changes },
        { ...row, status: 'refused', action: 'refuse', name: 'local.vatom::Bag::v1', error: { message: 'it is used' } },
        { ...row, ...others, name: 'local.vatom::Late::v1' },
      ],
      summary: { total: 4, update: 1, refuse: 2 },
      error: { message: '2 of 4 documents would be refused' },
    }
    for (const changed of watching) changed()
    await expect
      .poll(() => comparison.getByRole('status').innerText())
      .toBe('4 documents: 1 to change, 2 that would be refused')
    const listed = await comparison.innerText()
    expect(listed).toMatch(
      /line 3: it is published, which is final\nhint: make the next version: vatom template bump NAME/,
    )
    expect(listed.split(why.message)).toHaveLength(2)
    expect(listed).toMatch(/update\s+template\s+local\.vatom::Pass::v1[\s\S]*Old[\s\S]*New/)
    expect(listed).toMatch(/local\.vatom::Bag::v1[\s\S]*it is used/)
    for (const unsaid of ['Late', 'not_sent', 'vatom apply', 'undefined']) expect(listed).not.toContain(unsaid)
    await inAllForms(page, (found) => expect(found).toEqual([]))
    plan = { results: [{ ...row, status: 'unchanged' }], summary: { total: 1, unchanged: 1 } }
    for (const changed of watching) changed()
    await expect.poll(() => comparison.locator('li').count()).toBe(0)
    plan = {
      results: [{ ...row, status: 'unchanged', withheld: true }],
      unlisted: [{}],
      summary: { total: 1, unchanged: 1, take_over: 1, withheld: 1 },
    }
    for (const changed of watching) changed()
    await expect
      .poll(() => comparison.getByRole('status').innerText())
      .toBe('1 document: 1 unchanged; 1 to take over; 1 would be published with --publish; 1 record in no file')
    expect(await comparison.innerText()).toContain('not published: that takes --publish')
    expect(await comparison.innerText()).toContain('vatom apply shop')
    expect(problems).toEqual([])
    expect(asked.slice(0, 2)).toEqual([200, 403])
    await openScreen(page, 'Requests')
    await expect
      .poll(() => page.locator('main').innerText())
      .toContain('Those of commands on the local context are not')
    expect(await page.locator('main').innerText()).not.toContain('compared')
    await page.getByLabel('Those of the console').check()
    await page.getByRole('option').filter({ hasText: 'compared' }).first().waitFor()
    const without = await consoleDesk()
    await openScreen(without.page, 'Catalog')
    await without.page.locator('.empty').waitFor()
    expect(await without.page.getByRole('region', { name: 'Compared with the files' }).count()).toBe(0)
  }, 60_000)

  test('of several publishers each has a catalog of its own, and a comparison with the files', async () => {
    const asked: string[] = []
    const ofOthers = {
      severity: 'warning',
      message: 'it was applied for local.vatom',
      hint: 'choose a context of that',
    }
    const catalog = {
      compare: async ({ baseUrl: at, appId, accessToken }: ServedAs) => {
        const headers = { 'app-id': appId, authorization: `Bearer ${accessToken}` }
        const { payload } = await (await fetch(`${at}/v1/user`, { headers })).json()
        asked.push(payload.properties.pub_fqdn ?? payload.system_properties.pub_fqdn)
        const row = { file: 'shop/a.yaml', kind: 'template', action: 'create', status: 'created', problems: [] }
        return {
          paths: ['shop'],
          plan: {
            results: [{ ...row, name: `${asked.at(-1)}::New::v1` }],
            summary: { create: 1 },
            ...(asked.at(-1) === 'rival.example' && { warnings: [ofOthers] }),
          },
        }
      },
      watch: () => () => {},
    }
    const desk = await consoleDesk({
      publishers: ['local.vatom', 'rival.example'],
      catalog,
    })
    const { page, call, publisher, problems } = desk
    const token_type = 'email'
    const auth_data = { password: 'vatom-local' }
    const login = await call('POST', '/v1/user/login', { token: 'publisher@rival.example', token_type, auth_data })
    const { access_token, user } = login.body.payload
    const [rival, theirs] = [access_token.token, 'rival.example::Tour::v1']
    await call('POST', '/v1/templates', template())
    expect((await call('POST', '/v1/templates', template({ template: theirs, cloneable: true }), rival)).status).toBe(
      200,
    )
    for (const fields of [
      { template_variation: `${theirs}::Bus` },
      { template_variation: `${theirs}::Cab`, max_clones: 5 },
    ]) {
      const made = variation({ template: theirs, ...fields })
      expect((await call('POST', '/v1/template_variations', made, rival)).status).toBe(200)
    }

    await openScreen(page, 'Catalog')
    const listed = async () => (await page.locator('.templates li').allInnerTexts()).join().replaceAll(/\s+/g, '')
    const compared = page.getByRole('region', { name: 'Compared with the files' })
    const as = page.getByRole('combobox', { name: 'As' })
    await expect.poll(listed).toBe(`${templateName}draft`)
    await expect.poll(() => compared.locator('strong').innerText()).toBe('local.vatom::New::v1')
    expect(await compared.getByRole('list', { name: 'Warnings' }).count()).toBe(0)
    const command = () => copied(desk, compared.getByRole('button', { name: 'Copy the command' }))
    expect(await command()).toMatchObject({ actor: (await desk.call('GET', '/v1/user')).body.payload.id })
    const offered = async () => (await as.locator('option').allInnerTexts()).sort()
    await expect.poll(offered).toEqual(['publisher@local.vatom', 'publisher@rival.example'])
    await as.selectOption('publisher@rival.example')
    await expect.poll(listed).toBe(`${theirs}draft`)
    await expect.poll(() => compared.locator('strong').innerText()).toBe('rival.example::New::v1')
    expect(await as.inputValue()).toBe(user.id)
    expect(await compared.getByRole('list', { name: 'Warnings' }).innerText()).toBe(
      'warning: it was applied for local.vatom\nhint: choose a context of that',
    )
    const theirCommand = await command()
    expect(theirCommand).toMatchObject({
      text: `VATOM_ACCESS_TOKEN=${theirCommand.token} vatom apply shop --base-url ${desk.baseUrl} --app-id local`,
      actor: user.id,
    })
    expect(await page.locator('main').innerText()).not.toContain(theirCommand.token)
    await inAllForms(page, (found) => expect(found).toEqual([]))

    await page.locator('.templates a').click()
    await expect
      .poll(() => page.locator('.numbers tbody tr').allInnerTexts())
      .toEqual([expect.stringMatching(/^Bus.*\sany number\s/s), expect.stringMatching(/^Cab.*\s5\s/s)])
    await page.reload()
    await expect.poll(() => page.locator('.numbers tbody tr').count()).toBe(2)
    await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'Catalog' }).click()
    await expect.poll(listed).toBe(`${theirs}draft`)
    await as.selectOption(publisher.id)
    await expect.poll(listed).toBe(`${templateName}draft`)
    expect(problems).toEqual([])

    const alone = await consoleDesk()
    await alone.register('ann@example.com')
    await openScreen(alone.page, 'Catalog')
    await alone.page.locator('.empty').waitFor()
    expect(await alone.page.getByRole('combobox', { name: 'As' }).count()).toBe(0)
  }, 60_000)

  test('a template has its variations with counts, faces, actions, and values by where they are from', async () => {
    const { page, good, ids, hostile, problems } = await shop(3)
    await good('POST', '/v1/user/vatom/trash', { 'this.id': ids[0] })
    await good('POST', '/v1/template_variations', variation({ template_variation: `${templateName}::Silver` }))
    await openScreen(page, 'Catalog')
    await expect.poll(() => page.locator('.templates').innerText()).toMatch(/local\.vatom::Coupon::v1\s+published/)
    await page.getByRole('searchbox').fill('nothing')
    expect(await page.locator('.templates li').count()).toBe(0)
    await page.getByRole('searchbox').fill('coup')
    await page.locator('.templates a').click()

    const rows = page.locator('.numbers tbody tr')
    await expect.poll(() => rows.count()).toBe(2)
    const texts = async () => (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim())
    expect(await texts()).toEqual(['Gold published 3 0 1 2 not cloneable', 'Silver draft 0 0 0 0 not cloneable none'])
    expect(await page.locator('.plot').getAttribute('aria-label')).toBe(
      'In the 30 days until 2027-03-01: 3 emitted, 0 redeemed, at most 3 on a day; 2 left, at most 2',
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
