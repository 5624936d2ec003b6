import { describe, expect, test } from 'vitest'
import { facing, transports } from '../../support/desks.ts'
import { publisher } from '../../support/vatom.ts'

describe.each(transports)('on the %s transport', (transport) => {
  test('whoami and auth token', async () => {
    const { vatom, json } = await publisher({ transport })
    const { code, out: text } = await vatom('whoami')
    expect({ code, text }).toEqual({
      code: 0,
      text: expect.stringMatching(/^user {7}publisher@local\.vatom [\da-f-]{36}\n/),
    })
    expect(text).not.toContain('no name')
    await json('profile', 'set', '--first-name', 'Ada')
    expect((await vatom('whoami')).out).toMatch(/^user {7}Ada \(publisher@local\.vatom\) [\da-f-]{36}\n/)
    expect(await json('whoami')).toMatchObject({
      system_properties: { pub_fqdn: 'local.vatom' },
      context:
        transport === 'network'
          ? { name: expect.stringMatching(/^127\.0\.0\.1:\d+$/), base_url: expect.stringMatching(/^http:\/\/127/) }
          : { name: 'local', base_url: null },
    })
    const { out } = await vatom('auth', 'token')
    expect(out).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/)
    expect(await json('auth', 'token')).toEqual({ access_token: expect.any(String) })
  })
})

test('whoami shows the id alone of a user without a name where the service lists no tokens', async () => {
  const meta = { data_type: 'x::user', when_created: '', when_modified: '' }
  const payload = { id: '1', meta, properties: {}, system_properties: {} }
  const { run, env } = await facing(({ url }, response) => {
    const isProfile = url === '/v1/user'
    response
      .writeHead(isProfile ? 200 : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify(isProfile ? { payload } : { error: 9000 }))
  })
  const { out } = await run(['whoami', '--json'], { env })
  expect(JSON.parse(out).context).toEqual({ name: null, base_url: env.VATOM_BASE_URL })
  expect(await run(['whoami'], { env })).toMatchObject({ code: 0, out: expect.stringMatching(/^user {7}1\n/) })
})
