import { expect, test } from 'vitest'
import { main } from '../../../src/cli/main.ts'
import { template, templateName } from '../../fixtures/bodies.ts'
import { newFolder } from '../../support/folders.ts'
import { hostWith } from '../../support/host.ts'
import { Capture } from '../../support/streams.ts'
import { inAllForms } from './accessibility.ts'
import { describeInBrowser } from './browser.ts'
import { consoleDesk, openScreen } from './console-desk.ts'

describeInBrowser('outbox, ledger and controls in the console', () => {
  test('the outbox lists codes, the newest first', async () => {
    const { page, register, problems, baseUrl } = await consoleDesk()
    // Before anything was sent there is nothing to filter, and the empty screen has a command that works as it is.
    expect(await page.locator('.empty h2').textContent()).toBe('No requests yet')
    await openScreen(page, 'Outbox')
    await expect.poll(() => page.locator('.empty h2').textContent()).toBe('No messages yet')
    const here = `--base-url ${baseUrl} --app-id local`
    expect(await page.locator('.empty pre').allTextContents()).toEqual([
      `vatom user register --email ada@example.com ${here}`,
    ])
    await inAllForms(page, (found) => expect(found).toEqual([]))
    await register('ada@example.com')
    await register('bob@example.com')
    await page.getByRole('button', { name: 'Reload' }).click()
    const rows = page.getByRole('region', { name: 'Messages' }).locator('tbody tr')
    await expect.poll(() => rows.first().innerText()).toMatch(/bob@example\.com\s+\d+\s+Copy\s+verification code/)
    await inAllForms(page, (found) => expect(found).toEqual([]))
    expect(problems).toEqual([])
  }, 60_000)

  test('the ledger lists writes to chains, and what is left to each publisher', async () => {
    const { page, call, problems } = await consoleDesk()
    await openScreen(page, 'Ledger')
    await expect.poll(() => page.locator('.empty h2').textContent()).toBe('Nothing was written to a chain yet')
    await inAllForms(page, (found) => expect(found).toEqual([]))
    const eth = { network: 'mainnet', fields: { points: { type: 'uint', value: 7 } } }
    expect((await call('POST', '/v1/templates', template({ eth }))).status).toBe(200)
    await page.getByRole('button', { name: 'Reload' }).click()
    await expect
      .poll(() => page.getByRole('region', { name: 'Balances' }).innerText())
      .toMatch(/local\.vatom\s+1,000,000\s+110\s+999,890/)
    const writes = page.getByRole('region', { name: 'Writes to chains' }).locator('tbody tr')
    await expect.poll(() => writes.first().innerText()).toMatch(/mainnet\s+field points\s+7\s+10/)
    expect(await writes.last().innerText()).toMatch(/contract\s+100/)
    expect(await page.getByRole('img').getAttribute('aria-label')).toBe(
      'Balance of local.vatom: 1,000,000 granted; 999,890 left at 2027-03-01T12:00:00Z, first charged at 2027-03-01T12:00:00Z',
    )
    await inAllForms(page, (found) => expect(found).toEqual([]))
    expect(problems).toEqual([])
  }, 60_000)

  test('all of a long ledger is scrolled to, with the balance over time', async () => {
    const { page, call, service, advance, problems } = await consoleDesk()
    const names = Array.from({ length: 120 }, (_, index) => `f${index}`)
    const eth = (value: number) => ({
      network: 'mainnet',
      fields: Object.fromEntries(names.map((name) => [name, { type: 'uint', value }])),
    })
    await call('POST', '/v1/templates', template({ eth: eth(0) }))
    advance(60)
    await call('PATCH', `/v1/templates/${templateName}`, { eth: eth(1) }, service.localToken())
    await openScreen(page, 'Ledger')
    const list = page.getByRole('region', { name: 'Writes to chains' })
    const rows = list.locator('tbody tr')
    await expect.poll(() => page.locator('.count').innerText()).toBe('241 writes, the newest first')
    await expect.poll(() => rows.first().innerText()).toMatch(/field f119\s+1\s+10/)
    expect(await rows.count()).toBeLessThan(60)
    await list.evaluate((box) => box.scrollTo(0, box.scrollHeight))
    await expect.poll(() => rows.last().innerText()).toMatch(/contract/)
    // From the left at the first minute to the right at the second.
    expect(await page.locator('.balance path').getAttribute('d')).toMatch(/^M0 0 H0\.0 .* H600\.0 V100\.0 H600$/)
    expect(problems).toEqual([])
  }, 60_000)

  test('the clock is moved and frozen, and a scenario begins and ends', async () => {
    const { page, call, service, problems } = await consoleDesk()
    await openScreen(page, 'Controls')
    const clock = page.getByRole('region', { name: 'Clock' })
    await expect.poll(() => clock.getByRole('status').innerText()).toContain('2027-03-01T12:00:00Z')
    await inAllForms(page, (found) => expect(found).toEqual([]))
    await clock.getByRole('button', { name: 'One day on' }).click()
    await expect
      .poll(() => clock.getByRole('status').innerText())
      .toContain('2027-03-02T12:00:00Z 1 day ahead of the real time')
    await clock.getByRole('button', { name: 'Freeze' }).click()
    await expect.poll(() => clock.getByRole('status').innerText()).toContain('stands still')
    await clock.getByLabel('Time in UTC').fill('2028-01-02T03:04:05')
    await clock.getByRole('button', { name: 'Set' }).click()
    await expect.poll(() => clock.getByRole('status').innerText()).toContain('2028-01-02T03:04:05Z')
    await clock.getByRole('button', { name: 'Back to the real time' }).click()
    await expect.poll(() => clock.getByRole('status').innerText()).toContain('2027-03-01T12:00:00Z the real time')

    const scenario = page.getByRole('region', { name: 'Scenario' })
    const rule = scenario.getByRole('form', { name: 'Rule' })
    await rule.getByLabel('Path').fill('/v1/vatoms/*')
    await rule.getByLabel('Times').fill('2')
    await rule.getByRole('button').click()
    await rule.getByRole('combobox', { name: 'Applies to' }).selectOption('messages on WebSockets')
    await rule.getByLabel('Kind').selectOption('state_update')
    await rule.getByLabel('Does').selectOption('close the WebSocket with 1011')
    await rule.getByLabel('Times').fill('')
    await rule.getByRole('button').click()
    await scenario.getByRole('button', { name: 'Begin' }).click()
    await expect
      .poll(() => scenario.getByRole('status').innerText())
      .toBe(
        '{"match":{"path":"/v1/vatoms/*"},"times":2,"then":{"status":503}} 2 times more\n{"match":{"event":"state_update"},"then":{"close":1011}} always',
      )
    await scenario.getByLabel('Rules').fill('[{"match":{"path":"/v1/user"},"then":{"status":418}}]')
    await scenario.getByRole('button', { name: 'Begin' }).click()
    await expect.poll(() => scenario.getByRole('alert').innerText()).toContain('status')
    await scenario.getByLabel('Rules').fill('[{"match":{"path":"/v1/user"},"times":1,"then":{"status":503}}]')
    await scenario.getByRole('button', { name: 'Begin' }).click()
    await expect.poll(() => scenario.getByRole('status').innerText()).toContain('1 time more')
    expect((await call('GET', '/v1/user', undefined, service.localToken())).status).toBe(503)
    await scenario.getByRole('button', { name: 'End' }).click()
    await expect.poll(() => scenario.innerText()).toContain('Requests are answered and messages sent as usual')
    expect(await page.getByRole('region', { name: 'Data' }).innerText()).toContain('vatom reset')
    // The refused scenario is an error of the network for the browser.
    expect(problems.filter((problem) => !problem.includes('400'))).toEqual([])
  }, 60_000)

  test('seeded users are opened, and a user for tests is made with a session for commands', async () => {
    const { page, context, service, baseUrl, publisher, problems } = await consoleDesk()
    await openScreen(page, 'Controls')
    const users = page.getByRole('region', { name: 'Users', exact: true })
    const seeded = users.getByRole('region', { name: 'Seeded users' }).locator('tbody tr')
    await expect
      .poll(() => seeded.allInnerTexts())
      .toEqual([expect.stringMatching(/publisher@local\.vatom\s+local\.vatom/)])
    await seeded.getByRole('link').click()
    await expect.poll(() => page.url()).toBe(`${baseUrl}/#/users/${publisher.id}`)

    await openScreen(page, 'Controls')
    await users.getByLabel('E-mail').fill('till@example.com')
    await users.getByRole('button', { name: 'Make a user' }).click()
    const made = users.getByRole('region', { name: 'Users made here' }).locator('tbody tr')
    await expect.poll(() => made.innerText()).toMatch(/till@example\.com\s+vatom-test/)
    await inAllForms(page, (found) => expect(found).toEqual([]))
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await made.getByRole('button').click()
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    await expect
      .poll(copied)
      .toMatch(/^export VATOM_BASE_URL=\S+\nexport VATOM_APP_ID=local\nexport VATOM_REFRESH_TOKEN=\S+$/)
    const env = Object.fromEntries(
      (await copied()).split('\n').map((line) => line.replace('export ', '').split('=', 2)),
    )
    const stdout = new Capture()
    expect(await main(['whoami', '--json'], hostWith({ stdout, env }))).toBe(0)
    await made.getByRole('link').click()
    await expect.poll(() => page.url()).toBe(`${baseUrl}/#/users/${JSON.parse(stdout.text).id}`)
    await expect.poll(() => page.locator('.path-line').innerText()).toContain('till@example.com')
    // Those that were made stay listed until the page is loaded again; no other user is.
    await (await service.testControls()).makeUser({})
    await openScreen(page, 'Controls')
    await expect.poll(() => made.count()).toBe(1)
    await expect.poll(() => seeded.count()).toBe(1)
    expect(problems).toEqual([])
  }, 60_000)

  test.each([
    [{ isLocal: true }, ['vatom snapshot save NAME --context local', 'vatom reset --context local'], 'FILE'],
    [{}, ['--db FILE', 'the folder FILE.assets and, where there is one, FILE-wal'], '--context local'],
  ])(
    'data that lasts, as of %j, is copied and reset as the page says',
    async (options, commands, other) => {
      const { page, problems } = await consoleDesk(options)
      await openScreen(page, 'Controls')
      const data = page.getByRole('region', { name: 'Data' })
      const clock = page.getByRole('region', { name: 'Clock' })
      await expect
        .poll(() => clock.innerText())
        .toMatch(
          /Sessions last 30 days of it: a leap beyond that ends them\. They last again .* unless their user signs in anew before\./,
        )
      const said = await data.getByText(commands[0] ?? '').evaluate((code) => code.closest('p')?.textContent)
      for (const command of commands) expect(said).toContain(command)
      expect(said).not.toContain(other)
      expect(await data.getByRole('button').count()).toBe(0)
      await inAllForms(page, (found) => expect(found).toEqual([]))
      expect(problems).toEqual([])
    },
    60_000,
  )

  test('a service in memory saves, loads and returns to its start', async () => {
    const { page, call, service } = await consoleDesk({ temporary: newFolder() })
    await (await service.testControls()).rememberStart()
    page.on('dialog', (dialog) => void dialog.accept())
    const templates = async () =>
      (await call('GET', '/v1/templates', undefined, service.localToken())).body.payload.length
    await openScreen(page, 'Controls')
    const data = page.getByRole('region', { name: 'Data' })
    await data.getByLabel('Name').fill('no such / name')
    await data.getByRole('button', { name: 'Save a snapshot' }).click()
    expect(await data.getByRole('alert').count()).toBe(1)
    await call('POST', '/v1/templates', template())
    await data.getByLabel('Name').fill('full')
    await data.getByRole('button', { name: 'Save a snapshot' }).click()
    await expect.poll(() => data.getByRole('status').innerText()).toBe('Saved as full.')
    await inAllForms(page, (found) => expect(found).toEqual([]))
    await data.getByRole('button', { name: 'Return to the start' }).click()
    await expect.poll(() => data.getByRole('status').innerText()).toBe('The service is as it was at its start.')
    expect(await templates()).toBe(0)
    await data.getByRole('button', { name: 'Load full' }).click()
    await expect.poll(() => data.getByRole('status').innerText()).toBe('The data is that of full.')
    expect(await templates()).toBe(1)
  }, 60_000)
})
