import { expect, test } from 'vitest'
import { createClient, refreshAccessToken } from '../../src/client/client.ts'
import { fixedSession, refreshingSession } from '../../src/client/session.ts'
import type { Transport } from '../../src/client/transport.ts'
import { operations } from '../../src/contract/api/table.ts'
import type { WireRequest, WireResponse } from '../../src/contract/api/wire.ts'

const answer = (status: number, body: unknown): WireResponse => ({
  status,
  headers: {},
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const confirmation = answer(200, { request_id: 'r', payload: { success_message: 'done' } })
const refused = answer(403, { request_id: 'r', error: 401, message: 'Not Authorized' })

/** A JWT that expires so many seconds after the epoch. */
const jwt = (exp: number, id = '') =>
  ['{}', JSON.stringify({ exp, id }), ''].map((part) => Buffer.from(part).toString('base64url')).join('.')

function recorded(answers: readonly WireResponse[]): { send: Transport; requests: WireRequest[] } {
  const requests: WireRequest[] = []
  return {
    requests,
    send: async (request) => {
      requests.push(request)
      return answers[requests.length - 1] ?? confirmation
    },
  }
}

test('a call carries the App-Id, the bearer token, and names percent-encoded', async () => {
  const { send, requests } = recorded([])
  const client = createClient({ appId: 'app', send, session: fixedSession('token') })
  await client.updateTemplate({ name: 'acme::A/B ?#%::v1', body: { unpublished: false } })
  expect(requests).toEqual([
    {
      method: 'PATCH',
      path: '/v1/templates/acme%3A%3AA%2FB%20%3F%23%25%3A%3Av1',
      headers: { 'app-id': 'app', 'content-type': 'application/json', authorization: 'Bearer token' },
      body: '{"unpublished":false}',
      changes: true,
      repeatable: false,
    },
  ])
})

test('a call without what the path names, or with what the operation does not take, is refused before it is sent', async () => {
  const { send, requests } = recorded([])
  const client = createClient({ appId: 'app', send, session: fixedSession('token') })
  // What JavaScript can pass, whatever the types say.
  const given = (text: string) => JSON.parse(text)
  await expect(client.getTemplate(given('{"tea":"a.example::Tea"}'))).rejects.toThrow(
    'unknown tea in getTemplate: known are name',
  )
  await expect(client.getTemplate(given('{}'))).rejects.toThrow('getTemplate needs name')
  await expect(client.getProfile(given('{"body":{}}'))).rejects.toThrow('unknown body in getProfile: it has no members')
  await expect(client.getTemplate(given('"a.example::Tea"'))).rejects.toThrow(/getTemplate takes an object/)
  expect(requests).toEqual([])
})

const form = 'application/x-www-form-urlencoded'
test.each(operations)('§4 %s carries App-Id and a Content-Type', async (operation, row) => {
  const { send, requests } = recorded([])
  const client = createClient({ appId: 'app', send, session: fixedSession('token') })
  const call = client[operation] as (input: object) => Promise<unknown>
  const inPath = [...row.path.matchAll(/:(\w+)/g)].map(([, name]) => [name, 'x'])
  const input = { ...Object.fromEntries(inPath), ...(row.body && { body: {} }), ...(row.upload && { files: [] }) }
  await call(input).catch(() => undefined)
  // The type of files has a boundary, which is known when they are sent.
  const type = row.upload ? undefined : row.method === 'GET' ? form : 'application/json'
  expect(requests.map(({ headers }) => [headers['app-id'], headers['content-type']])).toEqual([['app', type]])
})

test('§4.1, §4.3 requests without a body have the Content-Type that the specification shows', async () => {
  const { send, requests } = recorded([answer(200, { payload: { access_token: 'a' } })])
  await refreshAccessToken(send, 'app', 'r')
  await createClient({ appId: 'app', send, session: fixedSession('token') })
    .getProfile({})
    .catch(() => undefined)
  expect(requests.map(({ path, headers, body }) => [path, headers['content-type'], body])).toEqual([
    ['/v1/access_token', 'application/json', undefined],
    ['/v1/user', form, undefined],
  ])
})

test('registering and signing in carry no token', async () => {
  const { send, requests } = recorded([answer(403, { error: 2032, message: 'no' })])
  const client = createClient({ appId: 'app', send, session: fixedSession('token') })
  const login = client.login({ body: { token: 'a@b.c', token_type: 'email', auth_data: { password: 'p' } } })
  await expect(login).rejects.toMatchObject({ kind: 'loginFailed', status: 403, message: 'no' })
  expect(requests[0]?.headers).not.toHaveProperty('authorization')
})

/** A session that counts its refreshes. */
function counting(stored: string | undefined, now = 1_000) {
  const log = { refreshes: 0, stored: [] as string[] }
  const session = refreshingSession({
    ...(stored !== undefined && { stored }),
    refresh: async () => jwt(now + 300, String(++log.refreshes)),
    store: async (token) => void log.stored.push(token),
    now: () => new Date(now * 1000),
  })
  return { session, log }
}

test('a token about to expire is renewed before the call, and stored', async () => {
  const { session, log } = counting(jwt(1_004))
  const { send, requests } = recorded([])
  await createClient({ appId: 'app', send, session }).logout({})
  expect(log).toEqual({ refreshes: 1, stored: [jwt(1_300, '1')] })
  expect(requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${jwt(1_300, '1')}`])
})

test('a token that lasts is used as it is', async () => {
  const { session, log } = counting(jwt(1_100))
  await createClient({ appId: 'app', send: recorded([]).send, session }).logout({})
  expect(log.refreshes).toBe(0)
})

test('calls that wait together renew once', async () => {
  const { session, log } = counting(undefined)
  const client = createClient({ appId: 'app', send: recorded([]).send, session })
  await Promise.all([client.logout({}), client.logout({}), client.logout({})])
  expect(log.refreshes).toBe(1)
})

test.each([
  ['403 with the code of a bad token', refused],
  ['401, as the platform answers', answer(401, { exp: 'token expired' })],
])('%s renews once and repeats the call', async (_, first) => {
  const { session, log } = counting(jwt(1_100))
  const { send, requests } = recorded([first, confirmation])
  expect(await createClient({ appId: 'app', send, session }).logout({})).toEqual({ success_message: 'done' })
  expect({ refreshes: log.refreshes, calls: requests.length }).toEqual({ refreshes: 1, calls: 2 })
})

test('a second refusal is the answer', async () => {
  const { session } = counting(jwt(1_100))
  const { send, requests } = recorded([refused, refused])
  await expect(createClient({ appId: 'app', send, session }).logout({})).rejects.toMatchObject({ kind: 'unauthorized' })
  expect(requests).toHaveLength(2)
})

test('403 for another reason is not repeated', async () => {
  const { session, log } = counting(jwt(1_100))
  const { send, requests } = recorded([answer(403, { error: 9001, message: 'no publisher' })])
  await expect(createClient({ appId: 'app', send, session }).listTemplates({})).rejects.toMatchObject({
    kind: 'notPublisher',
  })
  expect({ refreshes: log.refreshes, calls: requests.length }).toEqual({ refreshes: 0, calls: 1 })
})

test.each([
  ['a string', 'new'],
  ['an object', { token: 'new', token_type: 'Bearer', expires_in: 5 }],
])('§4.3 a refresh sends the token in both headers and reads %s', async (_, access_token) => {
  const { send, requests } = recorded([answer(200, { payload: { access_token } })])
  expect(await refreshAccessToken(send, 'app', 'refresh')).toBe('new')
  expect(requests[0]).toEqual({
    method: 'POST',
    path: '/v1/access_token',
    headers: {
      'app-id': 'app',
      'content-type': 'application/json',
      authentication: 'refresh',
      authorization: 'Bearer refresh',
    },
    changes: false,
    repeatable: true,
  })
})

test.each([
  ['no JSON', answer(200, '<html>'), { name: 'UnexpectedAnswerError' }],
  ['another payload', answer(200, { payload: { unexpected: 1 } }), { name: 'UnexpectedAnswerError' }],
  [
    'an error page',
    answer(502, '<html>'),
    { name: 'ServiceError', status: 502, message: expect.stringContaining(': 502, and no answer of a vAtom service') },
  ],
  [
    'an error with issues',
    answer(400, { error: 516, message: 'bad', issues: [{ path: 'a', message: 'b' }] }),
    { kind: 'invalid', issues: [{ path: 'a', message: 'b' }] },
  ],
  [
    'an issue that only repeats the message',
    answer(400, { error: 516, message: 'bad', issues: [{ path: '', message: 'bad' }] }),
    { message: 'bad', issues: [] },
  ],
  [
    'an error of another kind of service',
    answer(400, { error: 'Bad Request', message: 5 }),
    { name: 'ServiceError', status: 400 },
  ],
])('%s is reported as such', async (_, response, expected) => {
  const client = createClient({ appId: 'app', send: recorded([response]).send, session: fixedSession('t') })
  await expect(client.registerFace({ body: {} as never })).rejects.toMatchObject(expected)
})

test('a missing record is out of place in the answer to a request that asks for none', async () => {
  const missing = answer(404, { request_id: 'r', error: 9007, message: 'No such record' })
  const client = createClient({ appId: 'app', send: async () => missing, session: fixedSession('token') })
  await expect(client.listTemplates({})).rejects.toMatchObject({ kind: 'notFound', isMisplaced: true })
  await expect(client.getTemplate({ name: 'acme::A' })).rejects.toMatchObject({ kind: 'notFound', isMisplaced: false })
})
