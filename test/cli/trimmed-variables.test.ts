import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { template } from '../fixtures/yaml.ts'
import { served } from '../support/desks.ts'
import { deskOf, publisher } from '../support/vatom.ts'

test.each(['acme.com\n', ' acme.com', 'acme.com\r\n', '\tacme.com '])('a publisher %j is acme.com', async (given) => {
  const { run } = await publisher()
  const validate = ['template', 'validate', '-']
  const env = { VATOM_PUBLISHER: given }
  expect(await run(validate, { stdin: template('acme.com::A::v1'), env })).toMatchObject({ code: 0 })
})

test('a service, a context and a folder are found whose variables end with a line break', async () => {
  const { run, baseUrl, service, home } = await served()
  const { refresh_token } = await service.localSession()
  const env = {
    VATOM_BASE_URL: `${baseUrl}\n`,
    VATOM_APP_ID: `${service.appId}\n`,
    VATOM_REFRESH_TOKEN: `${refresh_token}\n`,
    VATOM_PUBLISHER: 'local.vatom\n',
    VATOM_DATA_DIR: `${join(home, 'own')}\n`,
  }
  expect(await run(['emit', '$publisher::None::v1::First'], { env })).toMatchObject({
    code: 1,
    err: expect.stringContaining('local.vatom::None::v1::First'),
  })
  expect(await run(['snapshot', 'save', 'one'], { env: { VATOM_CONTEXT: 'local\n', ...env } })).toMatchObject({
    code: 0,
  })
  expect(existsSync(join(home, 'own/snapshots/one.json'))).toBe(true)
})

test('what others read stays as it is', async () => {
  const { service } = await publisher()
  const { run } = deskOf(service)
  const env = { PATH: process.env.PATH ?? '', OTHER: ' x\n', VATOM_PUBLISHER: 'local.vatom\n' }
  const { out } = await run(['serve', '--', 'node', '-p', 'JSON.stringify(process.env.OTHER)'], { env })
  expect(out).toBe('" x\\n"\n')
})
