import { describe, expect, test } from 'vitest'
import { codeFor, outbox, registration, testService } from '../../support/service.ts'

const bob = { token: 'bob@example.com', token_type: 'email' }
const phone = { token: '+41791234567', token_type: 'phone_number' }

/** A service with a user whose token is not confirmed. */
async function world() {
  const opened = await testService()
  const user = await opened.register(bob.token)
  const verify = (verify_code: string, key: object = bob) =>
    user.call('POST', '/v1/user/verify_token', { body: { ...key, verify_code } })
  const activated = async () => (await user.call('GET', '/v1/user')).payload.system_properties.activated
  const tokens = async () => (await user.call('GET', '/v1/user/tokens')).payload
  return { ...opened, user, verify, activated, tokens, code: () => codeFor(opened.service, bob.token) }
}
/** A code of the same form that was not sent. */
const another = (code: string) => code.replace(/.$/, (digit) => String((Number(digit) + 1) % 10))

describe('verifying', () => {
  test('a registered token is sent a code, which confirms it and activates its user', async () => {
    const { verify, activated, tokens, code } = await world()
    expect(await activated()).toBe(false)
    expect(await verify(await code())).toMatchObject({ status: 200, payload: bob })
    expect(await activated()).toBe(true)
    expect((await tokens())[0].properties.confirmed).toBe(true)
    expect(await verify(await code())).toMatchObject({ status: 400, body: { error: 2566 } })
  })

  test('a wrong code is refused, and five of them use up the right one', async () => {
    const { verify, activated, code } = await world()
    const right = await code()
    const wrong = { status: 400, body: { error: 2567, issues: [{ path: 'verify_code' }] } }
    for (let n = 0; n < 5; n++) expect(await verify(another(right))).toMatchObject(wrong)
    expect(await verify(right)).toMatchObject(wrong)
    expect(await activated()).toBe(false)
  })

  test('a new code has the remaining attempts of the one before it, until five minutes after the fifth', async () => {
    const { verify, code, send, as, advance } = await world()
    const renew = () => send('POST', '/v1/user/reset_token_verification', { body: bob })
    for (let n = 0; n < 3; n++) await verify(another(await code()))
    advance(200)
    await renew()
    for (let n = 0; n < 2; n++) await verify(another(await code()))
    await renew()
    expect(await verify(await code())).toMatchObject({ status: 400, body: { error: 2567 } })
    expect((await verify(await code())).body.message).toContain('2027-03-01T12:08:20Z')
    advance(300)
    await renew()
    const { payload } = await send('POST', '/v1/user/login', { body: { ...bob, auth_data: { password: 'secret' } } })
    const later = as(payload.user.id, payload.access_token.token)
    const answer = await later.call('POST', '/v1/user/verify_token', { body: { ...bob, verify_code: await code() } })
    expect(answer).toMatchObject({ status: 200 })
  })

  test('after four wrong ones the right one still does', async () => {
    const { verify, code } = await world()
    const right = await code()
    for (let n = 0; n < 4; n++) await verify(another(right))
    expect(await verify(` ${right} `)).toMatchObject({ status: 200 })
  })

  test('a code expires after a quarter of an hour', async () => {
    const { code, advance, tokens, as, send } = await world()
    expect((await tokens())[0].properties.verify_code_expires).toBe('2027-03-01T12:15:00Z')
    const right = await code()
    advance(900)
    const { payload } = await send('POST', '/v1/user/login', { body: { ...bob, auth_data: { password: 'secret' } } })
    const later = as(payload.user.id, payload.access_token.token)
    const body = { ...bob, verify_code: right }
    expect(await later.call('POST', '/v1/user/verify_token', { body })).toMatchObject({ body: { error: 2567 } })
  })

  test('a new code ends the one before it, which does not count as a wrong one; within a minute none is sent', async () => {
    const { verify, code, send, service, advance } = await world()
    const first = await code()
    const renew = () => send('POST', '/v1/user/reset_token_verification', { body: bob })
    const sent = await outbox(service)
    advance(59)
    expect(await renew()).toMatchObject({ status: 200, payload: bob })
    expect(await outbox(service)).toEqual(sent)
    advance(1)
    expect(await renew()).toMatchObject({ status: 200, payload: bob })
    const second = await code()
    expect(second).not.toBe(first)
    for (let n = 0; n < 6; n++) expect(await verify(first)).toMatchObject({ body: { error: 2567 } })
    expect(await verify(second)).toMatchObject({ status: 200 })
  })

  test('a code is for its own user and its own token alone', async () => {
    const { register, code, verify, user, service } = await world()
    const eve = await register('eve@example.com')
    const body = { ...bob, verify_code: await code() }
    expect(await eve.call('POST', '/v1/user/verify_token', { body })).toMatchObject({
      status: 403,
      body: { error: 2030 },
    })
    await user.call('POST', '/v1/user/tokens', { body: phone })
    const phoned = await codeFor(service, phone.token)
    if (phoned !== body.verify_code) expect(await verify(phoned)).toMatchObject({ body: { error: 2567 } })
    expect(await verify(phoned, phone)).toMatchObject({ status: 200, payload: phone })
  })
})

describe('a user’s tokens', () => {
  test('have every key that clients read', async () => {
    const { user, tokens } = await world()
    expect(await tokens()).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        meta: {
          created_by: user.id,
          modified_by: user.id,
          data_type: 'blockv::user_token',
          when_created: '2027-03-01T12:00:00Z',
          when_modified: '2027-03-01T12:00:00Z',
        },
        properties: {
          ...bob,
          app_id: 'local',
          user_id: user.id,
          confirmed: false,
          is_default: true,
          verify_code_expires: '2027-03-01T12:15:00Z',
        },
      },
    ])
  })

  test('are added as they are written, sent a code, and sign in', async () => {
    const { user, service, send, tokens } = await world()
    const body = { token: '+41 (79) 123-45.67', token_type: 'phone_number' }
    expect(await user.call('POST', '/v1/user/tokens', { body })).toMatchObject({
      status: 200,
      payload: { properties: { ...phone, confirmed: false, is_default: false } },
    })
    expect((await outbox(service)).at(-1)).toMatchObject({ to: phone.token, kind: 'verification_code' })
    expect(await tokens()).toHaveLength(2)
    const login = { body: { ...phone, auth_data: { password: 'secret' } } }
    expect(await send('POST', '/v1/user/login', login)).toMatchObject({ payload: { user: { id: user.id } } })
  })

  test('one is the default one: the first unless another is chosen', async () => {
    const { user, tokens } = await world()
    const defaults = async () =>
      (await tokens()).filter((one: { properties: { is_default: boolean } }) => one.properties.is_default)
    const { payload: second } = await user.call('POST', '/v1/user/tokens', { body: phone })
    expect(await defaults()).toMatchObject([{ properties: bob }])
    expect(await user.call('PUT', `/v1/user/tokens/${second.id}/default`)).toMatchObject({
      status: 200,
      payload: { success_message: expect.any(String) },
    })
    expect(await defaults()).toMatchObject([{ id: second.id }])
    const third = { token: 'third@example.com', token_type: 'email', is_primary: true }
    const added = await user.call('POST', '/v1/user/tokens', { body: third })
    expect(added.payload.properties.is_default).toBe(true)
    expect(await defaults()).toMatchObject([{ id: added.payload.id }])
  })

  test('the default one is not deleted, others are, with their login', async () => {
    const { user, tokens, send } = await world()
    const { payload } = await user.call('POST', '/v1/user/tokens', { body: phone })
    const [first] = await tokens()
    expect(await user.call('DELETE', `/v1/user/tokens/${first.id}`)).toMatchObject({
      status: 400,
      body: { error: 2562 },
    })
    expect(await user.call('DELETE', `/v1/user/tokens/${payload.id}`)).toMatchObject({ status: 200 })
    expect(await user.call('DELETE', `/v1/user/tokens/${payload.id}`)).toMatchObject({
      status: 404,
      body: { error: 2553 },
    })
    expect(await tokens()).toMatchObject([{ id: first.id }])
    const login = { body: { ...phone, auth_data: { password: 'secret' } } }
    expect(await send('POST', '/v1/user/login', login)).toMatchObject({ body: { error: 2030 } })
  })

  test('are nobody else’s to change', async () => {
    const { register, tokens } = await world()
    const [first] = await tokens()
    const eve = await register('eve@example.com')
    for (const [method, path] of [
      ['PUT', `/v1/user/tokens/${first.id}/default`],
      ['DELETE', `/v1/user/tokens/${first.id}`],
    ] as const)
      expect(await eve.call(method, path)).toMatchObject({ status: 404, body: { error: 2553 } })
    expect(await tokens()).toEqual([first])
  })

  test('are ten at most', async () => {
    const { user, tokens } = await world()
    const add = (n: number) => user.call('POST', '/v1/user/tokens', { body: { ...bob, token: `bob${n}@example.com` } })
    for (let n = 1; n < 10; n++) expect(await add(n)).toMatchObject({ status: 200 })
    expect(await add(10)).toMatchObject({ status: 400, body: { error: 516, issues: [{ path: 'token' }] } })
    expect(await tokens()).toHaveLength(10)
  })

  test('added twice at once are added once', async () => {
    const { user, register } = await world()
    const eve = await register('eve@example.com')
    const answers = await Promise.all(
      [user, eve, user].map(({ call }) => call('POST', '/v1/user/tokens', { body: phone })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  })
})

test('a registration says which of its tokens is the default one', async () => {
  const { send, as } = await testService()
  const user_tokens = [bob, { ...phone, is_primary: true }]
  const { payload } = await send('POST', '/v1/users', { body: { ...registration(bob.token), user_tokens } })
  const tokens = await as('', payload.access_token.token).call('GET', '/v1/user/tokens')
  expect(tokens.payload.map((one: { properties: object }) => one.properties)).toMatchObject([
    { ...phone, is_default: true },
    { ...bob, is_default: false },
  ])
})

test('a registration takes the empty texts that clients send for what is not set', async () => {
  const { send } = await testService()
  const unset = { password: '', birthday: '', language: '', first_name: '', last_name: '' }
  const body = { ...unset, user_tokens: [{ ...bob, auth_data: { auth_token: '' } }] }
  expect(await send('POST', '/v1/users', { body })).toMatchObject({
    status: 200,
    payload: { user: { properties: { is_password_set: false, birthday: '' } } },
    headers: { 'vatom-ignored': 'user_tokens[0].auth_data' },
  })
})
