import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { connect as connectSocket, createServer as createSocketServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { at } from '../../../src/contract/schema/path.ts'
import { selfSigned } from '../../fixtures/self-signed.ts'
import { template } from '../../fixtures/yaml.ts'
import { facing, served } from '../../support/desks.ts'
import { makeReadOnly } from '../../support/folders.ts'
import { started } from '../../support/servers.ts'
import { publisher } from '../../support/vatom.ts'

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

  test('is renewed where the new token cannot be kept, by each command for itself', async ({ skip }) => {
    let now = new Date('2026-03-01T12:00:00Z')
    const desk = await publisher({ transport: 'network', clock: () => now })
    desk.file('coupon.yaml', template())
    const folder = join(desk.home, '.config', 'vatom')
    if (!makeReadOnly(folder)) skip('root can write to every folder of this file system')
    const before = readFileSync(join(folder, 'credentials.json'), 'utf8')
    now = new Date('2026-03-01T12:10:00Z')
    for (const words of [['whoami'], ['plan', 'coupon.yaml'], ['auth', 'token']])
      expect(await desk.vatom(...words)).toMatchObject({ code: 0, err: expect.not.stringMatching(/^(error|warning)/m) })
    expect(readFileSync(join(folder, 'credentials.json'), 'utf8')).toBe(before)
    expect(await desk.vatom('logout')).toMatchObject({ code: 1, err: expect.stringContaining('cannot be written') })
  })
})

test('the session of serve -- COMMAND lasts when a test moves the clock by years', async () => {
  const { run, service, baseUrl } = await served()
  const { refresh_token } = await service.localSession()
  const env = { VATOM_BASE_URL: baseUrl, VATOM_APP_ID: service.appId, VATOM_REFRESH_TOKEN: refresh_token }
  await fetch(`${baseUrl}/__vatom/clock`, { method: 'PUT', body: '{"advance_seconds": 200000000}' })
  expect(await run(['whoami'], { env })).toMatchObject({ code: 0 })
})

test.each([
  ['1', 5],
  ['true', 5],
  ['YES', 5],
  ['0', 2],
  ['', 2],
])('VATOM_INSECURE=%s: exit %i without encryption', async (value, code) => {
  const { run } = await publisher()
  const place = { VATOM_BASE_URL: 'http://vatom.invalid', VATOM_APP_ID: 'x', VATOM_ACCESS_TOKEN: 'y' }
  const asked = await run(['template', 'list', '--timeout', '1'], { env: { ...place, VATOM_INSECURE: value } })
  expect(asked.code).toBe(code)
  if (code === 2) expect(asked.err).toContain('use https, or give --insecure, in a pipeline VATOM_INSECURE=1\n')
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

  test('a token in the environment never goes to another service, which is said', async () => {
    const { run, baseUrl } = await served()
    const env = {
      VATOM_BASE_URL: 'https://me:pw@elsewhere.example/v1/',
      VATOM_APP_ID: 'x',
      VATOM_ACCESS_TOKEN: 'secret',
    }
    const flags = ['--base-url', baseUrl, '--app-id', 'local']
    const { code, err } = await run(['emit', 'local.vatom::Coupon::v1::Red', ...flags], { env })
    expect({ code, err }).toEqual({
      code: 4,
      err: [
        `context from --base-url: ${baseUrl}`,
        `error: You are not signed in to ${baseUrl}: VATOM_ACCESS_TOKEN is for VATOM_BASE_URL, https://elsewhere.example`,
        `hint: leave --base-url out, or set VATOM_BASE_URL to it; or sign in: vatom login ${flags.join(' ')}\n`,
      ].join('\n'),
    })
  })

  test('a login to plain http on another machine is named with the flag that it needs', async () => {
    const { vatom } = await publisher()
    const flags = ['--base-url', 'http://10.1.2.3:99', '--app-id', 'x', '--insecure']
    expect(await vatom('whoami', ...flags)).toMatchObject({
      code: 4,
      err: expect.stringContaining(`hint: sign in: vatom login ${flags.join(' ')}; in a pipeline`),
    })
  })

  test('uses no session that is saved on its machine, unless its context is named', async () => {
    const { run, service } = await publisher({ transport: 'network' })
    const saved = JSON.parse((await run(['context', 'list', '--json'])).out)[1]
    const [name, baseUrl] = [String(at(saved, 'name')), String(at(saved, 'base_url'))]
    const place = { VATOM_BASE_URL: baseUrl, VATOM_APP_ID: service.appId }
    const create = (env: Readonly<Record<string, string>>, ...flags: string[]) =>
      run(['template', 'create', '-', '--dry-run', ...flags], { stdin: template(), env })
    for (const refused of [
      await create({ ...place, CI: 'true' }),
      await create({ CI: 'true' }, '--base-url', baseUrl, '--app-id', service.appId),
    ])
      expect(refused).toMatchObject({
        code: 4,
        out: '',
        err: expect.stringContaining(
          `hint: set VATOM_REFRESH_TOKEN; a pipeline uses the session of the context ${name} only if that is named: VATOM_CONTEXT=${name}`,
        ),
      })
    expect(await create({ CI: 'true' })).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(
        `^error: No service is chosen; in a pipeline, where CI is set, the current context is used only if it is named\\nhint: .*: VATOM_CONTEXT=${name}\\n`,
      ),
    })
    for (const accepted of [
      await create({ CI: 'true', VATOM_CONTEXT: name }),
      await create({ CI: 'true' }, '--context', name),
      await create(place),
      await create({}),
    ])
      expect(accepted).toMatchObject({ code: 0, err: expect.stringContaining(`context ${name}: ${baseUrl}`) })
  })

  test('warns of variables that are not used, because VATOM_CONTEXT chooses the service', async () => {
    const { run } = await publisher()
    const env = {
      CI: 'true',
      VATOM_CONTEXT: 'local',
      VATOM_BASE_URL: 'https://a.example',
      VATOM_REFRESH_TOKEN: 'secret',
    }
    const says = 'set as well, and not used: VATOM_BASE_URL, VATOM_REFRESH_TOKEN'
    const create = ['template', 'create', '-', '--dry-run']
    expect((await run(create, { stdin: template(), env })).err).toContain(
      `warning: VATOM_CONTEXT chooses local; ${says}`,
    )
    expect((await run([...create, '--context', 'local'], { stdin: template(), env })).err).not.toContain('not used')
    expect(await run(['doctor', '--json'], { env })).toMatchObject({ out: expect.stringContaining(says) })
    // As a pipeline sets it for a secret that does not exist.
    const empty = { VATOM_CONTEXT: 'local', VATOM_REFRESH_TOKEN: '' }
    expect((await run(create, { stdin: template(), env: empty })).err).toContain('not used: VATOM_REFRESH_TOKEN\n')
  })

  test('does not take the service on this machine for chosen because somebody left it current', async () => {
    const { vatom, run, json } = await publisher()
    await vatom('context', 'use', 'local')
    for (const words of [['template', 'create', '-'], ['apply', '-', '--yes'], ['reset', '--yes'], ['whoami']])
      expect(await run(words, { stdin: template(), env: { CI: 'true' } }), words.join(' ')).toMatchObject({
        code: 2,
        out: '',
        err: expect.stringMatching(/^error: No service is chosen; .*VATOM_CONTEXT=local\n$/s),
      })
    expect(await json('template', 'list')).toEqual([])
    expect(await run(['whoami'], { env: { CI: 'true', VATOM_CONTEXT: 'local' } })).toMatchObject({ code: 0 })
    expect(await vatom('whoami')).toMatchObject({ code: 0 })
  })

  test('the hint to sign in names the service in words of a shell', async () => {
    const { run, baseUrl } = await served()
    const { code, err } = await run(['template', 'list', '--base-url', baseUrl, '--app-id', "Ann's$app"])
    expect({ code, err }).toEqual({ code: 4, err: expect.stringContaining('not signed in') })
    expect(err).toContain(`vatom login --base-url ${baseUrl} --app-id 'Ann'\\''s$app'; in a pipeline`)
  })

  test('uses the service on this machine only if it is named', async () => {
    const { home, run, json } = await publisher()
    const pipeline = { stdin: template(), env: { CI: 'true' } }
    for (const words of [
      ['template', 'create', '-'],
      ['apply', '-', '--yes'],
      ['plan', '-'],
      ['reset', '--yes'],
      ['api', 'POST', 'v1/templates', '--input', '-'],
      ['api', 'GET', 'v1/templates'],
      ['pull', 'backup', '--yes'],
      ['pull', 'backup', '--diff'],
      ['inventory', '--json'],
      ['template', 'list'],
      ['discover', '--count', '--mine'],
      ['discover', '--explain', '--filter', 'category = Coupons'],
      ['show', 'x'],
      ['map', '--around', '48.2,16.4'],
      ['asset', 'list'],
      ['profile', 'get'],
      ['snapshot', 'list'],
      ['console'],
      ['whoami'],
      ['whoami', '--json'],
    ])
      expect(await run(words, pipeline), words.join(' ')).toMatchObject({
        code: 2,
        out: words.includes('--json') ? expect.stringContaining('"code": "usage"') : '',
        err: expect.stringMatching(/^error: No service is chosen; .*VATOM_BASE_URL.*VATOM_CONTEXT=local\n$/s),
      })
    const azure = await run(['apply', '-', '--yes'], { ...pipeline, env: { TF_BUILD: 'True' } })
    expect(azure).toMatchObject({ code: 2, err: expect.stringContaining('where TF_BUILD is set') })
    expect(await json('template', 'list')).toEqual([])
    expect(await run(['template', 'validate', '-'], pipeline)).toMatchObject({ code: 0 })
    expect(existsSync(join(home, 'backup'))).toBe(false)
    expect(await run(['doctor'], pipeline)).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^fail {2}context {8}No service is chosen/m),
    })
    expect(await run(['context', 'list'], pipeline)).toMatchObject({ code: 0, err: '' })
    const chosen = await run(['template', 'create', '-'], {
      ...pipeline,
      env: { CI: 'true', VATOM_CONTEXT: 'local' },
    })
    expect(chosen).toMatchObject({ code: 0, err: expect.stringMatching(/^context local: this machine only, /) })
  })

  test.each([
    [{ VATOM_BASE_URL: '', VATOM_APP_ID: 'x', VATOM_REFRESH_TOKEN: 'y' }, 'VATOM_BASE_URL is set, but empty'],
    [{ VATOM_BASE_URL: 'https://a.example', VATOM_APP_ID: '', VATOM_REFRESH_TOKEN: 'y' }, 'VATOM_APP_ID is set, but'],
    [{ VATOM_BASE_URL: 'https://a.example', VATOM_APP_ID: 'x', VATOM_REFRESH_TOKEN: '' }, 'VATOM_REFRESH_TOKEN is set'],
    [{ VATOM_APP_ID: 'x', VATOM_REFRESH_TOKEN: 'y' }, 'VATOM_APP_ID is set, but VATOM_BASE_URL is not'],
    [{ VATOM_ACCESS_TOKEN: 'y' }, 'VATOM_ACCESS_TOKEN is set, but VATOM_BASE_URL is not'],
    [{ VATOM_CONTEXT: '' }, 'VATOM_CONTEXT is set, but empty'],
  ])('a half configuration %j exits 2, and nothing is written anywhere', async (env, message) => {
    const { run, json } = await publisher()
    for (const words of [
      ['template', 'create', '-'],
      ['apply', '-', '--yes'],
      ['plan', '-'],
      ['template', 'list'],
    ]) {
      const { code, err } = await run(words, { stdin: template(), env })
      expect({ words, code, err }).toEqual({ words, code: 2, err: expect.stringContaining(message) })
    }
    expect(await run(['validate', '-'], { stdin: template(), env })).toMatchObject({ code: 0 })
    expect(await run(['template', 'list', '--context', 'local'], { env })).toMatchObject({ code: 0 })
    expect(await json('template', 'list')).toEqual([])
  })

  test.each(['VATOM_APP_ID', 'VATOM_BASE_URL', 'VATOM_CONTEXT', 'VATOM_PUBLISHER'])(
    'quotes around %s are a usage error that says to leave them out',
    async (name) => {
      const { run } = await publisher()
      const service = { VATOM_BASE_URL: 'http://127.0.0.1:9', VATOM_APP_ID: 'x', VATOM_REFRESH_TOKEN: 'y' }
      expect(await run(['plan', '-'], { stdin: template(), env: { ...service, [name]: '"quoted.example"' } })).toEqual({
        code: 2,
        out: '',
        err: `error: ${name} cannot be "quoted.example"\nhint: it is in quotes, which are part of its value here: write it without them, as in a file for docker --env-file\n`,
      })
    },
  )

  test('of an address in a variable that nothing reads, the one that is meant is named', async () => {
    const { run } = await publisher()
    const env = { VATOM_URL: 'https://a.example', VATOM_APP_ID: 'x', VATOM_REFRESH_TOKEN: 'y' }
    expect(await run(['template', 'list'], { env })).toMatchObject({
      code: 2,
      err: expect.stringContaining('hint: VATOM_URL is not read: did you mean VATOM_BASE_URL?; set VATOM_BASE_URL, '),
    })
  })

  test.each(['VATOM_CONTEXT', 'VATOM_ACCESS_TOKEN'])(
    'of %s, which is empty beside a whole configuration, it is said to be removed alone',
    async (name) => {
      const { run } = await publisher()
      const whole = { VATOM_BASE_URL: 'https://a.example', VATOM_APP_ID: 'x', VATOM_REFRESH_TOKEN: 'y' }
      expect(await run(['template', 'list'], { env: { ...whole, [name]: '' } })).toMatchObject({
        code: 2,
        err: `error: ${name} is set, but empty: no service is chosen\nhint: remove it, as the others choose one: env -u ${name} vatom …\n`,
      })
    },
  )

  test('of a service with another application id, the hint starts one with that', async () => {
    const { run } = await publisher()
    const place = { VATOM_BASE_URL: 'http://127.0.0.1:9', VATOM_ACCESS_TOKEN: 'x' }
    const at = (appId: string) => run(['discover', '--json'], { env: { ...place, VATOM_APP_ID: appId } })
    expect((await at('prod')).err).toContain(
      'start one here with: vatom serve --port 9 --app-id prod; if it had a database of its own, add that: --db FILE',
    )
    const { err } = await at('local')
    expect(err).toContain(
      'start one here with: vatom serve --port 9; if it had a database of its own, add that: --db FILE',
    )
    expect(err).not.toContain('serve --port 9 --app-id')
  })

  test('in a pipeline, nobody is asked to start a service in the place of the one that is away', async () => {
    const { run } = await publisher()
    const place = { CI: 'true', VATOM_BASE_URL: 'http://127.0.0.1:9', VATOM_APP_ID: 'local', VATOM_ACCESS_TOKEN: 'x' }
    const { code, err } = await run(['template', 'list'], { env: place })
    expect({ code, err }).toEqual({ code: 5, err: expect.stringContaining('hint: check the address, the network and') })
    expect(err).not.toContain('vatom serve')
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
    const access = await run(['template', 'list'], { env: { ...place, VATOM_ACCESS_TOKEN: 'wrong' } })
    expect(access.err).toMatch(/\nhint: put a new token into VATOM_ACCESS_TOKEN .*auth token --refresh --yes/)
    expect(access.err).not.toContain('vatom login')
  })

  test('a wrong setting is named as such, and no session is blamed', async () => {
    const { run, baseUrl, service } = await served()
    const { refresh_token } = await service.localSession()
    const env = { VATOM_BASE_URL: baseUrl, VATOM_APP_ID: service.appId, VATOM_REFRESH_TOKEN: refresh_token }
    const app = await run(['whoami'], { env: { ...env, VATOM_APP_ID: 'other' } })
    expect(app).toMatchObject({ code: 4, err: expect.stringMatching(/^error: The App-Id .*\nhint: .*VATOM_APP_ID/) })
    const path = await run(['whoami'], { env: { ...env, VATOM_BASE_URL: `${baseUrl}/elsewhere` } })
    expect(path).toMatchObject({ code: 1, err: expect.stringMatching(/^error: No such .*\nhint: .*VATOM_BASE_URL/) })
    for (const { err } of [app, path]) expect(err).not.toMatch(/session|token/)
    for (const end of ['/v1', '/v1/'])
      expect(await run(['whoami'], { env: { ...env, VATOM_BASE_URL: baseUrl + end } })).toMatchObject({ code: 0 })
  })
})

test.each([
  [
    'a page of a firewall',
    '<html>Forbidden</html>',
    1,
    'no_json',
    'POST /v1/access_token: 403, and no answer of a vAtom service; ',
  ],
  ['nothing', '', 1, 'no_json', 'POST /v1/access_token: 403, and no answer of a vAtom service; '],
  [
    'a message without a code',
    '{"message":"Forbidden"}',
    4,
    'no_session',
    ' does not accept your session: POST /v1/access_token: Forbidden',
  ],
  [
    'an error without a text',
    '{}',
    4,
    'no_session',
    ' does not accept your session: POST /v1/access_token: 403, and no answer of',
  ],
])('a renewal that is refused with %s is not said to have a wrong token', async (_, body, code, rule, says) => {
  const { run, file, env } = await facing((_, response) => response.writeHead(403).end(body))
  const { VATOM_ACCESS_TOKEN: __, ...rest } = env
  file('two.yaml', [template('acme.com::A::v1'), template('acme.com::B::v1')].join('---\n'))
  const refreshing = { env: { ...rest, VATOM_REFRESH_TOKEN: 'r' } }
  const ended = await run(['plan', 'two.yaml', '--format', 'github'], refreshing)
  expect({ code: ended.code, rules: ended.out.match(/(?<=title=)\w+/g) }).toEqual({ code, rules: [rule] })
  expect(ended.err).toContain(says)
  expect(ended.err).toContain('a firewall or a proxy may have answered')
  expect(ended.err).toMatch(/\nhint: .*check the address/)
  expect(ended.out + ended.err).not.toMatch(/Invalid refresh token|no longer/)
  if (code !== 4) expect(ended.err).not.toMatch(/new token|session/)
})

test.each([
  [204, '', ' does not accept your session: POST /v1/access_token: The service answered 204'],
  [418, '{}', ' does not accept your session: POST /v1/access_token: 418, and no answer of'],
  [200, '{"hello":1}', ' does not renew your session: POST /v1/access_token did not answer what the API declares'],
])('a renewal that is answered with %i %s ends the run, and refuses no document', async (status, body, says) => {
  const { run, file, env } = await facing((_, response) => response.writeHead(status).end(body))
  const { VATOM_ACCESS_TOKEN: _, ...rest } = env
  file('two.yaml', [template('acme.com::A::v1'), template('acme.com::B::v1')].join('---\n'))
  const { code, out, err } = await run(['plan', 'two.yaml'], { env: { ...rest, VATOM_REFRESH_TOKEN: 'r' } })
  expect({ code, out }).toEqual({ code: 4, out: '' })
  expect(err).toContain(says)
  expect(err).toContain('a firewall or a proxy may have answered')
  expect(err).not.toContain('refused')
})

test('a renewal that is answered with a page has changed nothing', async () => {
  const { run, env } = await facing((_, response) => response.end('<html>Sign in</html>'))
  const { VATOM_ACCESS_TOKEN: _, ...rest } = env
  const { err } = await run(['whoami'], { env: { ...rest, VATOM_REFRESH_TOKEN: 'r' } })
  expect(err).toContain(
    'POST /v1/access_token did not answer what the API declares, but a web page; a firewall or a proxy may have answered\nhint: is this a vAtom service?',
  )
})

test('any request that a firewall refuses with a page is no answer of a service, once for a run', async () => {
  const { run, file, env } = await facing((_, response) => response.writeHead(403).end('<html>Forbidden</html>'))
  file('two.yaml', [template('acme.com::A::v1'), template('acme.com::B::v1')].join('---\n'))
  for (const words of [
    ['plan', 'two.yaml'],
    ['apply', 'two.yaml', '--yes'],
    ['template', 'create', 'two.yaml'],
  ]) {
    const { code, err } = await run(words, { env })
    expect(code).toBe(1)
    expect(err.match(/403, and no answer of a vAtom service; a firewall or a proxy may have answered/g)).toHaveLength(1)
    expect(err).toMatch(/\nhint: .*check the address/)
    expect(err).not.toMatch(/token|session/)
  }
})

const acmeUser = {
  id: 'u',
  meta: { data_type: 'acme::user', when_created: '', when_modified: '' },
  properties: {},
  system_properties: { pub_fqdn: 'acme.com', is_admin: true },
}

describe('what goes wrong around a call', () => {
  test.each([500, 502, 429])('an answer %i: exit 5', async (status) => {
    const { run, env } = await facing((_, response) => response.writeHead(status).end('<html>'))
    const { code, out, err } = await run(['template', 'list'], { env })
    expect({ code, out }).toEqual({ code: 5, out: '' })
    expect(err).toMatch(/^error: /)
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

  const secure = (address: string) => ({ VATOM_BASE_URL: address, VATOM_APP_ID: 'x', VATOM_ACCESS_TOKEN: 'y' })

  test('https to a port of http: exit 5, in words', async () => {
    const { run, baseUrl } = await served()
    const { code, err } = await run(['whoami'], { env: secure(baseUrl.replace('http:', 'https:')) })
    expect(code).toBe(5)
    expect(err).toMatch(/: it does not speak https\nhint: check the port, and whether it is http:\/\/\n$/)
    expect(err).not.toMatch(/openssl|SSL routines/i)
  })

  /** Listens for both on one port, as nginx does: https is passed on to a port of it, and http gets a page. */
  const withPage = (port: number) =>
    createSocketServer((socket) =>
      socket.once('data', (first) => {
        if (first[0] !== handshake) return socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n<html>')
        const secured = connectSocket(port, '127.0.0.1')
        secured.write(first)
        socket.pipe(secured).pipe(socket)
        return socket
      }),
    )
  /** The first byte of a connection over TLS. */
  const handshake = 22

  test.each(['closes the connection', 'answers a page'])(
    'http to a port of https that %s: exit 5, in words',
    async (what) => {
      const secured = await started(createServer(selfSigned))
      const { port } = what === 'answers a page' ? await started(withPage(secured.port)) : secured
      const { run, file } = await publisher()
      file('coupon.yaml', template('acme.com::A::v1'))
      const env = { ...secure(`http://127.0.0.1:${port}`), VATOM_PUBLISHER: 'acme.com' }
      for (const words of [['whoami'], ['template', 'create', 'coupon.yaml']])
        expect(await run(words, { env })).toMatchObject({
          code: 5,
          err: expect.stringMatching(
            /No answer from http:\S+: it speaks https\nhint: write the address with https:\/\/\n$/,
          ),
        })
    },
  )

  test('a certificate of an unknown authority: exit 5, and the variable that names the authority', async () => {
    const server = createServer(selfSigned).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { run } = await publisher()
    const { code, err } = await run(['whoami'], { env: secure(`https://127.0.0.1:${at(server.address(), 'port')}`) })
    expect(code).toBe(5)
    expect(err).toMatch(/: no known authority has issued its certificate\nhint: .*NODE_EXTRA_CA_CERTS=FILE/)
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
})

describe('without a session', () => {
  const name = 'local.vatom::Coupon::v1'

  /** A service with a public template and one that is not, and a desk where nobody is signed in. */
  async function stranger() {
    const { run, service, baseUrl, home } = await served()
    const env = { VATOM_BASE_URL: baseUrl, VATOM_APP_ID: service.appId }
    const { access_token } = await service.localSession()
    for (const text of [template(name, 'public: true\n'), template('local.vatom::Secret::v1')]) {
      const created = await run(['template', 'create', '-'], {
        stdin: text,
        env: { ...env, VATOM_ACCESS_TOKEN: access_token },
      })
      expect(created).toMatchObject({ code: 0 })
    }
    const place = ['--base-url', baseUrl, '--app-id', service.appId]
    return { vatom: (...words: string[]) => run([...words, ...place], { env: {} }), home }
  }

  test('a public template is read, as the specification says (2.2)', async () => {
    const { vatom, home } = await stranger()
    expect(await vatom('template', 'get', name)).toMatchObject({ code: 0, out: expect.stringContaining(name), err: '' })
    const record = await vatom('api', 'GET', `v1/templates/${name}`)
    expect(record).toMatchObject({ code: 0, out: expect.stringContaining(`"${name}"`) })
    expect(readdirSync(home)).toEqual([])
  })

  test.each([
    [['template', 'get', 'local.vatom::Secret::v1']],
    [['template', 'get', 'local.vatom::Nothing::v1']],
    [['api', 'GET', 'v1/templates/local.vatom::Secret::v1']],
    [['variation', 'get', 'local.vatom::Coupon::v1::Silver::v1']],
    [['face', 'list', name]],
    [['api', 'PATCH', `v1/templates/${name}`, '-F', 'unpublished=false']],
  ])('%j is refused with the command that signs in', async (words) => {
    const { vatom } = await stranger()
    const { code, out, err } = await vatom(...words)
    expect({ code, out, err }).toEqual({
      code: 4,
      out: '',
      err: expect.stringMatching(/^error: You are not signed in to http.*\nhint: sign in: vatom login --base-url http/),
    })
  })
})

describe('variables that are not read', () => {
  const mistaken = { VATOM_URL: 'https://a.example', VATOM_APPID: 'x', VATOM_TOKEN: 'y' }
  const warnings = [
    'warning: VATOM_URL is not read: did you mean VATOM_BASE_URL?',
    'warning: VATOM_APPID is not read: did you mean VATOM_APP_ID?',
    'warning: VATOM_TOKEN is not read: did you mean VATOM_REFRESH_TOKEN?',
    '',
  ].join('\n')

  test.each([
    [['template', 'list']],
    [['plan', '-']],
    [['apply', '-', '--yes', '--json', '--quiet']],
    [['template', 'create', '-']],
  ])('are warned of once by %j, where nothing chose the service on this machine', async (words) => {
    const { run } = await publisher()
    const { code, err } = await run(words, { stdin: template(), env: mistaken })
    expect(code).toBe(0)
    expect(err.split(warnings)).toHaveLength(2)
    const named = await run(words, { stdin: template(), env: { ...mistaken, VATOM_CONTEXT: 'local' } })
    expect(named.err).not.toContain('is not read')
  })

  test('are named where there is no session', async () => {
    const { run, baseUrl } = await served()
    const env = { CI: 'true', VATOM_BASE_URL: baseUrl, VATOM_APP_ID: 'local', VATOM_REFRESHTOKEN: 'secret' }
    const { code, err } = await run(['template', 'list'], { env })
    expect({ code, err }).toEqual({ code: 4, err: expect.stringContaining('error: You are not signed in') })
    expect(err).toMatch(/^hint: VATOM_REFRESHTOKEN is not read: did you mean VATOM_REFRESH_TOKEN\?; sign in: /m)
    expect(err).not.toContain('secret')
  })

  test.each([
    ['VATOM_APPID', 'VATOM_APP_ID', ['whoami'], { VATOM_BASE_URL: 'https://a.example' }],
    ['VATOM_APPID', 'VATOM_APP_ID', ['template', 'list', '--base-url', 'https://a.example'], {}],
    ['VATOM_BASEURL', 'VATOM_BASE_URL', ['template', 'list'], { CI: 'true' }],
    ['VATOM_BASEURL', 'VATOM_BASE_URL', ['template', 'list', '--app-id', 'x'], {}],
    ['VATOM_BASEURL', 'VATOM_BASE_URL', ['login'], {}],
    ['VATOM_BASEURL', 'VATOM_BASE_URL', ['logout'], {}],
    [
      'VATOM_TOKN',
      'VATOM_REFRESH_TOKEN',
      ['template', 'list'],
      { VATOM_BASE_URL: 'https://a.example', VATOM_APP_ID: 'x' },
    ],
  ])('as %s in place of %s are named by the hint of %j with %j', async (mistaken, meant, words, env) => {
    const { run } = await publisher()
    const { code, err } = await run(words, { env: { ...env, [mistaken]: 'secret' } })
    expect([2, 4]).toContain(code)
    expect(err).toContain(`\nhint: ${mistaken} is not read: did you mean ${meant}?; `)
    expect(err).not.toContain('secret')
  })

  test('are not named where the service on this machine was chosen', async () => {
    const { run } = await publisher()
    const { err } = await run(['login', '--context', 'local'], { env: mistaken })
    expect(err).toContain('hint: for a service elsewhere: ')
  })
})

test.each(['socks5://me:hunter2@proxy:1', 'proxy:port', 'http://proxy:1/path'])(
  'HTTPS_PROXY=%s is a usage error, as other mistakes in variables are, of which the doctor says the same',
  async (HTTPS_PROXY) => {
    const { run, file } = await publisher()
    file('two.yaml', [template('acme.com::A::v1'), template('acme.com::B::v1')].join('---\n'))
    const place = { VATOM_BASE_URL: 'https://service.example', VATOM_APP_ID: 'x', VATOM_ACCESS_TOKEN: 'y' }
    const env = { ...place, VATOM_PUBLISHER: 'acme.com', HTTPS_PROXY }
    const { code, out } = await run(['template', 'create', 'two.yaml', '--json'], { env })
    const { results, error } = JSON.parse(out)
    const said = 'HTTPS_PROXY is not the address of an http or https proxy'
    expect({ code, error }).toMatchObject({ code: 2, error: { code: 'usage', message: expect.stringContaining(said) } })
    const { checks } = JSON.parse((await run(['doctor', '--json'], { env })).out)
    expect(checks).toContainEqual(expect.objectContaining({ name: 'proxies', message: said, hint: error.hint }))
    expect(results).toMatchObject([{ status: 'not_sent' }, { status: 'not_sent' }])
    expect(out).not.toContain('hunter2')
  },
)
