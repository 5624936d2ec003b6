import { describe, expect, onTestFinished, test } from 'vitest'
import { limits } from '../../../../src/contract/limits.ts'
import { codesAcceptedFrom, isCode, issueCode } from '../../../../src/server/domain/users/codes.ts'
import { newUser } from '../../../../src/server/domain/users/user.ts'
import { addToken } from '../../../../src/server/domain/users/user-tokens.ts'
import { openStore } from '../../../../src/server/store/store.ts'
import { grant } from '../../../support/acting.ts'
import { codeFor, outbox, overHttp, testService } from '../../../support/service.ts'

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
  test('sends a pin, signs nobody in, and leaves the password: anybody can ask for it', async () => {
    const { reset, login, service, user } = await world()
    const answer = await reset()
    expect([answer.status, answer.payload]).toEqual([200, ann])
    expect((await outbox(service)).at(-1)).toEqual({
      to: ann.token,
      token_type: 'email',
      kind: 'one_time_pin',
      code: expect.stringMatching(/^\d{16}$/),
      when: '2027-03-01T12:00:00Z',
    })
    expect(await login('')).toMatchObject(failed)
    expect(await login('secret')).toMatchObject({ status: 200 })
    expect((await user.call('GET', '/v1/user')).payload.properties.is_password_set).toBe(true)
  })

  test('the pin signs in once, ends the password, and verifies the token', async () => {
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
    expect(await login('secret')).toMatchObject(failed)
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

  test('a login with the old password, at the same time as one with the pin, is refused', async () => {
    const { reset, login, pin } = await world()
    await reset()
    const code = await pin()
    const [answer] = await Promise.all([login('secret'), login(code)])
    expect(answer).toMatchObject(failed)
  })

  test('two logins with one pin at once: one is let in', async () => {
    const { reset, login, pin } = await world()
    await reset()
    const code = await pin()
    const answers = await Promise.all([login(code), login(code), login(code)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403])
  })

  test('a password set meanwhile ends no pin, and is ended by it', async () => {
    const { reset, login, pin, user } = await world()
    await reset()
    expect(await user.call('PATCH', '/v1/user', { body: { password: 'new' } })).toMatchObject({ status: 200 })
    expect(await login('new')).toMatchObject({ status: 200 })
    expect(await login(await pin())).toMatchObject({ payload: { user: { properties: { is_password_set: false } } } })
    expect(await login('new')).toMatchObject(failed)
  })

  test('within a minute after a pin is answered the same, sends none, and leaves the password', async () => {
    const { reset, login, pin, user, service, publisher, advance } = await world()
    const { payload } = await reset()
    const sent = await outbox(service)
    await grant(service, user, { pub_fqdn: 'local.vatom' })
    await user.call('PATCH', '/v1/user', { body: { password: 'new' } })
    advance(59)
    expect(await reset()).toMatchObject({ status: 200, payload })
    expect(await publisher.call('POST', `/v1/users/${user.id}/reset_token`)).toMatchObject({
      status: 200,
      payload: { success_message: 'A one-time pin was sent within the last minute: use that.' },
    })
    expect(await outbox(service)).toEqual(sent)
    expect(await login('new')).toMatchObject({ status: 200 })
    advance(1)
    const first = await pin()
    expect(await reset()).toMatchObject({ status: 200, payload })
    expect(await pin()).not.toBe(first)
    expect(await login('new')).toMatchObject({ status: 200 })
  })

  test('sends another pin as soon as one is used, and when the clock was set back', async () => {
    const { reset, login, pin, service, advance } = await world()
    const pins = async () => (await outbox(service)).filter(({ kind }) => kind === 'one_time_pin').length
    await reset()
    expect(await login(await pin())).toMatchObject({ status: 200 })
    await reset()
    expect(await pins()).toBe(2)
    const later = await pin()
    advance(-3600)
    await reset()
    expect(await pins()).toBe(3)
    expect(await login(later)).toMatchObject(failed)
    expect(await login(await pin())).toMatchObject({ status: 200 })
  })

  test('over and over, by a stranger, keeps nobody out: the last three pins are valid, and one ends all', async () => {
    const { reset, login, pin, advance } = await world()
    const pins: string[] = []
    for (let minute = 0; minute < 5; minute++) {
      await reset()
      pins.push(await pin())
      advance(60)
    }
    const [first = '', second = '', third = '', , last = ''] = pins
    for (let n = 0; n < 6; n++) for (const old of [first, second]) expect(await login(old)).toMatchObject(failed)
    expect(await login(` ${third} `)).toMatchObject({ status: 200 })
    expect(await login(last)).toMatchObject(failed)
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
    for (const after of [0, 60, 60]) {
      advance(after)
      await reset()
    }
    advance(15 * 60)
    expect(await login(await pin())).toMatchObject(failed)
  })

  test('wrong pins lock the account as wrong passwords do; the right one opens it all the same', async () => {
    const { reset, login, pin } = await world()
    await reset()
    const right = await pin()
    for (let n = 0; n < 5; n++) expect(await login(another(right))).toMatchObject(failed)
    expect(await login(another(right))).toMatchObject({ status: 403, body: { error: 2051 } })
    expect(await login(right)).toMatchObject({ status: 200 })
    expect(await login(right)).toMatchObject({ status: 403 })
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

  test('ends no session, as anybody can ask for it; the pin ends all others', async () => {
    const { reset, login, pin, user, as } = await world()
    const { payload: earlier } = await login('secret')
    await reset()
    const others = [user, as(user.id, earlier.access_token.token)]
    for (const { call } of others) expect(await call('GET', '/v1/user')).toMatchObject({ status: 200 })
    const { payload } = await login(await pin())
    for (const { call } of others) expect(await call('GET', '/v1/user')).toMatchObject({ status: 403 })
    expect(await as(user.id, payload.access_token.token).call('GET', '/v1/user')).toMatchObject({ status: 200 })
  })

  test('of the publisher the service began with leaves the configured password until the pin is used', async () => {
    const { reset, login, pin, service } = await world()
    const publisher = { token: 'publisher@local.vatom', token_type: 'email' }
    expect(await login('vatom-local', publisher)).toMatchObject({ status: 200 })
    await reset(publisher)
    expect(await login('vatom-local', publisher)).toMatchObject({ status: 200 })
    expect(await login(await pin(publisher.token), publisher)).toMatchObject({ status: 200 })
    expect(await login('vatom-local', publisher)).toMatchObject(failed)
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

describe('wrong codes', () => {
  test('are counted for the address, though it leaves one user for another', async () => {
    const { register, service } = await world()
    const body = { token: 'target@example.com', token_type: 'email' }
    const eve = await register('eve@example.com')
    const guess = (verify_code: string) => eve.call('POST', '/v1/user/verify_token', { body: { ...body, verify_code } })
    for (let round = 0; round < 2; round++) {
      const { payload } = await eve.call('POST', '/v1/user/tokens', { body })
      const right = await codeFor(service, body.token)
      for (let n = 0; n < 3; n++) expect(await guess(another(right))).toMatchObject({ body: { error: 2567 } })
      if (round === 1) expect(await guess(right)).toMatchObject({ body: { error: 2567 } })
      await eve.call('DELETE', `/v1/user/tokens/${payload.id}`)
    }
  })

  test('make the waits longer, so that 45 can be tried in a day', async () => {
    const store = await openStore(':memory:')
    onTestFinished(() => store.close())
    const begin = Date.parse('2027-03-01T12:00:00Z')
    const user = newUser({ store, now: new Date(begin) })
    let tried = 0
    for (let minute = 0; minute < 24 * 60; minute++) {
      const moment = { store, now: new Date(begin + minute * 60_000) }
      await store.write(() => {
        if (minute === 0) store.users.insert(user)
        const [token = addToken(moment, { ...ann, user: user.id, isDefault: true, isClaimed: true })] =
          store.users.tokensOf(user.id)
        issueCode(moment, token, 'verification')
        while (codesAcceptedFrom(moment, token) === undefined) {
          const [{ code = '' } = {}] = store.codes.newestFirst({ token_id: token.id, kind: 'verification' })
          expect(isCode(moment, token, 'verification', another(code))).toBe(false)
          tried++
        }
      })
    }
    expect(tried).toBe(45)
  })

  test('tried while the clock was a day ahead make nobody wait once it is right', async () => {
    const store = await openStore(':memory:')
    onTestFinished(() => store.close())
    const now = new Date('2027-03-01T12:00:00Z')
    const ahead = new Date('2027-03-02T12:00:00Z')
    for (let wrong = 1; wrong <= limits.codeAttempts; wrong++)
      await store.write(() => store.codeTries.put({ ...ann, wrong, last: ahead.getTime() / 1000 }))
    expect(codesAcceptedFrom({ store, now: ahead }, ann)).toBeDefined()
    expect(codesAcceptedFrom({ store, now }, ann)).toBeUndefined()
  })

  test('of the day before, for very many addresses, are removed some at a time, and count no more', async () => {
    const store = await openStore(':memory:')
    onTestFinished(() => store.close())
    const moment = { store, now: new Date('2027-03-03T12:00:00Z') }
    const old = Date.parse('2027-03-01T12:00:00Z') / 1000
    const others = Array.from({ length: 1000 }, (_, index) => ({ token: `${index}@example.com`, token_type: 'email' }))
    const left = () => others.filter((key) => store.codeTries.find(key)).length
    const user = newUser(moment)
    const guess = () =>
      store.write(() => {
        const [token] = store.users.tokensOf(user.id)
        return token && isCode(moment, token, 'verification', '000000')
      })
    await store.write(() => {
      for (const key of others) store.codeTries.put({ ...key, wrong: 1, last: old })
      store.codeTries.put({ ...ann, wrong: limits.codeAttempts - 1, last: old + 1 })
      store.users.insert(user)
      const token = addToken(moment, { ...ann, user: user.id, isDefault: true, isClaimed: true })
      store.codes.add({ token_id: token.id, kind: 'verification', code: '123456', expires_at: old + 864_000 })
    })
    expect(await guess()).toBe(false)
    expect([store.codeTries.find(ann)?.wrong, codesAcceptedFrom(moment, ann)]).toEqual([1, undefined])
    expect([left() > 0, left() < others.length]).toEqual([true, true])
    for (let wrong = 2; wrong < limits.codeAttempts; wrong++) await guess()
    const before = left()
    await guess()
    expect(left()).toBeLessThan(before)
  })

  test('from several machines count together', async () => {
    const opened = await testService({ password: 'secret' })
    const { port } = await opened.service.listen({ host: '127.0.0.1', port: 0 })
    const user = await opened.register(ann.token)
    const right = await codeFor(opened.service, ann.token)
    const verify = (verify_code: string, address: string) =>
      overHttp(
        port,
        {
          method: 'POST',
          path: '/v1/user/verify_token',
          headers: { 'app-id': 'local', authorization: `Bearer ${user.token}` },
          body: JSON.stringify({ ...ann, verify_code }),
        },
        address,
      )
    for (let n = 1; n <= 5; n++) await verify(another(right), `127.0.0.${n}`)
    expect(JSON.parse((await verify(right, '127.0.0.6')).body)).toMatchObject({ error: 2567 })
  })

  test('are forgotten after the right one, and a password that is wrong is none', async () => {
    const { reset, login, pin } = await world()
    for (let round = 0; round < 3; round++) {
      await reset()
      for (let n = 0; n < 2; n++) await login('a wrong password')
      for (let n = 0; n < 2; n++) expect(await login(another(await pin()))).toMatchObject(failed)
      expect(await login(await pin())).toMatchObject({ status: 200 })
    }
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
      expect(await login(await pin())).toMatchObject({ status: 200 })
      expect(await login('secret')).toMatchObject(failed)
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
