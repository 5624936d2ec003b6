import { expect, test } from 'vitest'
import { main } from '../../../src/cli/main.ts'
import { hostWith } from '../../support/host.ts'
import { Capture } from '../../support/streams.ts'
import { inAllForms } from './accessibility.ts'
import { describeInBrowser } from './browser.ts'
import { consoleDesk, copied, openScreen } from './console-desk.ts'
import { shop } from './console-shop.ts'

describeInBrowser('the discover builder in the console', () => {
  test('conditions become JSON, hits and a command, which finds the same', async () => {
    const { page, good, ids, ada, context, service, problems } = await shop(3)
    await good('POST', '/v1/user/vatom/action/Update', { 'this.id': ids[0], 'private.colour': "it's blue" })
    await openScreen(page, 'Discover')
    const found = page.getByRole('region', { name: 'Found' })
    await expect.poll(() => found.getByRole('status').innerText()).toBe('3 found')
    const isCutOff = (tiles: Element[]) => tiles.some(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)
    expect(await found.locator('.tile').evaluateAll(isCutOff)).toBe(false)
    await inAllForms(page, (violations) => expect(violations).toEqual([]))

    await page.getByLabel('Scope').selectOption('owner')
    await page.getByRole('button', { name: 'Add a condition' }).click()
    await page.getByLabel('Field').fill('private.colour')
    await page.getByLabel('Value').fill("it's blue")
    await expect.poll(() => found.getByRole('status').innerText()).toBe('1 found')
    expect(await page.locator('.condition').last().innerText()).toContain('alone: 1')
    await page.getByRole('button', { name: 'Add a condition' }).click()
    await page.getByLabel('Field').last().fill('template')
    await page.getByLabel('Comparison').last().selectOption('Match')
    await page.getByLabel('Value').last().fill('Coupon')
    await page.getByLabel('Joined to the next by').selectOption('Or')
    await expect.poll(() => found.getByRole('status').innerText()).toBe('3 found')
    await inAllForms(page, (violations) => expect(violations).toEqual([]))
    expect(JSON.parse(await page.getByRole('region', { name: 'Query' }).locator('pre').first().innerText())).toEqual({
      scope: { key: 'vAtom::vAtomType.owner', value: '$currentuser' },
      filters: [
        {
          filter_elems: [
            { field: 'private.colour', filter_op: 'Eq', value: "it's blue", bool_op: 'Or' },
            { field: 'vAtom::vAtomType.template', filter_op: 'Match', value: 'Coupon' },
          ],
        },
      ],
    })

    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy the command' }).click()
    const command = () => page.evaluate(() => navigator.clipboard.readText())
    await expect
      .poll(command)
      .toMatch(
        /^VATOM_ACCESS_TOKEN=\S+ vatom discover --scope 'owner=\$currentuser' --filter 'private\.colour = it'\\''s blue' --filter 'template ~ Coupon' --any --base-url http:\S+ --app-id local$/,
      )
    const stdout = new Capture()
    const words = (await command()).match(/'(?:[^']|'\\'')*'|\S+/g) ?? []
    const args = words.slice(2).map((word) => word.replace(/^'|'$/g, '').replaceAll("'\\''", "'"))
    const env = { VATOM_ACCESS_TOKEN: service.localToken() }
    const base = args[args.indexOf('--base-url') + 1] ?? ''
    const code = await main(
      [...args, '--json'],
      hostWith({ stdout, env: { ...env, VATOM_BASE_URL: base, VATOM_APP_ID: 'local' } }),
    )
    expect([code, JSON.parse(stdout.text).count]).toEqual([0, 3])

    await found.locator('.tile').first().click()
    await page.getByRole('heading', { name: 'Faces' }).waitFor()
    await page.goBack()
    await expect.poll(() => found.getByRole('status').innerText()).toBe('3 found')
    expect(await page.locator('.condition').count()).toBe(3)
    await page.locator('.heading select').selectOption(ada.id)
    await expect.poll(() => found.getByRole('status').innerText()).toBe('0 found')
    expect(problems.filter((problem) => !problem.includes('cdn.example'))).toEqual([])
  }, 90_000)

  test('a condition that is not complete is neither searched nor counted, and says what it lacks', async () => {
    const { page, service } = await shop(1)
    await openScreen(page, 'Discover')
    const found = page.getByRole('region', { name: 'Found' }).getByRole('status')
    await expect.poll(() => found.innerText()).toBe('1 found')
    const { journal } = await service.testControls()
    journal.clear()
    await page.getByLabel('Scope').selectOption('owner')
    await page.getByLabel('is one of').fill('')
    await page.getByRole('button', { name: 'Add a condition' }).click()
    const [scope, condition] = [page.locator('.condition').first(), page.locator('.condition').last()]
    expect(await scope.innerText()).toContain('Not searched: write a value')
    expect(await condition.innerText()).toContain('Not searched: write a value, or "" for an empty one')
    expect(await page.getByRole('region', { name: 'Query' }).locator('pre').allInnerTexts()).toEqual([
      '{}',
      expect.stringMatching(/^VATOM_ACCESS_TOKEN=… vatom discover --base-url \S+ --app-id local$/),
    ])
    await page.getByLabel('Field').fill('')
    expect(await condition.innerText()).toContain('Not searched: choose a field')
    await page.getByLabel('Field').fill('private.')
    expect(await condition.innerText()).toContain('write the name of a custom field')
    await page.getByLabel('Field').fill('template')
    await page.getByLabel('Value').fill('Emitted')
    expect(await condition.innerText()).toContain('Not searched: write the whole name, such as local.vatom::Tea::v1')
    await page.getByLabel('Scope').selectOption('template')
    await page.getByLabel('is one of').fill('local.vatom::Emitted, Emitted')
    expect(await scope.innerText()).toContain('Not searched: write the whole name')
    await page.getByLabel('is one of').fill('local.vatom::Emitted')
    await expect.poll(() => scope.innerText()).not.toContain('Not searched')
    await page.getByLabel('Scope').selectOption('')
    await page.getByLabel('Field').fill('private.colour')
    await page.getByLabel('Value').fill('""')
    await expect.poll(() => found.innerText()).toBe('0 found')
    expect(await condition.innerText()).toContain('alone: 0')
    expect(await page.getByRole('region', { name: 'Query' }).innerText()).toContain(`--filter 'private.colour = ""'`)
    const filters = [{ filter_elems: [{ field: 'private.colour', filter_op: 'Eq', value: '' }] }]
    const sent = journal
      .newest({ operation: 'discover', bodies: 'true' })
      .map((one) => JSON.parse(one.sent?.text ?? ''))
    // Before it was complete, all was searched for: no other condition was ever sent.
    expect(sent.filter((body) => body.filters)).toEqual([
      { filters, limit: 50 },
      { filters, return: { type: 'count' } },
    ])
    expect(sent.filter((body) => body.scope)).toEqual([])
  }, 60_000)

  test('commands to copy act as the user who is chosen, and the page shows no token of theirs', async () => {
    const desk = await consoleDesk()
    const { page, baseUrl } = desk
    const ann = await desk.register('ann@example.com')
    const chooseAnn = () => page.getByRole('combobox', { name: 'As' }).selectOption({ label: 'ann@example.com' })
    const button = (name: string) => page.getByRole('button', { name })
    const copiesActingAs = async (name: string, id: string) => {
      await page.getByText(`What is copied acts as ${name}`).waitFor()
      const { text, token, actor } = await copied(desk, button('Copy the command'))
      expect([text, actor]).toEqual([
        `VATOM_ACCESS_TOKEN=${token} vatom discover --base-url ${baseUrl} --app-id local`,
        id,
      ])
      expect(await page.locator('main').innerText()).not.toContain(token)
    }
    const publisher = (await desk.call('GET', '/v1/user')).body.payload.id
    await openScreen(page, 'Discover')
    await copiesActingAs('publisher@local.vatom', publisher)
    await chooseAnn()
    await copiesActingAs('ann@example.com', ann.id)
    await inAllForms(page, (violations) => expect(violations).toEqual([]))

    await page.goto(`${baseUrl}/#/api/getProfile`)
    const copies = ['Copy as curl', 'Copy as vatom api']
    for (const name of copies) expect(await copied(desk, button(name))).toMatchObject({ actor: publisher })
    await chooseAnn()
    for (const name of copies) expect(await copied(desk, button(name))).toMatchObject({ actor: ann.id })
  }, 60_000)

  test('a field that cannot be searched is named', async () => {
    const { page } = await shop(1)
    await openScreen(page, 'Discover')
    await page.getByRole('button', { name: 'Add a condition' }).click()
    await page.getByLabel('Field').fill('nothing')
    await page.getByLabel('Value').fill('x')
    await expect.poll(() => page.getByRole('alert').innerText()).toContain('is not a field that can be searched')
    await page.getByRole('button', { name: 'Remove' }).click()
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  }, 60_000)
})
