import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { template } from '../../../fixtures/yaml.ts'
import { facing } from '../../../support/desks.ts'
import { serverOf } from '../../../support/servers.ts'
import { publisher } from '../../../support/vatom.ts'

/** A service on a port, and a machine that does not know it yet. */
async function served() {
  const desk = await publisher()
  const { baseUrl } = await desk.service.listen({ host: '127.0.0.1', port: 0 })
  const login = (args: readonly string[] = [], stdin = 'vatom-local\n') =>
    desk.run(
      [
        'login',
        '--base-url',
        baseUrl,
        '--app-id',
        desk.service.appId,
        '--email',
        'publisher@local.vatom',
        '--password-stdin',
        ...args,
      ],
      { stdin },
    )
  return { ...desk, baseUrl, login }
}

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

describe('logout', () => {
  test('ends the session on the service and forgets it: then exit 4 and the command to run', async () => {
    const { login, vatom, service, home } = await served()
    await login(['--context', 'staging'])
    const credentials = join(home, '.config', 'vatom', 'credentials.json')
    const kept = readFileSync(credentials, 'utf8')
    const { refresh_token } = JSON.parse(kept).staging
    expect(await vatom('logout')).toMatchObject({ code: 0, out: expect.stringContaining('Signed out of staging') })
    expect(readFileSync(credentials, 'utf8')).not.toContain(refresh_token)
    const refused = await service.inject({
      method: 'POST',
      path: '/v1/access_token',
      headers: { 'app-id': service.appId, authentication: refresh_token },
    })
    expect(refused.status).toBe(403)
    expect(await vatom('template', 'list')).toMatchObject({
      code: 4,
      out: '',
      err: expect.stringContaining('vatom login --context staging'),
    })
    writeFileSync(credentials, kept)
    expect(await vatom('template', 'list')).toMatchObject({
      code: 4,
      err: expect.stringContaining('no longer accepts your session'),
    })
  })
})

describe('the session', () => {
  test('is renewed when its access token has expired, and the new token is kept', async () => {
    let now = new Date('2026-03-01T12:00:00Z')
    const desk = await publisher({ transport: 'network', clock: () => now })
    const first = (await desk.vatom('auth', 'token')).out
    expect((await desk.vatom('auth', 'token')).out).toBe(first)
    now = new Date('2026-03-01T12:10:00Z')
    const second = (await desk.vatom('auth', 'token')).out
    expect(second).not.toBe(first)
    expect((await desk.vatom('auth', 'token')).out).toBe(second)
  })
})

describe('the choice of a context', () => {
  test('flags win over the environment, which wins over the current context', async () => {
    const { login, vatom, run, json } = await served()
    await login(['--context', 'staging'])
    expect((await vatom('whoami')).out).toContain('staging')
    expect((await vatom('whoami', '--context', 'local')).out).toMatch(/context +local\n/)
    expect((await run(['whoami'], { env: { VATOM_CONTEXT: 'local' } })).out).toMatch(/context +local\n/)
    expect((await run(['whoami', '--context', 'staging'], { env: { VATOM_CONTEXT: 'local' } })).out).toContain(
      'staging',
    )
    await json('context', 'use', 'local')
    expect((await vatom('whoami')).out).toMatch(/context +local\n/)
  })

  test('--context and --base-url together exit 2', async () => {
    const { vatom } = await publisher()
    expect(await vatom('whoami', '--context', 'a', '--base-url', 'https://a.example')).toMatchObject({ code: 2 })
    expect(await vatom('whoami', '--base-url', 'https://a.example')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--app-id'),
    })
    expect(await vatom('whoami', '--context', 'local', '--app-id', 'x')).toMatchObject({ code: 2 })
    expect(await vatom('whoami', '--app-id', 'x')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--base-url'),
    })
    expect(await vatom('whoami', '--context', 'nowhere')).toMatchObject({
      code: 2,
      err: expect.stringContaining('known contexts: local'),
    })
  })

  test('context add, use and remove', async () => {
    const { vatom, json } = await publisher()
    expect(
      await vatom('context', 'add', 'prod', '--base-url', 'https://api.example.com/base/', '--app-id', 'x'),
    ).toMatchObject({ code: 0 })
    expect(await vatom('context', 'add', 'prod', '--base-url', 'https://b.example', '--app-id', 'x')).toMatchObject({
      code: 2,
    })
    expect(await vatom('context', 'add', 'local', '--base-url', 'https://b.example', '--app-id', 'x')).toMatchObject({
      code: 2,
    })
    expect(await vatom('context', 'use', 'prod')).toMatchObject({ code: 0 })
    expect(await json('context', 'list')).toMatchObject([
      { name: 'local' },
      { name: 'prod', base_url: 'https://api.example.com/base', current: true, signed_in: false },
    ])
    expect(await vatom('template', 'list')).toMatchObject({
      code: 4,
      err: expect.stringContaining('vatom login --context prod'),
    })
    expect(await vatom('context', 'remove', 'prod')).toMatchObject({ code: 0 })
    expect(await vatom('context', 'use', 'prod')).toMatchObject({ code: 2 })
    expect(await json('context', 'list')).toMatchObject([{ name: 'local', current: true }])
  })
})

describe('a pipeline', () => {
  test('brings its tokens in the environment, and nothing is read from or kept on disk', async () => {
    const { run, service, baseUrl, home } = await served()
    const { refresh_token, access_token } = await service.localSession()
    const place = { VATOM_BASE_URL: `${baseUrl}/`, VATOM_APP_ID: service.appId }
    const create = await run(['template', 'create', '-'], {
      stdin: template(),
      env: { ...place, VATOM_REFRESH_TOKEN: refresh_token },
    })
    expect(create).toMatchObject({ code: 0, err: `context from the environment: ${baseUrl}\n` })
    expect(
      await run(['template', 'validate', '-'], {
        stdin: template(),
        env: { ...place, VATOM_REFRESH_TOKEN: refresh_token },
      }),
    ).toMatchObject({ code: 0 })
    const list = await run(['template', 'list', '--json'], { env: { ...place, VATOM_ACCESS_TOKEN: access_token } })
    expect(JSON.parse(list.out)).toMatchObject([{ name: 'local.vatom::Coupon::v1' }])
    expect(readdirSync(home)).toEqual([])
  })

  test('a token in the environment never goes to another service', async () => {
    const { run, baseUrl } = await served()
    const env = { VATOM_BASE_URL: 'https://elsewhere.example', VATOM_APP_ID: 'x', VATOM_ACCESS_TOKEN: 'secret' }
    const { code, err } = await run(['template', 'list', '--base-url', baseUrl, '--app-id', 'local'], { env })
    expect({ code, err }).toEqual({ code: 4, err: expect.stringContaining('not signed in') })
  })

  test('is warned when it works on this machine only', async () => {
    const { run } = await publisher()
    const plain = await run(['template', 'create', '-'], { stdin: template(), env: { CI: 'true' } })
    expect(plain.err).toMatch(/^warning: .*VATOM_BASE_URL/)
    const github = await run(['template', 'create', '-'], {
      stdin: template('$publisher::B::v1'),
      env: { CI: 'true', GITHUB_ACTIONS: 'true' },
    })
    expect(github.err).toMatch(/^::warning title=vatom::.*VATOM_BASE_URL/)
    const chosen = await run(['template', 'create', '-'], {
      stdin: template('$publisher::C::v1'),
      env: { CI: 'true', VATOM_CONTEXT: 'local' },
    })
    expect(chosen.err).toMatch(/^context local: this machine only, /)
  })

  test('a refused token exits 4', async () => {
    const { run, baseUrl, service } = await served()
    const place = { VATOM_BASE_URL: baseUrl, VATOM_APP_ID: service.appId }
    expect(await run(['template', 'list'], { env: { ...place, VATOM_ACCESS_TOKEN: 'wrong' } })).toMatchObject({
      code: 4,
      out: '',
    })
    const refresh = await run(['template', 'list'], { env: { ...place, VATOM_REFRESH_TOKEN: 'wrong' } })
    expect(refresh).toMatchObject({ code: 4, err: expect.stringContaining('VATOM_REFRESH_TOKEN') })
    expect(refresh.err).not.toContain('wrong')
  })
})

const acmeUser = {
  id: 'u',
  meta: { data_type: 'acme::user', when_created: '', when_modified: '' },
  properties: {},
  system_properties: { pub_fqdn: 'acme.com', is_admin: true },
}

describe('what is kept', () => {
  test('in a folder that was there, whose mode stays as it is', async () => {
    const { login, home } = await served()
    const folder = join(home, '.config', 'vatom')
    mkdirSync(folder, { recursive: true, mode: 0o755 })
    await login()
    expect(statSync(folder).mode & 0o777).toBe(0o755)
    expect(statSync(join(folder, 'credentials.json')).mode & 0o777).toBe(0o600)
  })

  test('of everything that was changed at once', async () => {
    const { vatom, json } = await publisher()
    const names = Array.from({ length: 8 }, (_, index) => `c${index}`)
    const added = await Promise.all(
      names.map((name) => vatom('context', 'add', name, '--base-url', 'https://a.example', '--app-id', 'x')),
    )
    expect(added.map(({ code }) => code)).toEqual(names.map(() => 0))
    const listed = (await json('context', 'list')) as { name: string }[]
    expect(listed.map(({ name }) => name).sort()).toEqual([...names, 'local'])
  })

  test('the names of valid files, but not in a pipeline', async () => {
    const { run, home } = await publisher()
    const env = { VATOM_BASE_URL: 'http://127.0.0.1:1', VATOM_APP_ID: 'x', VATOM_ACCESS_TOKEN: 'y' }
    expect(await run(['template', 'validate', '-'], { stdin: template(), build: 'b', env })).toMatchObject({ code: 0 })
    expect(readdirSync(home)).toEqual([])
    expect(await run(['template', 'validate', '-'], { stdin: template(), build: 'b' })).toMatchObject({ code: 0 })
    expect(readdirSync(home)).toEqual(['.cache'])
  })

  test('a token renewed while the context was signed out is not', async () => {
    const { login, vatom, home, service } = await served()
    await login(['--context', 'staging'])
    const path = join(home, '.config', 'vatom', 'credentials.json')
    const { staging } = JSON.parse(readFileSync(path, 'utf8'))
    const { url: base_url } = await serverOf(async (request, response) => {
      writeFileSync(path, '{}')
      const headers = {
        'app-id': service.appId,
        authentication: staging.refresh_token,
        authorization: String(request.headers.authorization),
      }
      response.end((await service.inject({ method: request.method ?? '', path: request.url ?? '', headers })).body)
    })
    const config = join(home, '.config', 'vatom', 'config.json')
    writeFileSync(
      config,
      JSON.stringify({ current: 'staging', contexts: { staging: { base_url, app_id: service.appId } } }),
    )
    writeFileSync(path, JSON.stringify({ staging: { refresh_token: staging.refresh_token } }))
    expect(await vatom('auth', 'token')).toMatchObject({ code: 0 })
    expect(readFileSync(path, 'utf8')).toBe('{}')
  })
})

describe('what cannot be', () => {
  test.each(['__proto__', '', ' ', 'a\u0007b', 'local'])('a context named %j', async (name) => {
    const { run, baseUrl } = await served()
    const place = ['--base-url', baseUrl, '--app-id', 'local']
    expect(await run(['context', 'add', name, ...place])).toMatchObject({ code: 2 })
    const login = ['login', '--context', name, ...place, '--email', 'publisher@local.vatom', '--password-stdin']
    expect(await run(login, { stdin: 'vatom-local' })).toMatchObject({ code: 2 })
  })

  test('a token with a line break inside is refused by its name; one at its end is a slip', async () => {
    const { run, baseUrl, service } = await served()
    const { access_token } = await service.localSession()
    const env = { VATOM_BASE_URL: baseUrl, VATOM_APP_ID: service.appId }
    expect(await run(['template', 'list'], { env: { ...env, VATOM_ACCESS_TOKEN: `${access_token}\n` } })).toMatchObject(
      { code: 0 },
    )
    const broken = await run(['template', 'list'], { env: { ...env, VATOM_ACCESS_TOKEN: 'a\nb' } })
    expect(broken).toMatchObject({ code: 2, err: expect.stringContaining('VATOM_ACCESS_TOKEN') })
  })

  test('an address in a hand-edited configuration', async () => {
    const { login, vatom, home } = await served()
    await login(['--context', 'staging'])
    const path = join(home, '.config', 'vatom', 'config.json')
    const edited = JSON.parse(readFileSync(path, 'utf8'))
    for (const base_url of ['nope', 'javascript:1', 'http://evil.example']) {
      writeFileSync(
        path,
        JSON.stringify({ ...edited, contexts: { staging: { ...edited.contexts.staging, base_url } } }),
      )
      expect(await vatom('template', 'list')).toMatchObject({ code: 2, err: expect.stringContaining('staging') })
    }
  })
})

describe('validate', () => {
  test('takes the publisher from the environment', async () => {
    const { run } = await publisher()
    const env = { VATOM_PUBLISHER: 'acme.com' }
    expect(await run(['template', 'validate', '-'], { stdin: template('acme.com::A::v1'), env })).toMatchObject({
      code: 0,
    })
    expect(await run(['template', 'validate', '-'], { stdin: template('local.vatom::A::v1'), env })).toMatchObject({
      code: 3,
    })
  })
})

describe('what goes wrong around a call', () => {
  test.each([500, 502, 429])('an answer %i: exit 5', async (status) => {
    const { run, env } = await facing((_, response) => response.writeHead(status).end('<html>'))
    const { code, out, err } = await run(['template', 'list'], { env })
    expect({ code, out }).toEqual({ code: 5, out: '' })
    expect(err).toMatch(/^error: /)
  })

  test('a stored draft that is not valid is not published', async () => {
    const vatom = { 'vAtom::vAtomType': { root_type: 'vAtom::vAtomType', redeemable: true } }
    const meta = { created_by: '', when_created: '', modified_by: '', when_modified: '', data_type: '' }
    const properties = { publisher_fqdn: 'acme.com', unpublished: true, cloneable: false, template: vatom }
    const payload = { name: 'acme.com::A::v1', public: false, meta, properties }
    const methods: unknown[] = []
    const { run, env } = await facing((request, response) => {
      methods.push(request.method)
      response.end(JSON.stringify({ payload }))
    })
    const publish = ['template', 'publish', payload.name, '--confirm', payload.name]
    expect(await run(publish, { env })).toMatchObject({ code: 3, err: expect.stringContaining('commerce') })
    expect(methods).toEqual(['GET'])
  })

  test('when nobody lets us in, the rest is not sent', async () => {
    let asked = 0
    const { run, env } = await facing((request, response) => {
      if (request.method === 'GET') return response.end(JSON.stringify({ payload: acmeUser }))
      asked++
      return response.writeHead(403).end('{"error": 9001, "message": "no publisher"}')
    })
    const stdin = `${template('$publisher::A::v1')}---\n${template('$publisher::B::v1')}`
    const { code, out } = await run(['template', 'create', '-', '--json'], { stdin, env })
    expect({ code, asked }).toEqual({ code: 4, asked: 1 })
    expect(JSON.parse(out)).toMatchObject({ results: [{ status: 'failed' }, { status: 'not_sent' }] })
  })

  test('no server: exit 5 with the address', async () => {
    const { run } = await publisher()
    const env = { VATOM_BASE_URL: 'http://127.0.0.1:1', VATOM_APP_ID: 'x', VATOM_ACCESS_TOKEN: 'y' }
    expect(await run(['template', 'list'], { env })).toMatchObject({
      code: 5,
      out: '',
      err: expect.stringContaining('http://127.0.0.1:1'),
    })
  })

  test.each(['config.json', 'credentials.json'])(
    'a damaged %s names its path and the repair, never a stack',
    async (name) => {
      const { login, vatom, home } = await served()
      await login()
      const path = join(home, '.config', 'vatom', name)
      for (const damage of ['{"curr', '[]', '{"contexts": 5, "x": 7}']) {
        writeFileSync(path, damage)
        const { code, out, err } = await vatom('context', 'list')
        expect({ code, out }).toEqual({ code: 1, out: '' })
        expect(err).toContain(path)
        expect(err).toContain('hint: repair it')
        expect(err).not.toMatch(/\n\s+at /)
      }
      writeFileSync(path, 'eyJTOKEN')
      expect((await vatom('context', 'list', '--debug')).err).not.toContain('eyJ')
    },
  )
})
