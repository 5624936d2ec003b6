import { describe, expect, test } from 'vitest'
import { at } from '../../../../src/contract/schema/path.ts'
import { served, transports, watchedDesk } from '../../../support/desks.ts'
import { codeFor } from '../../../support/service.ts'
import { publisher } from '../../../support/vatom.ts'

const register = 'POST /v1/users'

describe.each(transports)('on the %s transport', (transport) => {
  test('user register makes a user with tokens, names and a password, and shows no token of the new session', async () => {
    const { run, json, service, changes } = await watchedDesk(transport)
    const { code, out, err } = await run(
      [
        'user',
        'register',
        '--email',
        'Ann@Example.com',
        '--phone',
        '+41 79 123 45 67',
        '--first-name',
        'Ann',
        '--password-stdin',
      ],
      { stdin: 'hush-hush\n' },
    )
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(/^Registered ann@example\.com, \+41791234567 on \S.*: [\da-f-]{36}\n$/),
    })
    expect(`${out}${err}`).not.toMatch(/hush|eyJ/)
    expect(err).toContain('no message leaves this machine')
    expect(changes()).toEqual([register])
    expect(await codeFor(service, '+41791234567')).toMatch(/^\d+$/)
    const body = JSON.stringify({ token: 'ann@example.com', token_type: 'email', auth_data: { password: 'hush-hush' } })
    const headers = { 'app-id': service.appId }
    const login = await service.inject({ method: 'POST', path: '/v1/user/login', headers, body })
    expect(login.status).toBe(200)
    const { id } = JSON.parse(login.body).payload.user
    expect(await json('user', 'get', id)).toMatchObject({ id, properties: { first_name: 'Ann' } })
    expect((await run(['user', 'get', id])).out).toContain('first_name: Ann\n')
  })

  test('user register says how a user without a password signs in', async () => {
    const { run, vatom } = await publisher({ transport })
    const pin = /^To sign in, the user needs a one-time pin: vatom user reset-password ann@example\.com/m
    expect((await vatom('user', 'register', '--email', 'ann@example.com')).err).toMatch(pin)
    const others = [
      await run(['user', 'register', '--email', 'bob@example.com', '--password-stdin'], { stdin: 'hush-hush' }),
      await vatom('user', 'register', '--email', 'cy@example.com', '--guest'),
      await vatom('user', 'register', '--guest'),
    ]
    for (const { code, err } of others) {
      expect(code).toBe(0)
      expect(err).not.toContain('one-time pin')
    }
  })

  test('user register --guest prints the guest id, and --json the user without tokens', async () => {
    const { vatom, json } = await publisher({ transport })
    expect(await vatom('user', 'register', '--guest')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Registered a guest on .*\nguest id: [\da-f-]{36}\n$/),
    })
    const user = await json('user', 'register', '--guest', '--email', 'cy@example.com')
    expect(user).toMatchObject({
      id: expect.any(String),
      properties: { guest_id: expect.stringMatching(/^[\da-f-]{36}$/) },
    })
    expect(JSON.stringify(user)).not.toMatch(/access_token|refresh_token/)
  })

  test.each([
    [['--email', 'ann'], 2, 'ann is not an e-mail address'],
    [['--phone', '0791234567x'], 2, 'is not a phone number with its country code'],
    [['--guest', '--language', 'zz'], 2, '--language: must be a two-letter language code'],
    [[], 2, '--email, --phone or --guest'],
  ])('user register %j is refused before anything is sent', async (flags, code, message) => {
    const { vatom, changes } = await watchedDesk(transport)
    expect(await vatom('user', 'register', ...flags)).toMatchObject({
      code,
      out: '',
      err: expect.stringContaining(message),
    })
    expect(changes()).toEqual([])
  })

  test('user register says of an address that has a user already how to get in', async () => {
    const { vatom } = await publisher({ transport })
    expect(await vatom('user', 'register', '--email', 'publisher@local.vatom')).toMatchObject({
      code: 1,
      err: expect.stringContaining('vatom user reset-password'),
    })
  })

  test('user reset-password sends a pin to an address, a number or the default token of an id', async () => {
    const { vatom, json, service, changes } = await watchedDesk(transport)
    const { id: ann } = (await json('user', 'register', '--email', 'ann@example.com')) as { id: string }
    const { id } = (await json('profile', 'get')) as { id: string }
    changes()
    for (const [user, address, path] of [
      ['Ann@Example.com', 'ann@example.com', '/v1/user/reset_token'],
      [id, 'publisher@local.vatom', `/v1/users/${id}/reset_token`],
    ] as const) {
      const before = await codeFor(service, address)
      const { code, out, err } = await vatom('user', 'reset-password', user, '--yes')
      expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining(`Sent a one-time pin to ${user} on `) })
      expect(out).toContain('a password stays valid until the pin is used in its place')
      expect(out).not.toContain('Removed')
      expect(err).toMatch(
        user === id
          ? /: vatom login --context user --base-url \S+ --app-id \w+$/m
          : /: vatom login .* --email Ann@Example\.com --base-url \S+ --app-id \w+$/m,
      )
      expect(err).toContain('no message leaves this machine')
      expect(changes()).toEqual([`POST ${path}`])
      expect(await codeFor(service, address)).not.toBe(before)
    }
    expect(await vatom('user', 'reset-password', ann, '--yes')).toMatchObject({
      code: 4,
      err: expect.stringContaining('hint: give the e-mail address or the phone number instead of the id'),
    })
    expect(await vatom('user', 'reset-password', 'nobody@example.com', '--yes')).toMatchObject({
      code: 4,
      err: expect.stringMatching(/hint: check the e-mail address or phone number\n/),
    })
    expect(await vatom('user', 'reset-password', 'ann', '--yes')).toMatchObject({
      code: 2,
      err: expect.stringContaining('ann is neither an e-mail address nor a phone number'),
    })
  })

  test('user reset-password asks nobody in a pipeline: it wants --yes', async () => {
    const { vatom, changes } = await watchedDesk(transport)
    expect(await vatom('user', 'reset-password', 'publisher@local.vatom')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--yes'),
    })
    expect(changes()).toEqual([])
  })

  test('user delete refuses to delete the publisher that the service needs, before it asks for the name', async () => {
    const { vatom } = await publisher({ transport })
    for (const flags of [[], ['--confirm', 'publisher@local.vatom']]) {
      const { code, out, err } = await vatom('user', 'delete', ...flags)
      expect({ code, out, err }).toEqual({ code: 1, out: '', err: expect.stringContaining('needs it') })
      expect(err).not.toMatch(/--confirm|warning/)
      expect(err).toContain('hint: to delete another user, sign in as that user: vatom login')
    }
  })
})

describe('user delete', () => {
  /** A machine that is signed in as a guest with an address. */
  async function visitor() {
    const desk = await served()
    const { run, json, baseUrl, service } = desk
    await run(['login', '--context', 'visitor', '--base-url', baseUrl, '--app-id', service.appId, '--guest'])
    await json('user', 'token', 'add', 'ann@example.com')
    return desk
  }
  test('wants the name of the user, which no hint gives', async () => {
    const { json, vatom } = await visitor()
    const { code, err } = await vatom('user', 'delete')
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('give it with --confirm USER') })
    expect(err).not.toContain('ann@example.com')
    expect(await vatom('user', 'delete', '--confirm', 'bob@example.com')).toMatchObject({
      code: 2,
      err: expect.stringContaining('nothing was deleted'),
    })
    expect(await json('whoami')).toMatchObject({ id: expect.any(String) })
  })
  test('deletes the user after the name was typed, and the tokens that were stored', async () => {
    const { run, vatom, json } = await visitor()
    const wrong = { 'To delete the user, type ann@example.com': 'me' }
    expect(await run(['user', 'delete'], { tty: true, answers: wrong })).toMatchObject({ code: 2 })
    const answers = { 'To delete the user, type ann@example.com': 'ann@example.com' }
    const { code, out, err } = await run(['user', 'delete'], { tty: true, answers })
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringContaining('Deleted the user ann@example.com on visitor'),
    })
    expect(err).toContain('cannot be undone')
    expect(await vatom('whoami')).toMatchObject({ code: 4 })
    expect(await json('context', 'list')).toMatchObject([{}, { name: 'visitor', signed_in: false }])
  })
  test('says nothing of addresses that are not verified to who has none', async () => {
    const { vatom, json, service } = await visitor()
    await json('user', 'token', 'verify', 'ann@example.com', '--code', await codeFor(service, 'ann@example.com'))
    expect((await vatom('user', 'delete', '--dry-run')).err).toContain('trashes their 0 vAtoms, and cannot be undone\n')
  })
  test('takes the id for confirmation, and deletes nobody in a dry run', async () => {
    const { json, vatom } = await visitor()
    const id = String(at(await json('whoami'), 'id'))
    expect(await vatom('user', 'delete', '--dry-run')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Would delete the user ann@example\.com on visitor /),
      err: expect.stringContaining(
        'trashes their vAtoms (0 in all), but for those sent to ann@example.com, which is not verified, and cannot',
      ),
    })
    expect(await json('whoami')).toMatchObject({ id })
    expect(await json('user', 'delete', '--confirm', id)).toEqual({
      deleted: id,
      message: 'User deleted, with 2 user tokens and 1 session; 0 vAtoms trashed.',
    })
    expect(await vatom('whoami')).toMatchObject({ code: 4 })
  })
})

describe('user register on a terminal', () => {
  test('asks for an address and twice for a password, and again where the two differ', async () => {
    const { run, service } = await publisher()
    const answers = {
      'E-mail address or phone number of the user': 'ann@example.com',
      "The user's password, empty for none": 'one-password',
      'The password again': 'one-password',
    }
    const { code, err } = await run(['user', 'register'], { tty: true, answers })
    expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining('one-password') })
    const body = JSON.stringify({
      token: 'ann@example.com',
      token_type: 'email',
      auth_data: { password: 'one-password' },
    })
    const headers = { 'app-id': service.appId }
    expect(await service.inject({ method: 'POST', path: '/v1/user/login', headers, body })).toMatchObject({
      status: 200,
    })
  })
})

test.each(['user register', 'user token verify ann@example.com'])(
  '%s asks nothing on a terminal before the service is known',
  async (words) => {
    const { run } = await publisher()
    const env = { VATOM_BASE_URL: 'http://127.0.0.1:9' }
    expect(await run(words.split(' '), { tty: true, env })).toMatchObject({
      code: 2,
      err: expect.stringContaining('VATOM_APP_ID'),
    })
  },
)

test('user get takes the beginning of the id of who is signed in, or wrote', async () => {
  const { json, vatom } = await publisher()
  const { id } = Object(await json('whoami'))
  expect(await json('user', 'get', String(id).slice(0, 8).toUpperCase())).toMatchObject({ id })
  expect(await vatom('user', 'get', 'abcdabcd')).toMatchObject({ code: 1 })
})

test.each([['user get'], ['thread show'], ['thread send']])(
  '%s of an address says that others are found by their id only, and sends nothing',
  async (words) => {
    const { vatom } = await publisher()
    for (const given of ['friend@example.com', '+41791234567']) {
      const { code, out, err } = await vatom(...words.split(' '), given, ...(words === 'thread send' ? ['hello'] : []))
      expect({ code, out, err }).toEqual({
        code: 2,
        out: '',
        err: expect.stringContaining(`${given} is not the id of a user`),
      })
      expect(err).toContain('vatom thread list')
      expect(err).not.toContain('whoami')
    }
  },
)

test('the hint for a code on the local context names a command that prints it while vatom serve runs', async () => {
  const { vatom, service } = await publisher()
  const { err } = await vatom('user', 'token', 'add', 'ann@example.com')
  const [, command = ''] = /in another terminal: vatom (.*)\n/.exec(err) ?? []
  const { baseUrl } = await service.listen({ host: '127.0.0.1', port: 0 })
  const words = command.replace(/http:\S+/, baseUrl).replace('--app-id local', `--app-id ${service.appId}`)
  const { code, out } = await vatom(...words.split(' '))
  expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/"to":"ann@example\.com".*"code":"\d{6}"/) })
})
