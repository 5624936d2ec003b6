import { describe, expect, test } from 'vitest'
import { transports } from '../../support/desks.ts'
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
    expect((await vatom('whoami')).out).toMatch(/^user {7}Ada [\da-f-]{36}\n/)
    expect(await json('whoami')).toMatchObject({ system_properties: { pub_fqdn: 'local.vatom' } })
    const { out } = await vatom('auth', 'token')
    expect(out).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/)
    expect(await json('auth', 'token')).toEqual({ access_token: expect.any(String) })
  })
})
