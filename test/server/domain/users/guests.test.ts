import { expect, onTestFinished, test } from 'vitest'
import { recipientGuest } from '../../../../src/server/domain/users/guests.ts'
import { openStore } from '../../../../src/server/store/store.ts'
import { testService } from '../../../support/service.ts'

const guestLogin = (token: string, more: object = {}) => ({ body: { token, token_type: 'guest_id', ...more } })

test('a guest is a user with a guest id, by which they sign in without a password', async () => {
  const { send, as } = await testService()
  const { status, payload } = await send('POST', '/v1/user/guest')
  expect([status, payload]).toEqual([
    200,
    expect.objectContaining({
      meta: expect.objectContaining({ created_by: payload.id }),
      properties: expect.objectContaining({
        guest_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        is_password_set: false,
        avatar_uri: '',
      }),
      system_properties: expect.objectContaining({ activated: false, is_admin: false }),
    }),
  ])
  expect(payload.properties.guest_id).not.toBe(payload.id)
  for (const more of [{}, { auth_data: {} }, { auth_data: { password: '' } }]) {
    const session = await send('POST', '/v1/user/login', guestLogin(payload.properties.guest_id, more))
    expect(session).toMatchObject({ status: 200, payload: { user: { id: payload.id } } })
    const guest = as(payload.id, session.payload.access_token.token)
    expect(await guest.call('GET', '/v1/user')).toMatchObject({ status: 200, payload: { id: payload.id } })
  }
})

test('a guest id that nobody has, and a user’s id, let nobody in', async () => {
  const { send } = await testService()
  const { payload } = await send('POST', '/v1/user/guest')
  for (const token of [payload.id, 'b7f0c9b4-4d3c-4b39-8d6c-0d3f9f5f3a11'])
    expect(await send('POST', '/v1/user/login', guestLogin(token))).toMatchObject({
      status: 403,
      body: { error: 2030 },
    })
})

/** A new guest who has signed in, and the guest id. */
async function guestIn({ send, as }: Awaited<ReturnType<typeof testService>>) {
  const { payload } = await send('POST', '/v1/user/guest')
  const session = await send('POST', '/v1/user/login', guestLogin(payload.properties.guest_id))
  return { ...as(payload.id, session.payload.access_token.token), guestId: String(payload.properties.guest_id) }
}

test('a guest sets a password, adds an e-mail address, and goes on as a user', async () => {
  const service = await testService()
  const { send } = service
  const guest = await guestIn(service)
  const email = { token: 'guest@example.com', token_type: 'email' }
  expect(await guest.call('PATCH', '/v1/user', { body: { password: '' } })).toMatchObject({ status: 200 })
  const added = await guest.call('POST', '/v1/user/tokens', { body: { ...email, is_primary: true } })
  expect(added).toMatchObject({ status: 200, payload: { properties: { is_default: true } } })
  expect(await guest.call('PATCH', '/v1/user', { body: { password: '' } })).toMatchObject({ body: { error: 9012 } })
  expect(await guest.call('PATCH', '/v1/user', { body: { password: 'mine' } })).toMatchObject({ status: 200 })
  const tokens = await guest.call('GET', '/v1/user/tokens')
  expect(tokens.payload.map((one: { properties: object }) => one.properties)).toMatchObject([
    { token_type: 'email', is_default: true },
  ])
  expect((await guest.call('GET', '/v1/user')).payload.properties.guest_id).toBe('')
  expect(await send('POST', '/v1/user/login', guestLogin(guest.guestId))).toMatchObject({ status: 403 })
  const login = { body: { ...email, auth_data: { password: 'mine' } } }
  expect(await send('POST', '/v1/user/login', login)).toMatchObject({ payload: { user: { id: guest.id } } })
})

test('a guest id ends with the address that is added to a password, and can be deleted beside one', async () => {
  const service = await testService()
  const { send } = service
  const add = { body: { token: 'guest@example.com', token_type: 'email', is_primary: true } }
  const one = await guestIn(service)
  expect(await one.call('PATCH', '/v1/user', { body: { password: 'mine' } })).toMatchObject({ status: 200 })
  expect(await send('POST', '/v1/user/login', guestLogin(one.guestId))).toMatchObject({ status: 200 })
  expect(await one.call('POST', '/v1/user/tokens', add)).toMatchObject({ status: 200 })
  expect(await send('POST', '/v1/user/login', guestLogin(one.guestId))).toMatchObject({ status: 403 })
  const other = await guestIn(service)
  const second = { body: { ...add.body, token: 'other@example.com' } }
  await other.call('POST', '/v1/user/tokens', second)
  const { payload } = await other.call('GET', '/v1/user/tokens')
  expect(await other.call('DELETE', `/v1/user/tokens/${payload[1].id}`)).toMatchObject({ status: 200 })
  expect((await other.call('GET', '/v1/user')).payload.properties.guest_id).toBe('')
})

test('where the default token was the guest id, an address becomes it, and the last token is never deleted', async () => {
  const service = await testService()
  const { send, as } = service
  const guest = await guestIn(service)
  const email = { token: 'guest@example.com', token_type: 'email' }
  expect(await guest.call('POST', '/v1/user/tokens', { body: email })).toMatchObject({ status: 200 })
  expect(await guest.call('PATCH', '/v1/user', { body: { password: 'a-new-password' } })).toMatchObject({ status: 200 })
  const again = await send('POST', '/v1/user/login', { body: { ...email, auth_data: { password: 'a-new-password' } } })
  const user = as(guest.id, again.payload.access_token.token)
  const tokens = (await user.call('GET', '/v1/user/tokens')).payload
  expect(tokens).toMatchObject([{ properties: { ...email, is_default: true } }])
  const refused = await user.call('DELETE', `/v1/user/tokens/${tokens[0].id}`)
  expect(refused).toMatchObject({ status: 400, body: { message: expect.stringContaining('default') } })
})

test('a client may register with a guest id of its own, a UUID that is free', async () => {
  const { send } = await testService()
  const token = 'B7F0C9B4-4d3c-4b39-8d6c-0d3f9f5f3a11'
  const body = { user_tokens: [{ token, token_type: 'guest_id' }] }
  const registered = await send('POST', '/v1/users', { body })
  const { payload } = registered
  expect(registered).toMatchObject({
    status: 200,
    payload: { user: { properties: { guest_id: token.toLowerCase() } } },
  })
  expect(await send('POST', '/v1/user/login', guestLogin(token))).toMatchObject({
    payload: { user: { id: payload.user.id } },
  })
  expect(await send('POST', '/v1/users', { body })).toMatchObject({ status: 409, body: { error: 521 } })
  const easy = { user_tokens: [{ token: 'me', token_type: 'guest_id' }] }
  expect(await send('POST', '/v1/users', { body: easy })).toMatchObject({
    status: 400,
    body: { error: 516, issues: [{ path: 'user_tokens[0].token' }] },
  })
  const two = { user_tokens: [token, token.replace('B7', 'C7')].map((one) => ({ token: one, token_type: 'guest_id' })) }
  expect(await send('POST', '/v1/users', { body: two })).toMatchObject({ status: 400, body: { error: 516 } })
})

/** What makes guests for recipients, over a store of its own. */
async function recipients() {
  const store = await openStore(':memory:')
  onTestFinished(() => store.close())
  const sending = { store, now: new Date('2027-03-01T12:00:00Z') }
  const find = (token: string, token_type = 'email', path?: string) =>
    store.write(() => recipientGuest(sending, { token_type, token }, path))
  return { store, find }
}

test('a recipient whom nobody is becomes a guest, who is sent their guest id', async () => {
  const { store, find } = await recipients()
  const id = await find(' New@Example.com ')
  const tokens = store.users.tokensOf(id)
  expect(tokens).toMatchObject([
    { token_type: 'email', token: 'new@example.com', confirmed: 0, is_default: 1 },
    { token_type: 'guest_id', confirmed: 0, is_default: 0 },
  ])
  expect(store.users.byId(id)).toMatchObject({ activated: 0, password: null, is_admin: 0 })
  expect(store.outbox.newest(10)).toMatchObject([
    { recipient: 'new@example.com', token_type: 'email', kind: 'guest_id', code: tokens[1]?.token },
  ])
})

test('a recipient is made once, and a user who is there stays as they are', async () => {
  const { store, find } = await recipients()
  const id = await find('+41 79 123 45 67', 'phone_number')
  expect(await find('+41791234567', 'phone_number')).toBe(id)
  expect(await find('other@example.com')).not.toBe(id)
  expect(store.outbox.newest(10)).toHaveLength(2)
})

test.each([
  ['nobody', 'email', 'invalidEmail'],
  ['nobody', 'phone_number', 'invalidPhone'],
  ['b7f0c9b4-4d3c-4b39-8d6c-0d3f9f5f3a11', 'guest_id', 'unknownTokenType'],
])('%s of the type %s is no recipient', async (token, type, kind) => {
  const { store, find } = await recipients()
  await expect(find(token, type, 'new.owner')).rejects.toMatchObject({ kind })
  expect(store.outbox.newest(10)).toEqual([])
})

test('what is wrong with a recipient is told at its place', async () => {
  const { find } = await recipients()
  await expect(find('nobody', 'email', 'new.owner.email')).rejects.toMatchObject({
    issues: [{ path: 'new.owner.email' }],
  })
})
