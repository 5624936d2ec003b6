import { expect, test } from 'vitest'
import { listening } from '../../support/worlds.ts'

test('POST /__vatom/users makes a user who is signed in, can sign in, and may act', async () => {
  const { tool, as } = await listening()
  const { status, payload } = await tool('POST', '/__vatom/users', {})
  expect(status).toBe(200)
  expect(payload).toMatchObject({
    user: { system_properties: { activated: true, is_merchant: false, is_admin: false, pub_fqdn: '' } },
    token: expect.stringMatching(/^[\da-f]{8}@example\.com$/),
    token_type: 'email',
    password: 'vatom-test',
  })
  const user = as(payload.user.id, payload.access_token)
  expect((await user.call('GET', '/v1/user')).payload.id).toBe(payload.user.id)
  const { token, token_type, password } = payload
  const login = await user.call('POST', '/v1/user/login', { body: { token, token_type, auth_data: { password } } })
  expect(login.payload.user.id).toBe(payload.user.id)
  const headers = { authorization: `Bearer ${payload.refresh_token}` }
  expect((await user.call('POST', '/v1/access_token', { headers })).status).toBe(200)
  expect((await tool('GET', '/__vatom/outbox')).payload).toEqual([])
})

test('a user for a test has the profile, the tokens and the rights that the body names', async () => {
  const { tool } = await listening()
  const { payload } = await tool('POST', '/__vatom/users', {
    first_name: 'Ann',
    password: 'tea',
    is_merchant: true,
    is_admin: true,
    pub_fqdn: 'tea.example',
    activated: false,
    user_tokens: [{ token: 'ann@example.com', token_type: 'email' }],
  })
  expect(payload).toMatchObject({
    token: 'ann@example.com',
    password: 'tea',
    user: {
      properties: { first_name: 'Ann' },
      system_properties: { is_merchant: true, is_admin: true, pub_fqdn: 'tea.example', activated: false },
    },
  })
  // Who is not activated is sent a code.
  expect((await tool('GET', '/__vatom/outbox')).payload).toMatchObject([{ to: 'ann@example.com' }])
})

test.each([
  [{ user_tokens: [] }, 400, 516],
  [{ merchant: true }, 400, 516],
  [{ pub_fqdn: 'Tea.Example' }, 400, 516],
  [{ user_tokens: [{ token: 'publisher@local.vatom', token_type: 'email' }] }, 409, 521],
])('a user for a test with %j is refused', async (body, status, error) => {
  const { tool, service } = await listening()
  expect(await tool('POST', '/__vatom/users', body)).toMatchObject({ status, body: { error } })
  expect(service.contents().users).toBe(0)
})
