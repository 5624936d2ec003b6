import { expect, test } from 'vitest'
import { placeOf } from '../../../src/server/store/places.ts'
import { codeFor, overHttp, registration, testService } from '../../support/service.ts'

const password = 'vatom-local'
const loginOf = (token: string, secret = password, token_type = 'email') => ({
  body: { token, token_type, auth_data: { password: secret } },
})
const publisherLogin = loginOf('publisher@local.vatom')

test('§5 login answers a session as clients read it', async () => {
  const { send } = await testService()
  const { status, payload } = await send('POST', '/v1/user/login', publisherLogin)
  expect(status).toBe(200)
  expect(payload).toMatchObject({
    user: { system_properties: { pub_fqdn: 'local.vatom' } },
    asset_provider: [{ name: 'local', uri: 'http://127.0.0.1:4100', descriptor: {} }],
    access_token: { token_type: 'Bearer', expires_in: 5 },
    refresh_token: { token_type: 'Bearer', expires_in: 43_200 },
  })
})

test('a login tells the time of the last one', async () => {
  const { send, advance } = await testService()
  advance(3600)
  const { payload } = await send('POST', '/v1/user/login', publisherLogin)
  expect(payload.user.system_properties.last_login).toBe('2027-03-01T13:00:00Z')
})

test('§4.3 Authentication with a refresh token gives an access token as a string, with or without Bearer', async () => {
  const { service, send } = await testService()
  const { refresh_token } = await service.localSession()
  for (const authentication of [refresh_token, `Bearer ${refresh_token}`]) {
    const { status, payload } = await send('POST', '/v1/access_token', {
      headers: { authentication, 'content-type': 'application/json' },
    })
    expect(status).toBe(200)
    expect(payload.access_token).toEqual(expect.any(String))
    const authorization = `Bearer ${payload.access_token}`
    expect(await send('GET', '/v1/user', { headers: { authorization } })).toMatchObject({ status: 200 })
  }
})

test('a refresh token in Authorization gives an access token as an object, as clients expect', async () => {
  const { service, send } = await testService()
  const { refresh_token } = await service.localSession()
  const { payload } = await send('POST', '/v1/access_token', { headers: { authorization: `Bearer ${refresh_token}` } })
  expect(payload.access_token).toEqual({ token: expect.any(String), token_type: 'Bearer', expires_in: 5 })
})

test('where both headers are there, Authentication decides', async () => {
  const { service, send } = await testService()
  const { refresh_token } = await service.localSession()
  const both = (authentication: string, authorization: string) =>
    send('POST', '/v1/access_token', { headers: { authentication, authorization } })
  expect((await both(refresh_token, 'Bearer x')).payload.access_token).toEqual(expect.any(String))
  expect(await both('x', `Bearer ${refresh_token}`)).toMatchObject({ status: 403 })
})

test('§4.3, §5 an invalid refresh token gives 403', async () => {
  const { send, publisher } = await testService()
  for (const authentication of ['', 'x', 'Bearer', publisher.token])
    expect(await send('POST', '/v1/access_token', { headers: { authentication } })).toMatchObject({
      status: 403,
      body: { error: 2049, message: 'Invalid refresh token' },
    })
  expect(await send('POST', '/v1/access_token')).toMatchObject({ status: 403, body: { error: 2049 } })
})

test('a refresh token ends after 30 days', async () => {
  const { send, advance } = await testService()
  const { refresh_token } = (await send('POST', '/v1/user/login', publisherLogin)).payload
  const renew = () => send('POST', '/v1/access_token', { headers: { authentication: refresh_token.token } })
  advance(30 * 86_400 - 1)
  expect(await renew()).toMatchObject({ status: 200 })
  advance(1)
  expect(await renew()).toMatchObject({ status: 403 })
})

test('logout ends the tokens of its session and of no other', async () => {
  const { service, send } = await testService()
  const [mine, other] = [await service.localSession(), await service.localSession()]
  const headers = { authorization: `Bearer ${mine.access_token}` }
  expect(await send('POST', '/v1/user/logout', { headers, body: {} })).toMatchObject({ status: 200 })
  expect(await send('GET', '/v1/user', { headers })).toMatchObject({ status: 403 })
  const renew = (token: string) => send('POST', '/v1/access_token', { headers: { authentication: token } })
  expect(await renew(mine.refresh_token)).toMatchObject({ status: 403 })
  expect(await renew(other.refresh_token)).toMatchObject({ status: 200 })
})

test('a session that was signed out of stays ended when the clock is set back', async () => {
  const { advance, register } = await testService()
  const bob = await register('bob@example.com')
  advance(120)
  expect(await bob.call('POST', '/v1/user/logout')).toMatchObject({ status: 200 })
  advance(-120)
  for (const method of ['GET', 'PATCH'])
    expect(await bob.call(method, '/v1/user', { body: {} })).toMatchObject({ status: 403, body: { error: 401 } })
})

test("logout of the process's own session refuses its tokens too", async () => {
  const { service, publisher, send } = await testService()
  await publisher.call('POST', '/v1/user/logout')
  expect(await publisher.call('GET', '/v1/user')).toMatchObject({ status: 403 })
  const authorization = `Bearer ${service.localToken()}`
  expect(await send('GET', '/v1/user', { headers: { authorization } })).toMatchObject({ status: 200 })
})

test('an unknown user and a wrong password have different errors, as documented', async () => {
  const { send } = await testService()
  expect(await send('POST', '/v1/user/login', loginOf('nobody@local.vatom'))).toMatchObject({
    status: 403,
    body: { error: 2030 },
  })
  expect(await send('POST', '/v1/user/login', loginOf('publisher@local.vatom', 'wrong'))).toMatchObject({
    status: 403,
    body: { error: 2032 },
  })
})

test('repeated failures lock the account until the time in the message', async () => {
  const { send, advance } = await testService()
  const wrong = () => send('POST', '/v1/user/login', loginOf('publisher@local.vatom', 'wrong'))
  for (let attempt = 0; attempt < 5; attempt++) expect(await wrong()).toMatchObject({ body: { error: 2032 } })
  const locked = await send('POST', '/v1/user/login', publisherLogin)
  expect(locked).toMatchObject({ status: 403, body: { error: 2051 } })
  expect(locked.body.message).toContain('2027-03-01T12:05:00Z')
  advance(300)
  expect(await send('POST', '/v1/user/login', publisherLogin)).toMatchObject({ status: 200 })
})

test('a lock of a clock that was a year ahead ends once it is right', async () => {
  const { send, advance, register } = await testService()
  await register('ann@example.com')
  const year = 365 * 86_400
  const emails = ['ann@example.com', 'publisher@local.vatom']
  advance(year)
  for (const email of emails) {
    for (let attempt = 0; attempt < 5; attempt++) await send('POST', '/v1/user/login', loginOf(email, 'wrong'))
    expect(await send('POST', '/v1/user/login', loginOf(email, 'secret'))).toMatchObject({ body: { error: 2051 } })
  }
  advance(-year)
  expect(await send('POST', '/v1/user/login', loginOf('ann@example.com', 'secret'))).toMatchObject({ status: 200 })
  expect(await send('POST', '/v1/user/login', publisherLogin)).toMatchObject({ status: 200 })
})

test('a limited number of logins of an account wait for each other; others are refused as busy', async () => {
  const { send } = await testService()
  const answers = await Promise.all(Array.from({ length: 100 }, () => send('POST', '/v1/user/login', publisherLogin)))
  const busy = answers.filter(({ status }) => status === 503)
  expect(busy.map(({ body }) => body.error)).toEqual(Array(100 - 5 - 64).fill(9016))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5 + 64)
})

/** Registers many users at once, and answers how many of them are refused as busy. */
const flood = async (send: Awaited<ReturnType<typeof testService>>['send'], count: number) => {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, n) => send('POST', '/v1/users', { body: registration(`user${n}@example.com`) })),
  )
  return answers.filter(({ status }) => status === 503).length
}

test('a flood of registrations is refused, and no login with it', async () => {
  const { send, register } = await testService()
  await register('bob@example.com')
  const refused = flood(send, 200)
  const logins = [loginOf('bob@example.com', 'secret'), publisherLogin].map((login) =>
    send('POST', '/v1/user/login', login),
  )
  expect((await Promise.all(logins)).map(({ status }) => status)).toEqual([200, 200])
  expect(await refused).toBe(200 - 2 - 64)
})

test('a flood of logins of others does not refuse a login of the publisher', async () => {
  const { send } = await testService()
  await flood(send, 40)
  const others = Array.from({ length: 200 }, (_, n) =>
    send('POST', '/v1/user/login', loginOf(`user${n % 40}@example.com`, 'secret')),
  )
  expect(await send('POST', '/v1/user/login', publisherLogin)).toMatchObject({ status: 200 })
  expect((await Promise.all(others)).filter(({ status }) => status === 503).length).toBeGreaterThan(0)
})

test('failures from one machine lock the publisher out for that machine alone, and others for all', async () => {
  const { service, register } = await testService({ password: 'of-my-own' })
  await register('bob@example.com')
  const { port } = await service.listen({ host: '127.0.0.1', port: 0 })
  const login = async (address: string, { body }: ReturnType<typeof loginOf>) => {
    const path = '/v1/user/login'
    const sent = { method: 'POST', path, headers: { 'app-id': 'local' }, body: JSON.stringify(body) }
    return JSON.parse((await overHttp(port, sent, address)).body).error
  }
  const outcomes = async (token: string, right: string) => {
    for (let n = 0; n < 5; n++) await login('127.0.0.2', loginOf(token, 'wrong'))
    return [await login('127.0.0.2', loginOf(token, right)), await login('127.0.0.3', loginOf(token, right))]
  }
  expect(await outcomes('publisher@local.vatom', 'of-my-own')).toEqual([2051, undefined])
  expect(await outcomes('bob@example.com', 'secret')).toEqual([2051, 2051])
})

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:192.0.2.7', '192.0.2.7'],
  ['[::ffff:192.0.2.7]:80', '192.0.2.7'],
  ['::ffff:c000:207', '192.0.2.7'],
  ['0:0:0:0:0:ffff:c000:0207', '192.0.2.7'],
  ['::192.0.2.7', '0:0:0:0'],
  ['64:ff9b::192.0.2.7', '64:ff9b:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['_hidden:80', '_hidden'],
  ['_a:b:c', '_a:b:c'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:0'],
  ['2001:db8:1:ff::', '2001:db8:1:0'],
  ['2001:db8:1:1ab::', '2001:db8:1:100'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['2001:db8:1:2::', '2001:db8:1:0'],
  ['1::2345:3:4:5:6', '1:0:0:2300'],
  ['2001:DB8:1:1AB::', '2001:db8:1:100'],
  ['2001:0db8:0001:01ab::1', '2001:db8:1:100'],
  ['[2001:db8:1:1ab::1]:4711', '2001:db8:1:100'],
  ['[::1]', '0:0:0:0'],
  ['192.0.2.7:4711', '192.0.2.7'],
])('the machine of %s is counted as %s', (address, place) => {
  expect(placeOf(address)).toBe(place)
})

test('guesses made at once count too', async () => {
  const { send } = await testService()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => send('POST', '/v1/user/login', loginOf('publisher@local.vatom', 'wrong'))),
  )
  expect(answers.filter(({ body }) => body.error === 2032)).toHaveLength(5)
})

test.each([0, 4])('right passwords at once all sign in, after %d failures too', async (failures) => {
  const { send } = await testService()
  for (let attempt = 0; attempt < failures; attempt++)
    await send('POST', '/v1/user/login', loginOf('publisher@local.vatom', 'wrong'))
  const answers = await Promise.all(Array.from({ length: 24 }, () => send('POST', '/v1/user/login', publisherLogin)))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
})

test('wrong passwords among right ones lock only when five in a row are wrong', async () => {
  const { send } = await testService()
  const secrets = Array.from({ length: 24 }, (_, index) => (index % 3 === 0 ? password : 'wrong'))
  const answers = await Promise.all(
    secrets.map((secret) => send('POST', '/v1/user/login', loginOf('publisher@local.vatom', secret))),
  )
  expect(answers.map(({ status }) => status)).toEqual(secrets.map((secret) => (secret === password ? 200 : 403)))
})

test('a login that succeeds forgets the failures before it', async () => {
  const { send } = await testService()
  for (let round = 0; round < 3; round++) {
    for (let attempt = 0; attempt < 4; attempt++)
      await send('POST', '/v1/user/login', loginOf('publisher@local.vatom', 'wrong'))
    expect(await send('POST', '/v1/user/login', publisherLogin)).toMatchObject({ status: 200 })
  }
})

test('a changed password is the one that counts, for the seeded publisher too', async () => {
  const { send, publisher } = await testService()
  await publisher.call('PATCH', '/v1/user', { body: { password: 'another' } })
  expect(await send('POST', '/v1/user/login', publisherLogin)).toMatchObject({ status: 403 })
  expect(await send('POST', '/v1/user/login', loginOf('publisher@local.vatom', 'another'))).toMatchObject({
    status: 200,
  })
})

test('a registered user is signed in, no publisher and not activated', async () => {
  const { send } = await testService()
  const { status, payload } = await send('POST', '/v1/users', {
    body: { ...registration('Bob@Example.COM'), first_name: 'Bob', birthday: '', language: '', last_name: '' },
  })
  expect(status).toBe(200)
  expect(payload.user).toMatchObject({
    properties: { first_name: 'Bob', is_password_set: true },
    system_properties: { is_admin: false, activated: false, pub_fqdn: '' },
  })
  expect(await send('POST', '/v1/user/login', loginOf('bob@example.com', 'secret'))).toMatchObject({ status: 200 })
})

test('a user without a password cannot sign in by one', async () => {
  const { send } = await testService()
  await send('POST', '/v1/users', { body: { ...registration('bob@example.com'), password: '' } })
  for (const secret of ['', password, 'secret'])
    expect(await send('POST', '/v1/user/login', loginOf('bob@example.com', secret))).toMatchObject({
      body: { error: 2032 },
    })
})

test('an OAuth login is named as what is not supported, with or without a token', async () => {
  const { send, publisher } = await testService()
  const google = { token_type: 'google', auth_data: { oauth_token: 'x' } }
  const [all, own] = ['email, phone_number, guest_id', 'email, phone_number']
  for (const [path, body, types] of [
    ['/v1/user/login', google, all],
    ['/v1/user/login', { ...google, token: 'ann' }, all],
    ['/v1/users', { user_tokens: [google] }, all],
    ['/v1/user/tokens', { token_type: 'google', auth_data: { code: 'x' } }, own],
  ] as const) {
    const answer = await (path === '/v1/user/tokens' ? publisher.call : send)('POST', path, { body })
    const message = `the token type google is not supported here: it must be one of ${types}, and there are no OAuth logins`
    const field = path === '/v1/users' ? 'user_tokens[0].token_type' : 'token_type'
    expect(answer).toMatchObject({ status: 400, body: { error: 2569, message, issues: [{ path: field, message }] } })
  }
})

test('a token that is supported is required', async () => {
  const { send, publisher } = await testService()
  const password = { token_type: 'email', auth_data: { password: 'x' } }
  for (const [path, body, field] of [
    ['/v1/user/login', password, 'token'],
    ['/v1/users', { user_tokens: [{ token_type: 'email' }] }, 'user_tokens[0].token'],
    ['/v1/user/tokens', { token_type: 'email' }, 'token'],
    ['/v1/user/reset_token', { token_type: 'email' }, 'token'],
  ] as const) {
    const answer = await (path === '/v1/user/tokens' ? publisher.call : send)('POST', path, { body })
    expect(answer).toMatchObject({ status: 400, body: { error: 516, issues: [{ path: field }] } })
    expect(answer.body.message).toBe(`${field} is required`)
  }
})

test('an empty password after a reset signs nobody in, and the pin still does', async () => {
  const { send, register, service } = await testService()
  await register('ann@example.com')
  await send('POST', '/v1/user/reset_token', { body: { token: 'ann@example.com', token_type: 'email' } })
  const { status, body, payload } = await send('POST', '/v1/user/login', loginOf('ann@example.com', ''))
  expect({ status, error: body.error, payload }).toEqual({ status: 403, error: 2032, payload: undefined })
  const pin = await codeFor(service, 'ann@example.com')
  expect(await send('POST', '/v1/user/login', loginOf('ann@example.com', pin))).toMatchObject({ status: 200 })
})

test('a pin opens a locked account for the next password, too, that of the seeded publisher as well', async () => {
  const { send, register, service } = await testService()
  await register('ann@example.com')
  for (const [token, right] of [
    ['ann@example.com', 'secret'],
    ['publisher@local.vatom', password],
  ] as const) {
    const login = (secret: string) => send('POST', '/v1/user/login', loginOf(token, secret))
    for (let n = 0; n < 5; n++) await login('wrong')
    expect(await login(right)).toMatchObject({ body: { error: 2051 } })
    await send('POST', '/v1/user/reset_token', { body: { token, token_type: 'email' } })
    const { payload } = await login(await codeFor(service, token))
    const headers = { authorization: `Bearer ${payload.access_token.token}` }
    expect(await send('PATCH', '/v1/user', { headers, body: { password: 'of-my-own' } })).toMatchObject({ status: 200 })
    expect(await login('of-my-own')).toMatchObject({ status: 200 })
  }
})

test('phone numbers differ by their digits alone', async () => {
  const { send } = await testService()
  const tokens = (token: string) => ({
    body: { password: 'secret', user_tokens: [{ token, token_type: 'phone_number' }] },
  })
  expect(await send('POST', '/v1/users', tokens('+41 (79) 123-45.67'))).toMatchObject({ status: 200 })
  expect(await send('POST', '/v1/users', tokens('0041791234567'))).toMatchObject({ status: 409, body: { error: 521 } })
  expect(await send('POST', '/v1/user/login', loginOf('41791234567', 'secret', 'phone_number'))).toMatchObject({
    status: 200,
  })
})

test('a token that is taken is refused and registers nobody', async () => {
  const { send } = await testService()
  const tokens = ['ann@example.com', 'publisher@local.vatom'].map((token) => ({ token, token_type: 'email' }))
  expect(await send('POST', '/v1/users', { body: { password: 'x', user_tokens: tokens } })).toMatchObject({
    status: 409,
    body: { error: 521 },
  })
  expect(await send('POST', '/v1/user/login', loginOf('ann@example.com', 'x'))).toMatchObject({ body: { error: 2030 } })
})

test.each([
  ['email', 'no address', 2571],
  ['email', '@x', 2571],
  ['phone_number', 'call me', 2572],
  ['phone_number', '12', 2572],
  ['carrier_pigeon', 'x', 2569],
])('a %s %j is refused with code %d', async (token_type, token, error) => {
  const { send } = await testService()
  const body = { password: 'x', user_tokens: [{ token, token_type }] }
  expect(await send('POST', '/v1/users', { body })).toMatchObject({ status: 400, body: { error } })
})

test('§8 text that is not well-formed is refused, so that no two passwords are one', async () => {
  const { send, publisher } = await testService()
  const body = (password: string) => ({ ...registration('bob@example.com'), password })
  expect(await send('POST', '/v1/users', { body: body('\u{1f4a5}') })).toMatchObject({ status: 200 })
  for (const half of ['\ud800', '\udfff', 'x\udc00y']) {
    const refused = { status: 400, body: { issues: [{ path: 'password' }] } }
    expect(await send('POST', '/v1/users', { body: body(half) })).toMatchObject(refused)
    expect(await publisher.call('PATCH', '/v1/user', { body: { password: half } })).toMatchObject(refused)
    expect(await send('POST', '/v1/user/login', loginOf('bob@example.com', half))).toMatchObject({ status: 400 })
  }
})

test('a birthday that is not a date has its own error code', async () => {
  const { send } = await testService()
  const body = { ...registration('bob@example.com'), birthday: '2027-02-30' }
  expect(await send('POST', '/v1/users', { body })).toMatchObject({
    status: 400,
    body: { error: 527, issues: [{ path: 'birthday' }] },
  })
  expect(await send('POST', '/v1/users', { body: { ...body, first_name: 1 } })).toMatchObject({ body: { error: 516 } })
})

test('unknown keys of a registration are ignored and named', async () => {
  const { send } = await testService()
  const body = {
    ...registration('bob@example.com'),
    user_tokens: [{ token: 'bob@example.com', token_type: 'email', isPrimary: true }],
    'größe\r\n': 1,
  }
  const { status, headers } = await send('POST', '/v1/users', { body })
  expect(status).toBe(200)
  expect(headers['vatom-ignored']).toBe('user_tokens[0].isPrimary, gr%C3%B6%C3%9Fe%0D%0A')
})

test('an address that only looks like another is the same, or is refused', async () => {
  const { send, register } = await testService()
  await register('carl@example.com')
  const join = (token: string) => send('POST', '/v1/users', { body: registration(token) })
  for (const same of ['\uff43arl@example.com', 'CARL\uff20example.com', ' carl@example.com ', 'carl@example\u3002com'])
    expect(await join(same)).toMatchObject({ status: 409, body: { error: 521 } })
  for (const hidden of ['\u200b', '\u00ad', '\u202e', '\ufe0f', '\u034f', '\u3164'])
    expect(await join(`car${hidden}l@example.com`)).toMatchObject({ status: 400, body: { error: 2571 } })
  for (const other of ['c\u00e4rl@example.com', '\u65e5\u672c@example.com'])
    expect(await join(other)).toMatchObject({ status: 200 })
  expect(await join('\u01f0im@example.com')).toMatchObject({ status: 200 })
  expect(await join('J\u030cim@example.com')).toMatchObject({ status: 409, body: { error: 521 } })
})
