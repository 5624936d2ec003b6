import { chmodSync, existsSync, lchownSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { main } from '../../../src/cli/main.ts'
import { openService } from '../../../src/server/service.ts'
import { template } from '../../fixtures/yaml.ts'
import { facing, served } from '../../support/desks.ts'
import { makeReadOnly, newFolder, writeFiles } from '../../support/folders.ts'
import { hostWith, testClock } from '../../support/host.ts'
import { lossy } from '../../support/lossy.ts'
import { serverOf } from '../../support/servers.ts'
import { Capture } from '../../support/streams.ts'
import { publisher, type Run } from '../../support/vatom.ts'

interface Report {
  readonly checks: readonly { name: string; status: string; message: string; hint: string | null }[]
  readonly summary: object
  readonly error?: object
}
const report = ({ out }: Run): Report => JSON.parse(out)
const found = (run: Run, name: string) => report(run).checks.find((one) => one.name === name)
const names = [
  'node',
  'sqlite',
  'configuration',
  'variables',
  'context',
  'proxies',
  'service',
  'session',
  'publisher',
  'plans',
  'data',
  'cache',
  'code cache',
]

test('on a fresh machine every check is ok, nothing is made, and it exits 0', async () => {
  const { vatom, run, home } = await publisher()
  const text = await vatom('doctor')
  expect({ code: text.code, err: text.err }).toEqual({ code: 0, err: '' })
  expect(text.out).toMatch(/^ok {4}node {11}v\d+\.\d+\.\d+ on /)
  expect(
    text.out
      .replaceAll(home, '~')
      .split('\n')
      .filter((line) => line.length > 80),
  ).toEqual([])
  const json = await run(['doctor', '--json'])
  expect(report(json).checks.map(({ name, status }) => [name, status])).toEqual(names.map((name) => [name, 'ok']))
  expect(report(json).summary).toEqual({ total: 13, ok: 13, warn: 0, fail: 0 })
  expect(report(json)).not.toHaveProperty('error')
  expect(found(json, 'session')?.message).toBe('signed in; the local context needs no login')
  expect(found(json, 'sqlite')?.message).toMatch(/sqlite, SQLite 3\.\d+/)
  for (const folder of ['.config', '.local', '.cache']) expect(existsSync(join(home, folder))).toBe(false)
})

test('that only one of two tokens is used is a warning of doctor and of whoami', async () => {
  const { run, service } = await publisher()
  const { baseUrl } = await service.listen({ host: '127.0.0.1', port: 0 })
  const place = { VATOM_BASE_URL: baseUrl, VATOM_APP_ID: service.appId }
  const env = { ...place, VATOM_ACCESS_TOKEN: service.localToken(), VATOM_REFRESH_TOKEN: 'r' }
  const message = 'VATOM_REFRESH_TOKEN is not read: VATOM_ACCESS_TOKEN is set as well, and counts first'
  expect(found(await run(['doctor', '--json'], { env }), 'variables')).toMatchObject({ status: 'warn', message })
  expect(await run(['whoami'], { env })).toMatchObject({ code: 0, err: expect.stringContaining(`warning: ${message}`) })
})

test.each([
  ['VATOM_URL', 'did you mean VATOM_BASE_URL?'],
  ['VATOM_APPID', 'did you mean VATOM_APP_ID?'],
  ['VATOM_BASE', 'did you mean VATOM_BASE_URL?'],
  ['VATOM_TIMEOUT', 'give --timeout'],
  ['VATOM_PASSWORD', 'vatom login --password-stdin takes a password'],
  ['VATOM_NO_INPUT', 'give --no-input'],
])('%s, which is not read, is a warning of doctor and of whoami', async (name, remedy) => {
  const { run } = await publisher()
  const said = `${name} is not read: ${remedy}`
  const env = { [name]: 'x', VATOM_VERSION: '1' }
  const checked = await run(['doctor', '--json'], { env })
  expect(checked.code).toBe(0)
  expect(found(checked, 'variables')).toMatchObject({ status: 'warn', message: said })
  expect(await run(['whoami'], { env })).toMatchObject({ code: 0, err: `warning: ${said}\n` })
  const both = await run(['whoami'], { env: { ...env, CI: 'true', VATOM_CONTEXT: 'local' } })
  expect(both.err).toBe(`warning: ${said}\n`)
})

test('each variable that is not read is a warning, also beside the one that is meant, or where none is', async () => {
  const { run } = await publisher()
  const links = {
    VATOM_SERVICE_HOST: '10.0.0.1',
    VATOM_SERVICE_PORT_HTTP: '4100',
    VATOM_PORT_4100_TCP_ADDR: '10.0.0.1',
  }
  const own = { VATOM_PUBLISHER: 'local.vatom', VATOM_PUBLISHR: 'x', VATOM_XYZ: 'x' }
  const env = { ...own, ...links, VATOM_VERSION: '1' }
  expect(found(await run(['doctor', '--json'], { env }), 'variables')).toMatchObject({
    status: 'warn',
    message: 'VATOM_PUBLISHR is not read: did you mean VATOM_PUBLISHER, which is set as well?; VATOM_XYZ is not read',
  })
})

test('a database of local that leads to itself fails, as it does in other commands', async () => {
  const home = newFolder()
  const data = join(home, '.local/share/vatom')
  mkdirSync(data, { recursive: true })
  symlinkSync('local.db', join(data, 'local.db'))
  const stdout = new Capture()
  const code = await main(
    ['doctor', '--json'],
    hostWith({ stdout, stderr: new Capture(), cwd: home, home, openService }),
  )
  const run = { code, out: stdout.text, err: '' }
  expect(run.code).toBe(1)
  expect(found(run, 'publisher')).toMatchObject({ status: 'fail', message: expect.stringContaining('local.db') })
  expect(run.out).not.toContain('is created by')
})

test('of a signed-in context tells who by their address, for whom, and how long; no token is printed', async () => {
  const { vatom, home } = await publisher({ transport: 'network' })
  const run = await vatom('doctor', '--json')
  expect(found(run, 'context')?.message).toMatch(/^127\.0\.0\.1:\d+ \(http:/)
  expect(found(run, 'session')?.message).toMatch(
    /^signed in as \S+@\S+; access token valid for 5 min; refresh token valid for 30 days$/,
  )
  expect(found(run, 'publisher')).toMatchObject({ status: 'ok', message: 'local.vatom' })
  const kept = JSON.parse(readFileSync(join(home, '.config/vatom/credentials.json'), 'utf8'))
  for (const { refresh_token, access_token } of Object.values(kept) as Record<string, string>[]) {
    expect(run.out + run.err).not.toContain(refresh_token)
    expect(run.out + run.err).not.toContain(access_token)
  }
})

test.each([
  ['other.example', /VATOM_PUBLISHER is other\.example, and the session is of the publisher local\.vatom/],
  ['My.Shop', /VATOM_PUBLISHER is My\.Shop, and the session is of the publisher local\.vatom/],
  ['My Shop', /VATOM_PUBLISHER is My Shop, and no domain name/],
])('VATOM_PUBLISHER=%s, with which plan fails, fails', async (given, message) => {
  const desks = [await publisher({ transport: 'network' }), await publisher()]
  for (const { run } of desks) {
    const checked = await run(['doctor', '--json'], { env: { VATOM_PUBLISHER: given } })
    expect(checked.code).toBe(1)
    expect(found(checked, 'publisher')).toMatchObject({
      status: 'fail',
      message: expect.stringMatching(message),
      hint: expect.stringContaining('remove'),
    })
  }
})

test('a configuration that others may read is a warning, and exits 0', async () => {
  const { vatom, home } = await publisher({ transport: 'network' })
  const file = join(home, '.config/vatom/credentials.json')
  chmodSync(file, 0o644)
  const run = await vatom('doctor', '--json')
  expect(run.code).toBe(0)
  expect(found(run, 'configuration')).toMatchObject({ status: 'warn', hint: `chmod go= '${file}'` })
})

test('a damaged configuration fails, what rests on it is not checked, and the rest is', async () => {
  const { vatom, file } = await publisher()
  file('.config/vatom/config.json', '{"secret')
  const run = await vatom('doctor', '--json')
  expect(run).toMatchObject({ code: 1, err: 'error: 2 checks failed\n' })
  expect(run.out).not.toContain('secret')
  expect(report(run).error).toMatchObject({ code: 'unhealthy', message: '2 checks failed' })
  expect(found(run, 'configuration')).toMatchObject({ status: 'fail', hint: expect.stringContaining('repair it') })
  for (const name of ['service', 'session', 'publisher'])
    expect(found(run, name)).toMatchObject({ status: 'warn', message: 'not checked: context failed' })
  expect(found(run, 'code cache')).toMatchObject({ status: 'ok' })
  const text = await vatom('doctor')
  expect(text).toMatchObject({ code: 1, out: expect.stringMatching(/\nfail {2}configuration/) })
})

test('a service that does not answer fails, with what to do', async () => {
  const { vatom, json } = await publisher()
  await json('context', 'add', 'away', '--base-url', 'http://127.0.0.1:9', '--app-id', 'x')
  const run = await vatom('doctor', '--context', 'away', '--json')
  expect(run.code).toBe(1)
  expect(found(run, 'service')).toMatchObject({ status: 'fail', hint: expect.stringContaining('vatom serve') })
  expect(found(run, 'session')).toMatchObject({ status: 'warn', message: 'not checked: service failed' })
})

test('the hint for a service that does not run starts one with its application id, also of login', async () => {
  const { vatom, json } = await publisher()
  const start = 'start one here with: vatom serve --port 9 --app-id shop'
  const place = ['--base-url', 'http://127.0.0.1:9', '--app-id', 'shop']
  await json('context', 'add', 'away', ...place)
  const run = await vatom('doctor', '--context', 'away', '--json')
  expect(found(run, 'service')?.hint).toContain(start)
  await json('context', 'use', 'away')
  expect(found(await vatom('doctor', '--json'), 'service')?.hint).toContain(
    `${start}, or use the service on this machine`,
  )
  const login = await vatom('login', ...place, '--guest')
  expect(login).toMatchObject({ code: 5, err: expect.stringContaining(start) })
})

test('a service without a session fails, and names login', async () => {
  const { vatom, json, service } = await publisher()
  const { baseUrl } = await service.listen({ host: '127.0.0.1', port: 0 })
  await json('context', 'add', 'out', '--base-url', baseUrl, '--app-id', 'local')
  const run = await vatom('doctor', '--context', 'out', '--json')
  expect(run.code).toBe(1)
  expect(found(run, 'service')?.status).not.toBe('fail')
  expect(found(run, 'session')).toMatchObject({ status: 'fail', hint: 'sign in: vatom login --context out' })
  await json('context', 'add', 'other', '--base-url', baseUrl, '--app-id', 'wrong')
  expect(found(await vatom('doctor', '--context', 'other', '--json'), 'service')).toMatchObject({
    status: 'fail',
    hint: expect.stringContaining('application id'),
  })
})

describe('a service', () => {
  const at = (seconds: number) => new Date(testClock().getTime() + seconds * 1000).toUTCString()
  const user = (rights: object) =>
    JSON.stringify({
      payload: {
        id: 'u1',
        meta: { data_type: '', when_created: '', when_modified: '' },
        properties: {},
        system_properties: rights,
      },
    })
  const asked = async (headers: Record<string, string>, rights: object = { pub_fqdn: 'acme.com', is_admin: true }) => {
    const { run, env } = await facing(({ url }, response) =>
      url === '/v1/user'
        ? response.writeHead(200, headers).end(user(rights))
        : response.writeHead(404, headers).end('{"request_id": "r", "error": 404, "message": "no such path"}'),
    )
    return run(['doctor', '--json'], { env })
  }
  test.each([
    [0, 'ok', 'clocks agree'],
    [-55, 'ok', 'clocks agree'],
    [-90, 'warn', "this machine's clock is 90 s ahead"],
    [3600, 'warn', "this machine's clock is 60 min behind"],
    [15_552_000, 'warn', "this machine's clock is 180 days behind"],
  ])('whose clock is %i s on: %s', async (seconds, status, message) => {
    expect(found(await asked({ date: at(seconds) }), 'service')).toMatchObject({
      status,
      message: expect.stringContaining(message),
    })
  })
  test.each([
    [{ pub_fqdn: 'acme.com', is_admin: true }, 'ok', 'acme.com'],
    [{ pub_fqdn: 'acme.com', is_admin: false }, 'fail', 'you are not an administrator of acme.com'],
    [{}, 'fail', 'you are not a publisher'],
  ])('to whom you are %j: publisher is %s', async (rights, status, message) => {
    expect(found(await asked({ date: at(0) }, rights), 'publisher')).toMatchObject({ status, message })
  })
  test('with tokens from the environment uses nothing on disk, and prints no token', async () => {
    const run = await asked({ date: at(0) })
    for (const name of ['configuration', 'cache', 'code cache'])
      expect(found(run, name)?.message).toBe('not used: environment variables give the service and the session')
  })
  test('that lists no addresses tells who is signed in by their id', async () => {
    expect(found(await asked({ date: at(0) }), 'session')).toMatchObject({
      status: 'ok',
      message: expect.stringMatching(/^signed in as u1\b/),
    })
  })
  test('that is no vAtom service fails', async () => {
    const { run, env } = await facing((_, response) => response.writeHead(403).end('<html>Forbidden</html>'))
    expect(found(await run(['doctor', '--json'], { env }), 'service')).toMatchObject({
      status: 'fail',
      message: expect.stringMatching(/answered in \d+ ms: 403, and no answer of a vAtom service$/),
      hint: expect.stringContaining('check the address'),
    })
  })
  test.each([408, 500, 504])('that is broken, with status %i, fails', async (status) => {
    const { run, env } = await facing((_, response) => response.writeHead(status).end('{"message":"on fire"}'))
    expect(found(await run(['doctor', '--json'], { env }), 'service')).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('on fire'),
    })
  })
})

describe('proxies', () => {
  const proxies = async (env: Record<string, string>) => {
    const { run } = await publisher()
    return found(await run(['doctor', '--json'], { env }), 'proxies')
  }
  test('are named without their passwords', async () => {
    const { host } = new URL((await serverOf()).url)
    expect(await proxies({ HTTPS_PROXY: `http://me:hunter2@${host}`, NO_PROXY: 'a,b' })).toMatchObject({
      status: 'ok',
      message: `HTTPS_PROXY http://${host}, not for a,b`,
    })
  })
  test.each([
    ['https', { HTTPS_PROXY: 'PROXY' }, 'reached through HTTPS_PROXY'],
    ['https', { HTTP_PROXY: 'PROXY' }, 'reached through HTTP_PROXY'],
    ['https', { HTTP_PROXY: 'PROXY', https_proxy: '' }, 'reached directly: https_proxy is empty'],
    ['http', { HTTPS_PROXY: 'PROXY' }, 'reached directly: HTTP_PROXY is not set'],
    ['https', { HTTPS_PROXY: 'PROXY', NO_PROXY: 'a,.invalid' }, 'reached directly: NO_PROXY has .invalid'],
  ])('say how the service at %s is reached, without secrets: %j', async (scheme, variables, way) => {
    const proxy = (await serverOf()).url.replace('//', '//me:hunter2@')
    const given = Object.entries(variables).map(([name, value]) => [name, value.replace('PROXY', proxy)])
    const place = { VATOM_BASE_URL: `${scheme}://name.invalid/path`, VATOM_APP_ID: 'x', VATOM_ACCESS_TOKEN: 'y' }
    const found = await proxies({ ...place, VATOM_INSECURE: '1', ...Object.fromEntries(given) })
    expect(found).toMatchObject({
      status: 'ok',
      message: expect.stringMatching(`_PROXY http://127.*; ${scheme}://name.invalid is ${way}$`),
    })
    expect(JSON.stringify(found)).not.toContain('hunter2')
  })
  test('that accept no connections are not blamed for a service that is reached without them', async () => {
    const { run, env } = await facing(() => {})
    expect(
      found(await run(['doctor', '--json'], { env: { ...env, HTTP_PROXY: 'http://127.0.0.1:1' } }), 'proxies'),
    ).toEqual(
      expect.objectContaining({
        status: 'warn',
        message: `the proxy http://127.0.0.1:1 (HTTP_PROXY): nothing listens there (connection refused); ${env.VATOM_BASE_URL} is reached directly: it is on this machine`,
      }),
    )
  })
  test('that do not accept connections are named with their variables', async () =>
    expect(await proxies({ https_proxy: 'http://me:hunter2@127.0.0.1:1' })).toEqual({
      name: 'proxies',
      status: 'warn',
      message: 'the proxy http://127.0.0.1:1 (https_proxy): nothing listens there (connection refused)',
      hint: 'correct the variable, or unset it',
    }))
  test('are named where the service cannot be reached through them', async () => {
    const { run, env } = await facing(() => {})
    const away = { ...env, VATOM_BASE_URL: 'https://service.example', HTTPS_PROXY: 'http://me:hunter2@127.0.0.1:1' }
    const ran = await run(['doctor', '--json'], { env: away })
    expect(found(ran, 'service')).toMatchObject({
      status: 'fail',
      message: expect.stringMatching(
        /^No answer from https:\/\/service\.example: the proxy http:\/\/127\.0\.0\.1:1 \(HTTPS_PROXY\)/,
      ),
      hint: expect.stringContaining('NO_PROXY'),
    })
    expect(ran.out).not.toContain('hunter2')
  })
  test.each(['proxy:port', 'not an address', 'ftp://proxy:1', 'socks5://127.0.0.1:1'])('%s fails', async (value) =>
    expect(await proxies({ http_proxy: value })).toMatchObject({
      status: 'fail',
      message: 'http_proxy is not the address of an http or https proxy',
      hint: 'write it as http://HOST:PORT; or unset it',
    }),
  )
  test('of which several fail are all named', async () =>
    expect(await proxies({ http_proxy: 'proxy:port', HTTPS_PROXY: 'socks5://127.0.0.1:1' })).toMatchObject({
      status: 'fail',
      message: 'http_proxy and HTTPS_PROXY are not addresses of http or https proxies',
      hint: 'write them as http://HOST:PORT; or unset them',
    }))
  test('one whose password has a # fails, and how to write that is said', async () =>
    expect(await proxies({ https_proxy: 'http://me:hunter#2@127.0.0.1:1' })).toMatchObject({
      status: 'fail',
      hint: expect.stringMatching(/ # @ as %2F %3F %23 %40; or unset it$/),
    }))
})

test('a data folder that cannot be written to is a warning', async () => {
  const { run, home, file } = await publisher()
  file('data', '')
  for (const folder of ['data', 'data/below']) {
    const ran = await run(['doctor', '--json'], { env: { VATOM_DATA_DIR: join(home, folder) } })
    expect(found(ran, 'data')).toMatchObject({
      status: 'warn',
      message: expect.stringMatching(/ cannot be written to: apply and the service on this machine need it$/),
      hint: 'correct its permissions, or set VATOM_DATA_DIR',
    })
  }
})

test.runIf(process.getuid?.() === 0).each(['snapshots', 'applied', 'owners', 'serving'])(
  'a link in the place of %s that commands refuse fails',
  async (name) => {
    const { run, home } = await publisher()
    const [folder, path] = [join(home, 'data'), join(home, 'data', name)]
    mkdirSync(folder)
    symlinkSync(newFolder(), path)
    const checkData = async () => found(await run(['doctor', '--json'], { env: { VATOM_DATA_DIR: folder } }), 'data')
    expect(await checkData()).toMatchObject({ status: 'ok' })
    lchownSync(path, 1, 1)
    expect(await checkData()).toMatchObject({
      status: 'fail',
      message: `${path} is a link of another user to what is not theirs: commands that use this folder refuse it`,
      hint: 'remove the link',
    })
  },
)

test('a configuration folder that cannot be written to is a warning', async ({ skip }) => {
  const { vatom, home } = await publisher({ transport: 'network' })
  const folder = join(home, '.config', 'vatom')
  if (!makeReadOnly(folder)) skip('root can write to every folder of this file system')
  const ran = await vatom('doctor', '--json')
  expect(found(ran, 'configuration')).toMatchObject({
    status: 'warn',
    message: `${folder} cannot be written to: login and context need it, and each command renews the session for itself`,
  })
  expect(ran.code).toBe(0)
})

test('a cache folder that cannot be read is a warning', async () => {
  const { home, run, file } = await publisher()
  const ran = await run(['doctor', '--json'], { env: { VATOM_CACHE_DIR: join(home, file('cache', '')) } })
  expect(found(ran, 'cache')).toMatchObject({
    status: 'warn',
    message: expect.stringMatching(
      /cache is no folder that can be read and written to: commands take longer to start$/,
    ),
  })
  expect(found(ran, 'code cache')).toMatchObject({ status: 'ok', message: 'empty' })
  expect(ran.code).toBe(0)
})

test('the code cache may be off', async () => {
  const { run } = await publisher()
  expect(found(await run(['doctor', '--json'], { env: { VATOM_CODE_CACHE: 'off' } }), 'code cache')?.message).toBe(
    'off',
  )
})

describe('on a machine without SQLite', () => {
  const noSqlite = Object.assign(new Error('no SQLite'), { code: 'sqlite_missing', hint: 'install it' })
  /** Runs a command where the service on this machine cannot be opened. */
  const runWithout = async (args: readonly string[], env: Record<string, string>, cwd = '/'): Promise<Run> => {
    const [stdout, stderr] = [new Capture(), new Capture()]
    const host = { stdout, stderr, env, cwd, home: newFolder(), openService: () => Promise.reject(noSqlite) }
    return { code: await main(args, hostWith(host)), out: stdout.text, err: stderr.text }
  }

  test('a service elsewhere needs none', async () => {
    const { service, baseUrl } = await served()
    const { refresh_token } = await service.localSession()
    const env = { VATOM_BASE_URL: baseUrl, VATOM_APP_ID: service.appId, VATOM_REFRESH_TOKEN: refresh_token }
    const run = await runWithout(['doctor', '--json'], env)
    expect(found(run, 'sqlite')).toMatchObject({ status: 'ok', message: expect.stringMatching(/^none: only the/) })
    expect(run.code).toBe(0)
  })

  test('the service on this machine needs it, which is reported once', async () => {
    const run = await runWithout(['doctor', '--json'], { VATOM_CONTEXT: 'local' })
    expect(found(run, 'sqlite')).toMatchObject({ status: 'fail', hint: 'install it' })
    expect(found(run, 'publisher')).toMatchObject({ status: 'warn', message: 'not checked: sqlite failed' })
    expect(run).toMatchObject({ code: 1, err: 'error: 1 check failed\n' })
  })

  test.each(['plan', 'apply'])('%s in a pipeline says that no service is chosen', async (command) => {
    const cwd = newFolder()
    writeFiles(cwd, { 'coupon.yaml': template() })
    const { code, out, err } = await runWithout(
      [command, 'coupon.yaml', ...(command === 'apply' ? ['--yes'] : [])],
      { CI: 'true' },
      cwd,
    )
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain('No service is chosen')
    expect(err).not.toContain('SQLite')
  })
})

test('a service whose clock a test has moved is not said to agree', async () => {
  const { login, vatom, baseUrl } = await served()
  await login()
  await fetch(`${baseUrl}/__vatom/clock`, { method: 'PUT', body: '{"advance_seconds": 2160000}' })
  const { out } = await vatom('doctor')
  expect(out).toMatch(/this machine's clock is 25 days behind/)
  expect(out).toContain('DELETE /__vatom/clock')
  expect(out).not.toContain('clocks agree')
})

describe('plans', () => {
  const desk = () => publisher({ transport: 'network' })
  const asked = async (status: number | undefined, passed: readonly string[]) => {
    const { service, run } = await desk()
    const fate = ({ url = '' }) =>
      status !== undefined && url.includes('/label') ? { status, error: 9000 } : ('answered' as const)
    const { env } = await lossy(service, fate, undefined, passed)
    return found(await run(['doctor', '--json'], { env }), 'plans')
  }
  test('are checked by a service that offers dry runs and stores owners', async () =>
    expect(await asked(undefined, ['vatom-dry-run'])).toMatchObject({
      status: 'ok',
      message:
        'the service checks all changes of a plan before it is applied, or the first 9 where its database has more than 32 MiB; it stores which catalog owns what',
    }))
  test('are not checked where the headers of dry runs are removed on the way', async () =>
    expect(await asked(undefined, [])).toMatchObject({
      status: 'warn',
      message: expect.stringMatching(
        /^not checked: \S+ does not support dry runs; it does not store which catalog owns/,
      ),
      hint: expect.stringContaining('let Vatom-Dry-Run pass'),
    }))
  test('of a service that stores no owners leave them to the machine', async () =>
    expect(await asked(404, ['vatom-dry-run'])).toMatchObject({
      status: 'warn',
      message: expect.stringMatching(
        /^the service checks all changes of a plan before it is applied, or the first 9 where its database has more than 32 MiB; it does not store which catalog owns what/,
      ),
      hint: expect.stringContaining('VATOM_DATA_DIR'),
    }))
})
