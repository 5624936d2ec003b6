import { describe, expect, test } from 'vitest'
import { grant } from '../../../support/acting.ts'
import { codeFor, outbox, testService } from '../../../support/service.ts'

const ann = { token: 'ann@example.com', token_type: 'email' }

/** A service with a user who has the password `secret`. */
async function world() {
  const opened = await testService()
  const user = await opened.register(ann.token)
  const login = (password: string, key: object = ann) =>
    opened.send('POST', '/v1/user/login', { body: { ...key, auth_data: { password } } })
  const reset = (key: object = ann) => opened.send('POST', '/v1/user/reset_token', { body: key })
  const pin = (token = ann.token) => codeFor(opened.service, token)
  return { ...opened, user, login, reset, pin }
}
/** A pin of the same form that was not sent. */
const another = (pin: string) => pin.replace(/.$/, (digit) => String((Number(digit) + 1) % 10))
const failed = { status: 403, body: { error: 2032 } }

describe('resetting a password', () => {
  test('takes it away, signs nobody in, and sends a pin', async () => {
    const { reset, login, service, user } = await world()
    const answer = await reset()
    expect([answer.status, answer.payload]).toEqual([200, ann])
    expect((await outbox(service)).at(-1)).toEqual({
      to: ann.token,
      token_type: 'email',
      kind: 'one_time_pin',
      code: expect.stringMatching(/^\d{6}$/),
      when: '2027-03-01T12:00:00Z',
    })
    expect(await login('secret')).toMatchObject(failed)
    expect(await login('')).toMatchObject(failed)
    expect((await user.call('GET', '/v1/user')).payload.properties.is_password_set).toBe(false)
  })

  test('the pin signs in once, and verifies the token', async () => {
    const { reset, login, pin, service } = await world()
    await reset()
    const code = await pin()
    const { status, payload } = await login(code)
    expect(status).toBe(200)
    expect(payload.user).toMatchObject({
      properties: { is_password_set: false },
      system_properties: { activated: true },
    })
    expect(await login(code)).toMatchObject(failed)
    const body = { ...ann, verify_code: await codeFor(service, ann.token) }
    const headers = { authorization: `Bearer ${payload.access_token.token}` }
    const verify = await service.inject({
      method: 'POST',
      path: '/v1/user/verify_token',
      headers: { 'app-id': 'local', ...headers },
      body: JSON.stringify(body),
    })
    expect(JSON.parse(verify.body)).toMatchObject({ error: 2566 })
  })

  test('a login with the old password at the same time is refused', async () => {
    const { reset, login } = await world()
    const [answer] = await Promise.all([login('secret'), reset()])
    expect(answer).toMatchObject(failed)
  })

  test('two logins with one pin at once: one is let in', async () => {
    const { reset, login, pin } = await world()
    await reset()
    const code = await pin()
    const answers = await Promise.all([login(code), login(code), login(code)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403])
  })

  test('a new pin ends the one before it, a new password ends both', async () => {
    const { reset, login, pin, user } = await world()
    await reset()
    const first = await pin()
    let second = first
    while (second === first) {
      await reset()
      second = await pin()
    }
    expect(await login(first)).toMatchObject(failed)
    expect(await user.call('PATCH', '/v1/user', { body: { password: 'new' } })).toMatchObject({ status: 200 })
    expect(await login(second)).toMatchObject(failed)
    expect(await login('new')).toMatchObject({ status: 200 })
  })

  test('a change of the profile alone leaves the pin', async () => {
    const { reset, login, pin, user } = await world()
    await reset()
    await user.call('PATCH', '/v1/user', { body: { first_name: 'Ann' } })
    expect(await login(await pin())).toMatchObject({ status: 200 })
  })

  test('the pin expires after 15 minutes', async () => {
    const { reset, login, pin, advance } = await world()
    await reset()
    advance(15 * 60 - 1)
    const { payload } = await login(await pin())
    expect(payload.user.id).toEqual(expect.any(String))
    await reset()
    advance(15 * 60)
    expect(await login(await pin())).toMatchObject(failed)
  })

  test('wrong pins lock the account as wrong passwords do, and use up the pin', async () => {
    const { reset, login, pin, advance } = await world()
    await reset()
    const right = await pin()
    for (let n = 0; n < 5; n++) expect(await login(another(right))).toMatchObject(failed)
    expect(await login(right)).toMatchObject({ status: 403, body: { error: 2051 } })
    advance(300)
    expect(await login(right)).toMatchObject(failed)
    await reset()
    expect(await login(await pin())).toMatchObject({ status: 200 })
  })

  test('a pin is for the token it was sent to', async () => {
    const { reset, login, pin, user } = await world()
    const phone = { token: '+41791234567', token_type: 'phone_number' }
    await user.call('POST', '/v1/user/tokens', { body: phone })
    await reset(phone)
    const code = await pin(phone.token)
    expect(await login(code)).toMatchObject(failed)
    expect(await login(code, phone)).toMatchObject({ status: 200 })
  })

  test('a verification code is no pin', async () => {
    const { login, pin } = await world()
    expect(await login(await pin())).toMatchObject(failed)
  })

  test('existing sessions stay valid', async () => {
    const { reset, user } = await world()
    await reset()
    expect(await user.call('GET', '/v1/user')).toMatchObject({ status: 200 })
  })

  test('of the publisher the service began with ends the password everybody knows', async () => {
    const { reset, login, pin, service } = await world()
    const publisher = { token: 'publisher@local.vatom', token_type: 'email' }
    expect(await login('vatom-local', publisher)).toMatchObject({ status: 200 })
    await reset(publisher)
    expect(await login('vatom-local', publisher)).toMatchObject(failed)
    expect(await login(await pin(publisher.token), publisher)).toMatchObject({ status: 200 })
    await service.reset()
    expect(await login('vatom-local', publisher)).toMatchObject({ status: 200 })
  })

  test('is for tokens a message can be sent to, that somebody has', async () => {
    const { reset, send, service } = await world()
    const { payload } = await send('POST', '/v1/user/guest')
    const sent = (await outbox(service)).length
    expect(await reset({ token: 'nobody@example.com', token_type: 'email' })).toMatchObject({ body: { error: 2030 } })
    expect(await reset({ token: payload.properties.guest_id, token_type: 'guest_id' })).toMatchObject({
      body: { error: 2569 },
    })
    expect(await outbox(service)).toHaveLength(sent)
  })
})

describe('resetting a password by the user’s id', () => {
  test('sends the pin to the default token, and tells nobody which that is', async () => {
    const { user, publisher, login, pin, service } = await world()
    await grant(service, user, { pub_fqdn: 'local.vatom' })
    await user.call('POST', '/v1/user/tokens', { body: { token: 'second@example.com', token_type: 'email' } })
    for (const caller of [user, publisher]) {
      const answer = await caller.call('POST', `/v1/users/${user.id}/reset_token`)
      expect(answer).toMatchObject({ status: 200, payload: { success_message: expect.any(String) } })
      expect(answer.text).not.toContain(ann.token)
      expect(await login('secret')).toMatchObject(failed)
      expect(await login(await pin())).toMatchObject({ status: 200 })
    }
  })

  test('is not for an administrator of another publisher', async () => {
    const { user, publisher, login, register, service } = await world()
    const colleague = await register('colleague@example.com')
    for (const pub_fqdn of ['other.example', '']) {
      await grant(service, colleague, { pub_fqdn, is_admin: true })
      for (const target of [user, colleague]) {
        const answer = await publisher.call('POST', `/v1/users/${target.id}/reset_token`)
        expect(answer).toMatchObject({ status: 403, body: { error: 9001 } })
      }
    }
    expect(await login('secret')).toMatchObject({ status: 200 })
  })

  test('is for the user themself and for administrators of their publisher', async () => {
    const { user, register, login } = await world()
    const eve = await register('eve@example.com')
    expect(await eve.call('POST', `/v1/users/${user.id}/reset_token`)).toMatchObject({
      status: 403,
      body: { error: 9001 },
    })
    expect(await login('secret')).toMatchObject({ status: 200 })
  })

  test('is not for an administrator of no publisher', async () => {
    const { user, register, login, service } = await world()
    const eve = await register('eve@example.com')
    await grant(service, eve, { is_admin: true })
    expect(await eve.call('POST', `/v1/users/${user.id}/reset_token`)).toMatchObject({
      status: 403,
      body: { error: 9001 },
    })
    expect(await login('secret')).toMatchObject({ status: 200 })
  })

  test('goes to a guest’s e-mail address, not to the guest id', async () => {
    const { send, as, publisher, service } = await world()
    const { payload: guest } = await send('POST', '/v1/user/guest')
    const body = { token: guest.properties.guest_id, token_type: 'guest_id' }
    const { payload } = await send('POST', '/v1/user/login', { body })
    const { call } = as(guest.id, payload.access_token.token)
    await grant(service, guest, { pub_fqdn: 'local.vatom' })
    expect(await publisher.call('POST', `/v1/users/${guest.id}/reset_token`)).toMatchObject({ body: { error: 2552 } })
    await call('POST', '/v1/user/tokens', { body: { token: 'guest@example.com', token_type: 'email' } })
    expect(await publisher.call('POST', `/v1/users/${guest.id}/reset_token`)).toMatchObject({ status: 200 })
    expect((await outbox(service)).at(-1)).toMatchObject({ to: 'guest@example.com', kind: 'one_time_pin' })
  })
})
