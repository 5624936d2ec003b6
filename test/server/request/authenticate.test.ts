import { describe, expect, test } from 'vitest'
import { operations } from '../../../src/contract/api/table.ts'
import { emitted, pathOf, testService, warningsOf } from '../../support/service.ts'

test('§5 a request without App-Id, or with an unknown one, is answered with 403', async () => {
  const { publisher } = await testService()
  for (const id of ['', 'other'])
    expect(await publisher.call('GET', '/v1/user', { headers: { 'app-id': id } })).toMatchObject({
      status: 403,
      body: { error: 2 },
    })
})

test('§5 a request without valid authorization is answered with 403 Not Authorized', async () => {
  const { send, publisher } = await testService()
  const forged = `${publisher.token.slice(0, -3)}abc`
  for (const authorization of ['', 'Bearer', 'Bearer ', 'Bearer x', 'Basic abc', `Bearer ${forged}`])
    expect(await send('GET', '/v1/user', { headers: { authorization } })).toMatchObject({
      status: 403,
      body: { error: 401, message: expect.stringMatching(/^Not Authorized/) },
    })
})

test('§5 a token signed without the secret is refused', async () => {
  const { send, publisher } = await testService()
  const [, claims] = publisher.token.split('.')
  const none = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${claims}.`
  expect(await send('GET', '/v1/user', { headers: { authorization: `Bearer ${none}` } })).toMatchObject({ status: 403 })
})

test('§5, §8 an access token is a JWT that is valid for 5 minutes', async () => {
  const { publisher, advance } = await testService()
  expect(publisher.token.split('.')).toHaveLength(3)
  advance(299)
  expect(await publisher.call('GET', '/v1/user')).toMatchObject({ status: 200 })
  advance(1)
  expect(await publisher.call('GET', '/v1/user')).toMatchObject({ status: 403, body: { error: 401 } })
})

test('a refresh token is no access token', async () => {
  const { service, send } = await testService()
  const { refresh_token } = await service.localSession()
  expect(await send('GET', '/v1/user', { headers: { authorization: `Bearer ${refresh_token}` } })).toMatchObject({
    status: 403,
  })
})

test('tokens say whose they are, as clients read it', async () => {
  const { publisher } = await testService()
  const claims = JSON.parse(Buffer.from(publisher.token.split('.')[1] ?? '', 'base64').toString())
  expect(claims).toMatchObject({
    user_id: publisher.id,
    pub_fqdn: 'local.vatom',
    is_admin: true,
    activated: true,
    iss: 'local',
    sub: 'access',
    exp: Date.parse('2027-03-01T12:05:00Z') / 1000,
  })
})

test('with compat sdk a missing or expired access token gets the 401 bodies that mobile clients renew on', async () => {
  const { send, publisher, advance } = await testService({ compat: 'sdk' })
  const missing = await send('GET', '/v1/user')
  expect([missing.status, missing.body]).toEqual([401, { message: 'Unauthorized' }])
  advance(600)
  const expired = await publisher.call('GET', '/v1/user')
  expect([expired.status, expired.body]).toEqual([401, { exp: 'token expired' }])
})

test('with compat sdk a restored session, whose access token is empty, learns from any operation that it must renew', async () => {
  const { send, publisher } = await testService({ compat: 'sdk' })
  const [id = ''] = await emitted(publisher, 'local.vatom::A', 1)
  const open = operations.filter(([, { auth }]) => auth !== 'none' && auth !== 'refresh')
  for (const [operation, { method }] of open) {
    const { status, body } = await send(method, pathOf(operation, id), { headers: { authorization: 'Bearer ' } })
    expect([operation, status, body]).toEqual([operation, 401, { message: 'Unauthorized' }])
  }
})

describe('a logout without Authorization, as the Android SDK sends it', () => {
  test('with compat sdk is answered with 200, says that it ended no session, and ends none', async () => {
    const { send, service } = await testService({ compat: 'sdk' })
    const { access_token } = await service.localSession()
    const answer = await send('POST', '/v1/user/logout')
    expect([answer.status, answer.payload]).toEqual([200, { success_message: 'Signed out.' }])
    expect(warningsOf(answer)).toMatchObject([{ code: 'no-effect', message: expect.stringMatching(/^no session was/) }])
    const headers = { authorization: `Bearer ${access_token}` }
    expect(await send('GET', '/v1/user', { headers })).toMatchObject({ status: 200 })
    const own = await send('POST', '/v1/user/logout', { headers })
    expect([own.status, warningsOf(own)]).toEqual([200, []])
    expect(await send('GET', '/v1/user', { headers })).toMatchObject({ status: 401 })
  })
  test('is still refused without App-Id, with an empty or expired token, and by the specification', async () => {
    const { send, publisher, advance } = await testService({ compat: 'sdk' })
    expect(await send('POST', '/v1/user/logout', { headers: { 'app-id': '' } })).toMatchObject({ status: 403 })
    expect(await send('POST', '/v1/user/logout', { headers: { authorization: 'Bearer ' } })).toMatchObject({
      status: 401,
      body: { message: 'Unauthorized' },
    })
    advance(600)
    expect(await publisher.call('POST', '/v1/user/logout')).toMatchObject({
      status: 401,
      body: { exp: 'token expired' },
    })
    const { send: strict } = await testService()
    expect(await strict('POST', '/v1/user/logout')).toMatchObject({ status: 403, body: { error: 401 } })
  })
})

test('answers that rest on an assumption say so', async () => {
  const { publisher } = await testService()
  const { headers } = await publisher.call('GET', '/v1/templates')
  expect(headers['vatom-assumed']).toMatch(/ascending order/)
  expect((await publisher.call('GET', '/v1/user')).headers).not.toHaveProperty('vatom-assumed')
})

test('publisher operations are refused to everybody else', async () => {
  const { register } = await testService()
  const bob = await register('bob@example.com')
  for (const path of ['/v1/templates', '/v1/template_variations/x', '/v1/templates?limit=x'])
    expect(await bob.call('GET', path)).toMatchObject({ status: 403, body: { error: 9001 } })
})
