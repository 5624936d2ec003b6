import { describe, expect, test } from 'vitest'
import { transports } from '../../support/desks.ts'
import { publisher } from '../../support/vatom.ts'

describe.each(transports)('on the %s transport', (transport) => {
  test('whoami and auth token', async () => {
    const { vatom, json } = await publisher({ transport })
    expect(await vatom('whoami')).toMatchObject({ code: 0, out: expect.stringContaining('local.vatom') })
    expect(await json('whoami')).toMatchObject({ system_properties: { pub_fqdn: 'local.vatom' } })
    const { out } = await vatom('auth', 'token')
    expect(out).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/)
    expect(await json('auth', 'token')).toEqual({ access_token: expect.any(String) })
  })
})
