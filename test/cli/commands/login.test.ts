import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { main } from '../../../src/cli/main.ts'
import { at } from '../../../src/contract/schema/path.ts'
import { served } from '../../support/desks.ts'
import { newFolder } from '../../support/folders.ts'
import { hostWith } from '../../support/host.ts'
import { serverOf } from '../../support/servers.ts'
import { publisher } from '../../support/vatom.ts'

type Payload = Readonly<Record<string, unknown>>

/** The address of a service that answers what another does, with the payloads of its sessions changed. */
async function standIn(baseUrl: string, changed: (payload: Payload) => Payload): Promise<string> {
  const { url } = await serverOf(async (request, response) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
    const real = await fetch(baseUrl + request.url, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    })
    const answer: { payload: Payload } = JSON.parse(await real.text())
    const isSession = request.method === 'POST'
    response.setHeader('content-type', 'application/json').writeHead(real.status)
    response.end(JSON.stringify(isSession ? { ...answer, payload: changed(answer.payload) } : answer))
  })
  return url
}

describe('login', () => {
  test('names the context by the host, makes it current, and remembers the publisher', async () => {
    const { login, json, baseUrl } = await served()
    const { code, out, err } = await login()
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toBe(
      `Signed in to ${new URL(baseUrl).host} (${baseUrl}) for local.vatom. ${new URL(baseUrl).host} is the current context now.\n`,
    )
    expect(await json('context', 'list')).toMatchObject([
      { name: 'local', current: false },
      { name: new URL(baseUrl).host, base_url: baseUrl, publisher: 'local.vatom', current: true, signed_in: true },
    ])
  })

  test('with an application id that a service does not know names that of vatom serve: exit 4', async () => {
    const { run, json, baseUrl } = await served()
    const { code, out, err } = await run(['login', '--guest', '--base-url', baseUrl, '--app-id', 'nope'])
    expect({ code, out, hint: err.split('\nhint: ')[1] }).toEqual({
      code: 4,
      out: '',
      hint: 'check the application id: VATOM_APP_ID, --app-id, or of a saved context: vatom context list; vatom serve prints its own, by default local\n',
    })
    expect(await json('context', 'list')).toMatchObject([{ name: 'local' }])
  })

  test.each(['local', '__proto__', 'constructor', 'x'.repeat(261)])(
    'refuses the host %s, which cannot name a context, before anything is sent or stored',
    async (host) => {
      const { run, home } = await publisher()
      const refused = {
        code: 2,
        out: '',
        err: expect.stringContaining(
          `hint: the host would be its name; choose another: vatom login --context NAME --base-url https://${host} --app-id x\n`,
        ),
      }
      const words = ['login', '--guest']
      expect(await run([...words, '--base-url', `https://${host}`, '--app-id', 'x'])).toEqual(refused)
      const env = { VATOM_BASE_URL: `https://${host}`, VATOM_APP_ID: 'x' }
      expect(await run(words, { env })).toEqual(refused)
      const named = [...words, '--context', host, '--base-url', 'http://127.0.0.1:1', '--app-id', 'x']
      expect(await run(named)).toMatchObject({ code: 2, out: '' })
      expect(existsSync(join(home, '.config'))).toBe(false)
    },
  )

  test.each([
    ['as long as names of load balancers are', `${'internal-name-of-a-balancer-'.repeat(3)}1.eu-central-1.elb.test`],
    ['that is an IPv6 address', '[::1]:1'],
  ])('a host %s can name a context', async (_, host) => {
    const { run } = await publisher()
    const { code, err } = await run(['login', '--guest', '--base-url', `https://${host}`, '--app-id', 'x'])
    expect({ code, err }).toEqual({ code: 5, err: expect.stringContaining(`No answer from https://${host}`) })
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

  test.each([
    ['login', '--context', 'staging', '--email', 'publisher@local.vatom', '--password-stdin'],
    ['context', 'use', 'staging'],
  ])('in a pipeline, %s %s says how the next command uses the context', async (...command) => {
    const { login, run } = await served()
    await login(['--context', 'staging'])
    const [unnamed, named] = [{ CI: 'true' }, { CI: 'true', VATOM_CONTEXT: 'staging' }]
    expect(await run(command, { stdin: 'vatom-local', env: unnamed })).toMatchObject({
      code: 0,
      err: 'in a pipeline, where CI is set, the current context is used only if it is named: VATOM_CONTEXT=staging, or --context staging\n',
    })
    expect(await run(['template', 'list'], { env: unnamed })).toMatchObject({ code: 2 })
    expect(await run(['template', 'list', '--context', 'staging'], { env: unnamed })).toMatchObject({ code: 0 })
    expect(await run(['template', 'list'], { env: named })).toMatchObject({ code: 0 })
    expect(await run(command, { stdin: 'vatom-local', env: named })).toMatchObject({ code: 0, err: '' })
  })

  test('with a name that no context has says how to make one', async () => {
    const { run } = await publisher()
    const login = ['login', '--context', 'new', '--email', 'a@example.com', '--password-stdin']
    expect(await run(login, { stdin: 'x' })).toMatchObject({
      code: 2,
      err: 'error: There is no context named new (--context)\nhint: known contexts: local; for a new one, add --base-url URL --app-id ID\n',
    })
  })

  describe.each([
    ['with a space', 'a b'],
    ['with a line break', 'a\nb'],
    ['beyond ASCII', 'é'],
    ['that is too long', 'a'.repeat(8193)],
  ])('a token %s in an answer', (_, token) => {
    test.each(['access_token', 'refresh_token'])(
      'as the %s is not kept, and other contexts stay signed in',
      async (key) => {
        const { login, run, json, baseUrl, service } = await served()
        await login(['--context', 'good'])
        const url = await standIn(baseUrl, (payload) => ({ ...payload, [key]: { ...Object(payload[key]), token } }))
        const words = ['login', '--context', 'evil', '--base-url', url, '--app-id', service.appId]
        const refused = await run([...words, '--email', 'publisher@local.vatom', '--password-stdin'], {
          stdin: 'vatom-local',
        })
        expect(refused).toMatchObject({ code: 1, out: '' })
        expect(refused.err).toContain('POST /v1/user/login did not answer what the API declares')
        expect(refused.err).not.toContain(token)
        expect(await json('whoami', '--context', 'good')).toMatchObject({
          system_properties: { pub_fqdn: 'local.vatom' },
        })
        expect(JSON.stringify(await json('context', 'list'))).not.toContain('evil')
      },
    )

    test('that renews a session is not kept, and other contexts stay signed in', async () => {
      const { login, run, json, baseUrl, service, home } = await served()
      await login(['--context', 'good'])
      const renew = ({ access_token, ...payload }: Payload) => ({
        ...payload,
        ...(access_token !== undefined && { access_token: token }),
      })
      const url = await standIn(baseUrl, renew)
      const saved = JSON.parse(readFileSync(join(home, '.config/vatom/credentials.json'), 'utf8'))
      const words = [
        'login',
        '--context',
        'evil',
        '--base-url',
        url,
        '--app-id',
        service.appId,
        '--refresh-token-stdin',
      ]
      const refused = await run(words, { stdin: saved.good.refresh_token })
      expect(refused).toMatchObject({ code: 1, out: '' })
      expect(refused.err).toContain('POST /v1/access_token did not answer what the API declares')
      expect(await json('whoami', '--context', 'good')).toMatchObject({
        system_properties: { pub_fqdn: 'local.vatom' },
      })
    })
  })

  test.each(['x.example\ndefaults:\n  run:\n    shell: evil {0}', `x.example \${{ secrets.OTHER }}`, 'x.example" # '])(
    'a publisher in an answer that is no domain name is not kept: %j',
    async (pub_fqdn) => {
      const { run, json, baseUrl, service } = await served()
      const asPublisher = ({ user, ...payload }: Payload) => ({
        ...payload,
        user: { ...Object(user), system_properties: { pub_fqdn, is_admin: true } },
      })
      const url = await standIn(baseUrl, asPublisher)
      const words = ['login', '--context', 'evil', '--base-url', url, '--app-id', service.appId]
      const refused = await run([...words, '--email', 'publisher@local.vatom', '--password-stdin'], {
        stdin: 'vatom-local',
      })
      expect(refused).toMatchObject({ code: 1, out: '' })
      expect(refused.err).toContain('POST /v1/user/login did not answer what the API declares')
      expect(JSON.stringify(await json('context', 'list'))).not.toContain('evil')
    },
  )

  test('a publisher in an answer may have capitals', async () => {
    const { run, baseUrl, service } = await served()
    const asPublisher = ({ user, ...payload }: Payload) => ({
      ...payload,
      user: { ...Object(user), system_properties: { pub_fqdn: 'Local.Vatom', is_admin: true } },
    })
    const url = await standIn(baseUrl, asPublisher)
    const words = ['login', '--context', 'up', '--base-url', url, '--app-id', service.appId]
    expect(
      await run([...words, '--email', 'publisher@local.vatom', '--password-stdin'], { stdin: 'vatom-local' }),
    ).toMatchObject({ code: 0 })
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

  test.each(['\0', '\u2026', ' '])(
    'refuses a refresh token on standard input that no header takes: with %j',
    async (sign) => {
      const { run } = await publisher()
      const args = ['login', '--base-url', 'http://127.0.0.1:9', '--app-id', 'local', '--refresh-token-stdin']
      expect(await run(args, { stdin: `abc${sign}def` })).toEqual({
        code: 2,
        out: '',
        err: 'error: the refresh token has white space or characters that are not allowed in a header\nhint: check where it comes from, and that it was copied whole\n',
      })
    },
  )

  test.each([['--password-stdin', '--email=a@example.com'], ['--refresh-token-stdin'], ['--guest-id-stdin']])(
    '%s reads no more of standard input than a secret can have',
    async (flag, ...others) => {
      const { run } = await publisher()
      const args = ['login', '--base-url', 'http://127.0.0.1:9', '--app-id', 'local', flag, ...others]
      expect(await run(args, { stdin: 'x'.repeat(8193) })).toEqual({
        code: 2,
        out: '',
        err: `error: ${flag} found more than 8192 bytes without a line break on standard input\nhint: printf %s "$SECRET" | vatom … ${flag}\n`,
      })
      expect((await run(args, { stdin: `x\n${'x'.repeat(8193)}` })).err).not.toContain('bytes')
      let read = 0
      const endless = Readable.from(
        (function* () {
          for (; read < 2_000; read++) yield 'x'.repeat(1_024)
        })(),
      )
      const host = hostWith({ stdin: Object.assign(endless, { isTTY: false }), home: newFolder() })
      expect(await main(args, host)).toBe(2)
      expect(read).toBeLessThan(100)
    },
  )

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

  describe('on a terminal', () => {
    const emailQuestion = 'E-mail address or phone number'
    test('asks for the address of the service, the application id, the e-mail address and the password', async () => {
      const { run, baseUrl, service, json } = await served()
      const answers = {
        'Address of the service': baseUrl,
        'Application id': service.appId,
        [emailQuestion]: 'publisher@local.vatom',
        Password: 'vatom-local',
      }
      const { code, out, err } = await run(['login'], { tty: true, answers })
      expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('for local.vatom.') })
      expect(err).not.toContain('vatom-local')
      expect(await json('whoami')).toMatchObject({ system_properties: { pub_fqdn: 'local.vatom' } })
    })
    test('asks for the address of a context that does not exist yet, and for nothing that is given', async () => {
      const { run, baseUrl, service, json } = await served()
      const answers = { 'Address of the service': baseUrl, 'Application id': service.appId, Password: 'vatom-local' }
      const args = ['login', '--context', 'staging', '--email', 'publisher@local.vatom']
      const { code, err } = await run(args, { tty: true, answers })
      expect({ code, asked: err.includes(emailQuestion) }).toEqual({ code: 0, asked: false })
      expect(await json('context', 'list')).toMatchObject([{ name: 'local' }, { name: 'staging', current: true }])
    })
    test('says which service it signs in to before it asks, if none is given', async () => {
      const { run, login, baseUrl } = await served()
      expect(await login(['--context', 'dev'])).toMatchObject({ code: 0 })
      const { code, err } = await run(['login'], {
        tty: true,
        answers: { [emailQuestion]: 'publisher@local.vatom', Password: 'vatom-local' },
      })
      expect(code).toBe(0)
      expect(err.indexOf(`Signing in to dev (${baseUrl})`)).toBe(0)
    })
    test('asks again after a wrong password, and after an unknown address', async () => {
      const { run, baseUrl, service } = await served()
      const args = ['login', '--base-url', baseUrl, '--app-id', service.appId]
      const wrong = {
        [emailQuestion]: 'publisher@local.vatom',
        Password: 'wrong',
        'Password (attempt 2 of 3)': 'vatom-local',
      }
      const second = await run(args, { tty: true, answers: wrong })
      expect(second).toMatchObject({ code: 0, err: expect.stringContaining('Login failed') })
      const unknown = {
        [emailQuestion]: 'publisher@nowhere.example',
        Password: 'vatom-local',
        'number (attempt 2 of 3)': 'publisher@local.vatom',
        'Password (attempt 2 of 3)': 'vatom-local',
      }
      expect(await run(args, { tty: true, answers: unknown })).toMatchObject({ code: 0 })
    })
    test('gives up after three wrong passwords, with exit 4 and nothing stored', async () => {
      const { run, baseUrl, service, home } = await served()
      const args = ['login', '--base-url', baseUrl, '--app-id', service.appId, '--email', 'publisher@local.vatom']
      const answers = { Password: 'a', 'Password (attempt 2 of 3)': 'b', 'Password (attempt 3 of 3)': 'c' }
      const { code, out, err } = await run(args, { tty: true, answers })
      expect({ code, out }).toEqual({ code: 4, out: '' })
      expect(err.match(/Login failed/g)).toHaveLength(3)
      expect(existsSync(join(home, '.config'))).toBe(false)
    })
    test('a wrong password on standard input is not asked for again', async () => {
      const { login } = await served()
      const { err } = await login([], 'wrong')
      expect(err).not.toContain('attempt')
    })
  })

  describe('of guests', () => {
    test('a session that has ended is to be had again by the guest id, not by an address', async () => {
      let now = new Date('2026-03-01T12:00:00Z')
      const { run, vatom, baseUrl, service } = await served(() => now)
      const place = ['--context', 'g', '--base-url', baseUrl, '--app-id', service.appId]
      await run(['login', ...place, '--guest'])
      now = new Date('2026-05-01T12:00:00Z')
      expect(await vatom('inventory')).toMatchObject({
        code: 4,
        err: expect.stringContaining(
          'hint: if you have kept the guest id, sign in with it: vatom login --context g --guest-id-stdin; if the guest has become a user, with an address: vatom login --context g --email ADDRESS; or as a new guest, who owns nothing: vatom login --context g --guest\n',
        ),
      })
    })

    test('the publisher that their context has stays, unless it is no domain name', async () => {
      const { run, home, baseUrl, service } = await served()
      const place = ['--context', 'g', '--base-url', baseUrl, '--app-id', service.appId]
      await run(['login', ...place, '--guest'])
      const file = join(home, '.config/vatom/config.json')
      for (const [publisher, kept] of [
        ['acme.example', 'acme.example'],
        ['Evil $(x)', undefined],
      ]) {
        const config = JSON.parse(readFileSync(file, 'utf8'))
        config.contexts.g.publisher = publisher
        writeFileSync(file, JSON.stringify(config))
        expect(await run(['login', '--context', 'g', '--guest', '--yes'])).toMatchObject({ code: 0 })
        expect(JSON.parse(readFileSync(file, 'utf8')).contexts.g.publisher).toBe(kept)
      }
    })

    /** A guest in the context `g`, and what makes them a user. */
    async function guest() {
      let now = new Date('2026-03-01T12:00:00Z')
      const desk = await served(() => now)
      const { run, json, baseUrl, service } = desk
      await run(['login', '--context', 'g', '--base-url', baseUrl, '--app-id', service.appId, '--guest'])
      await json('user', 'token', 'add', 'ann@example.com')
      const setPassword = (...more: string[]) =>
        run(['profile', 'set', '--password-stdin', ...more], { stdin: 'a-long-password\n' })
      const verify = async () => {
        const sent = await json('api', 'GET', '__vatom/outbox')
        const code = String(at(sent, 'payload', 0, 'code') ?? at(sent, 0, 'code'))
        await json('user', 'token', 'verify', 'ann@example.com', '--code', code)
      }
      const later = () => {
        now = new Date('2026-05-01T12:00:00Z')
      }
      return { ...desk, setPassword, verify, later }
    }

    test.each([
      ['verify', 'setPassword'],
      ['setPassword', 'verify'],
    ] as const)('one who becomes a user is none: %s, then %s', async (...order) => {
      const { vatom, later, ...steps } = await guest()
      for (const step of order) await steps[step]()
      later()
      const { code, err } = await vatom('inventory')
      expect({ code, err }).toEqual({
        code: 4,
        err: expect.stringContaining('hint: sign in: vatom login --context g\n'),
      })
    })

    test.each([['logout'], ['context', 'remove', 'g']])(
      '%s of one who became a user elsewhere asks nothing',
      async (...words) => {
        const { vatom, json, verify, baseUrl, service } = await guest()
        await verify()
        const authorization = `Bearer ${at(await json('auth', 'token'), 'access_token')}`
        const body = JSON.stringify({ password: 'a-long-password' })
        const headers = { 'app-id': service.appId, authorization, 'content-type': 'application/json' }
        expect(await fetch(`${baseUrl}/v1/user`, { method: 'PATCH', headers, body })).toMatchObject({ status: 200 })
        expect(await vatom(...words)).toMatchObject({ code: 0, err: expect.not.stringContaining('guest') })
      },
    )

    test('logout of one who has an address, and no password yet, still asks', async () => {
      const { vatom } = await guest()
      expect(await vatom('logout')).toMatchObject({ code: 2, err: expect.stringContaining('signed in as a guest') })
    })

    test('--guest signs in as a new guest, and --guest-id-stdin as the same guest again', async () => {
      const { run, vatom, json, baseUrl, service } = await served()
      const place = ['login', '--base-url', baseUrl, '--app-id', service.appId]
      const { code, out, err } = await run([...place, '--guest'])
      expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining(' as a guest. ') })
      expect(err).toContain('vatom profile get')
      const guest = await json('whoami')
      expect((await vatom('whoami')).out).toContain(`a guest ${at(guest, 'id')}`)
      const guestId = String(at(guest, 'properties', 'guest_id'))
      expect(`${out}${err}`).not.toContain(guestId)
      await json('logout', '--yes')
      expect(await run([...place, '--guest-id-stdin'], { stdin: `${guestId}\n` })).toMatchObject({ code: 0 })
      expect(at(await json('whoami'), 'id')).toBe(at(guest, 'id'))
    })
    test.each([
      [['--guest', '--email', 'a@b.c'], '--email and --guest exclude each other'],
      [['--guest', '--password-stdin'], '--guest and --password-stdin exclude each other'],
      [['--email', 'a@b.c', '--phone', '+41791234567'], '--email and --phone exclude each other'],
      [['--refresh-token-stdin', '--email', 'a@b.c'], '--email and --refresh-token-stdin exclude each other'],
      [['--refresh-token-stdin', '--password-stdin'], '--refresh-token-stdin and --password-stdin exclude each other'],
    ])('%j is one way too many', async (flags, message) => {
      const { vatom, baseUrl } = await served()
      const { code, err } = await vatom('login', '--base-url', baseUrl, '--app-id', 'local', ...flags)
      expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(message) })
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

test('onto a context with the session of another user says that it is replaced, and of the same user nothing', async () => {
  const { login, run, baseUrl, service } = await served()
  const words = ['--context', 'staging']
  await login(words)
  expect((await login(words)).err).not.toContain('warning')
  const place = ['--base-url', baseUrl, '--app-id', service.appId]
  const guest = await run(['login', ...words, ...place, '--guest'])
  expect(guest).toMatchObject({ code: 0 })
  expect(guest.err).toMatch(/^warning: the session that staging had belongs to another user: .* --context NAME$/m)
})

test('onto a context whose session the service has refused says nothing of that', async () => {
  const { login, run, home } = await served()
  const words = ['--context', 'staging']
  await login(words)
  const path = join(home, '.config/vatom/credentials.json')
  const saved = JSON.parse(readFileSync(path, 'utf8'))
  const [head = '', payload = '', sign = ''] = saved.staging.refresh_token.split('.')
  const other = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), user_id: 'another' }
  const refresh_token = [head, Buffer.from(JSON.stringify(other)).toString('base64url'), sign].join('.')
  writeFileSync(path, JSON.stringify({ staging: { refresh_token } }))
  expect(await run(['inventory'])).toMatchObject({ code: 4 })
  expect((await login(words)).err).not.toContain('warning')
})

test('onto a context with the session of a guest wants --yes where nobody can be asked', async () => {
  const { run, vatom, baseUrl, service } = await served()
  const guest = ['login', '--context', 'visitor', '--base-url', baseUrl, '--app-id', service.appId, '--guest']
  await run(guest)
  const before = (await vatom('whoami')).out
  const refused = await run(guest)
  expect(refused).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringMatching(/nobody can sign in as them again[\s\S]*--yes/),
  })
  expect((await vatom('whoami')).out).toBe(before)
  expect(await run([...guest, '--yes'])).toMatchObject({ code: 0 })
  expect((await vatom('whoami')).out).not.toBe(before)
})

test.each([
  ['127.0.0.1:25410', 'did you mean http://127.0.0.1:25410?'],
  ['localhost:4100', 'did you mean http://localhost:4100?'],
  ['api.example.com', 'did you mean https://api.example.com?'],
  ['ftp://api.example.com', 'for example https://api.example.com'],
  ['nonsense', 'for example https://api.example.com'],
])('the address %s is refused, with a whole one', async (address, hint) => {
  const { vatom } = await publisher()
  expect(await vatom('login', '--base-url', address, '--app-id', 'x', '--guest')).toMatchObject({
    code: 2,
    err: expect.stringContaining(`hint: ${hint}\n`),
  })
})
