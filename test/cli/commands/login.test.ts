import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { served } from '../../support/desks.ts'
import { publisher } from '../../support/vatom.ts'

describe('login', () => {
  test('names the context by the host, makes it current, and remembers the publisher', async () => {
    const { login, json, baseUrl } = await served()
    const { code, out, err } = await login()
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toBe(`Signed in to ${new URL(baseUrl).host} (${baseUrl}) for local.vatom.\n`)
    expect(await json('context', 'list')).toMatchObject([
      { name: 'local', current: false },
      { name: new URL(baseUrl).host, base_url: baseUrl, publisher: 'local.vatom', current: true, signed_in: true },
    ])
  })

  test('is named by --context, and signs in again by that name alone', async () => {
    const { login, run, json } = await served()
    await login(['--context', 'staging'])
    await json('logout')
    const again = await run(['login', '--context', 'staging', '--email', 'publisher@local.vatom', '--password-stdin'], {
      stdin: 'vatom-local',
    })
    expect(again).toMatchObject({ code: 0 })
    expect(await json('whoami')).toMatchObject({ system_properties: { pub_fqdn: 'local.vatom' } })
  })

  test('keeps secrets for the owner alone, in a file of their own', async () => {
    const { login, home } = await served()
    await login()
    const folder = join(home, '.config', 'vatom')
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    for (const file of ['config.json', 'credentials.json'])
      expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600)
    const config = readFileSync(join(folder, 'config.json'), 'utf8')
    const { refresh_token } = Object.values(JSON.parse(readFileSync(join(folder, 'credentials.json'), 'utf8')))[0] as {
      refresh_token: string
    }
    expect(config).not.toContain(refresh_token)
    expect(config).not.toContain('vatom-local')
  })

  test('refuses a wrong password with exit 4, and keeps nothing', async () => {
    const { login, home } = await served()
    const { code, out, err } = await login([], 'wrong')
    expect({ code, out }).toEqual({ code: 4, out: '' })
    expect(err).toMatch(/^error: /)
    expect(existsSync(join(home, '.config'))).toBe(false)
  })

  test('takes a refresh token on standard input', async () => {
    const { run, service, baseUrl, json } = await served()
    const { refresh_token } = await service.localSession()
    const args = ['login', '--base-url', baseUrl, '--app-id', service.appId, '--refresh-token-stdin']
    expect(await run(args, { stdin: `${refresh_token}\n` })).toMatchObject({ code: 0 })
    expect(await json('template', 'list')).toEqual([])
  })

  test('takes a base URL with a trailing slash', async () => {
    const { run, service, baseUrl, json } = await served()
    const args = [
      'login',
      '--base-url',
      `${baseUrl}/`,
      '--app-id',
      service.appId,
      '--email',
      'publisher@local.vatom',
      '--password-stdin',
    ]
    expect(await run(args, { stdin: 'vatom-local' })).toMatchObject({ code: 0 })
    expect(await json('template', 'list')).toEqual([])
  })

  test('says which flag is missing where nobody can be asked', async () => {
    const { vatom, baseUrl } = await served()
    expect(await vatom('login', '--base-url', baseUrl, '--app-id', 'local')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--email'),
    })
    expect(await vatom('login', '--base-url', baseUrl, '--app-id', 'local', '--email', 'a@b.c')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--password-stdin'),
    })
    expect(await vatom('login', '--base-url', baseUrl)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--app-id'),
    })
  })

  test('wants --insecure for plain http beyond this machine', async () => {
    const { vatom } = await publisher()
    const args = [
      'login',
      '--base-url',
      'http://api.example.com',
      '--app-id',
      'x',
      '--email',
      'a@b.c',
      '--password-stdin',
    ]
    expect(await vatom(...args)).toMatchObject({ code: 2, err: expect.stringContaining('--insecure') })
  })

  test.each(['login', 'logout'])('%s on the local context exits 2 and says that it needs none', async (word) => {
    const { vatom } = await publisher()
    expect(await vatom(word)).toMatchObject({ code: 2, out: '', err: expect.stringContaining('always signed in') })
  })
})
