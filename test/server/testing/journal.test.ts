import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Journal } from '../../../src/server/testing/journal.ts'
import { KeptBodies } from '../../../src/server/testing/kept-bodies.ts'
import { template } from '../../fixtures/bodies.ts'
import { action, perform } from '../../support/acting.ts'
import { newDatabase, newFolder } from '../../support/folders.ts'
import { rawConnection } from '../../support/raw-connection.ts'
import { emitted } from '../../support/service.ts'
import { listening } from '../../support/worlds.ts'

const requestId = expect.stringMatching(/^[0-9a-f-]{36}$/)

describe('the journal', () => {
  test('has the requests of the API over HTTP and in process, newest last, each with its result', async () => {
    const { ask, tool, publisher } = await listening()
    await tool('DELETE', '/__vatom/journal')
    await ask('POST', '/v1/templates', template())
    await ask('POST', '/v1/templates', template())
    await publisher.call('GET', '/v1/user?fields=id')
    expect((await tool('GET', '/__vatom/journal')).payload).toEqual([
      {
        seq: expect.any(Number),
        when: '2027-03-01T12:00:00Z',
        method: 'POST',
        path: '/v1/templates',
        status: 200,
        milliseconds: expect.any(Number),
        request_id: requestId,
        operation: 'createTemplate',
        user: publisher.id,
      },
      expect.objectContaining({ status: 400, error: 9004, operation: 'createTemplate' }),
      expect.objectContaining({ method: 'GET', path: '/v1/user?fields=id', status: 200, operation: 'getProfile' }),
    ])
  })

  test('a client that has its answer finds its request, whatever the answer was', async () => {
    const { ask, tool } = await listening()
    for (const [method, path, status] of [
      ['GET', '/v1/user', 200],
      ['GET', '/v1/nowhere', 404],
      ['GET', '/v1/templates/%zz', 400],
      ['PUT', '/v1/user', 400],
      ['GET', '/assets/none/none.png', 404],
      ['HEAD', '/assets/none/none.png', 404],
    ] as const) {
      await tool('DELETE', '/__vatom/journal')
      expect((await ask(method, path)).status).toBe(status)
      const { payload } = await tool('GET', '/__vatom/journal')
      expect(payload).toMatchObject([{ method, path, status }])
    }
  })

  test('the id and the error code are those of the answer', async () => {
    const { ask, tool } = await listening()
    const { body } = await ask('GET', '/v1/templates/local.vatom::None')
    const { payload } = await tool('GET', '/__vatom/journal?limit=1')
    expect(payload).toMatchObject([{ request_id: body.request_id, error: body.error, operation: 'getTemplate' }])
  })

  test('a refused request has its operation', async () => {
    const { tool } = await listening()
    await tool('GET', '/v1/user')
    expect((await tool('GET', '/__vatom/journal?limit=1')).payload).toMatchObject([
      { path: '/v1/user', status: 403, error: 2, operation: 'getProfile' },
    ])
  })

  test('a preflight and the routes of the service itself are not in it', async () => {
    const { baseUrl, tool } = await listening()
    await tool('DELETE', '/__vatom/journal')
    const headers = { origin: 'http://localhost:3000', 'access-control-request-method': 'GET' }
    expect((await fetch(`${baseUrl}/v1/user`, { method: 'OPTIONS', headers })).status).toBe(204)
    for (const path of ['/__vatom/health', '/__vatom/none', '/__vatom?x']) await tool('GET', path)
    expect((await tool('GET', '/__vatom/journal')).payload).toEqual([])
  })

  test('contains no body, no header and no secret of a query', async () => {
    const { ask, tool, headers, service } = await listening()
    const { refresh_token } = await service.localSession()
    const body = { token: 'publisher@local.vatom', token_type: 'email', auth_data: { password: 'hunter2' } }
    await ask('POST', '/v1/user/login', body)
    await ask('GET', `/v1/user?access_token=hunter2&To%6ben=hunter2&x=1&fields=id&password=a=hunter2`)
    await ask('GET', `/v1/user?note=${refresh_token}`)
    await ask('GET', `/v1/templates/${headers.authorization.slice(7)}`)
    await ask(
      'GET',
      `/v1/templates/a%2Fb%2D${headers.authorization.slice(7).replaceAll('.', '%2e').replace('e', '%65')}`,
    )
    await ask('GET', '/v1/user?a=1;password=hunter2;b=2&key=hunter2')
    await ask('GET', '/v1/user?pin=hunter2&verify_c%6fde=hunter2&Code=hunter2&guest_id=hunter2&country_code=a%2db')
    const { text, payload } = await tool('GET', '/__vatom/journal')
    for (const secret of ['hunter2', refresh_token, headers.authorization.slice(7), refresh_token.split('.')[2] ?? ''])
      expect(text).not.toContain(secret)
    expect(text).not.toContain(headers.authorization.split('.')[2])
    expect(payload.map(({ path }: { path: string }) => path).slice(-6)).toEqual([
      '/v1/user?access_token=[redacted]&To%6ben=[redacted]&x=1&fields=id&password=[redacted]',
      '/v1/user?note=[redacted]',
      '/v1/templates/[redacted]',
      '/v1/templates/a%2Fb-[redacted]',
      '/v1/user?a=1;password=[redacted]&key=[redacted]',
      '/v1/user?pin=[redacted]&verify_c%6fde=[redacted]&Code=[redacted]&guest_id=[redacted]&country_code=a%2db',
    ])
  })

  test('has what a request line names as it came, also where that is no path', async () => {
    const { baseUrl, tool } = await listening()
    await tool('DELETE', '/__vatom/journal')
    const targets = ['m://x/v1/user?password=hunter2', 'http://localhost/v1/user', '//localhost/v1/user']
    for (const target of targets)
      await rawConnection(
        Number(new URL(baseUrl).port),
        `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      ).closed
    const { payload } = await tool('GET', '/__vatom/journal')
    expect(payload.map(({ path }: { path: string }) => path)).toEqual([
      'm://x/v1/user?password=[redacted]',
      ...targets.slice(1),
    ])
  })

  test('limit gives the newest, and is checked', async () => {
    const { ask, tool } = await listening()
    for (const n of [1, 2, 3]) await ask('GET', `/v1/user?n=${n}`)
    const paths = async (query: string) =>
      (await tool('GET', `/__vatom/journal${query}`)).payload.map(({ path }: { path: string }) => path)
    expect(await paths('?limit=2')).toEqual(['/v1/user?n=2', '/v1/user?n=3'])
    expect(await paths('?limit=0')).toHaveLength(4)
    expect(await paths('?limit=5000')).toHaveLength(4)
    for (const query of ['?limit=x', '?limit=-1', '?limit=', '?page=1'])
      expect(await tool('GET', `/__vatom/journal${query}`)).toMatchObject({ status: 400, body: { error: 516 } })
  })

  test('DELETE empties it; requests are counted on', async () => {
    const { ask, tool } = await listening()
    await ask('GET', '/v1/user')
    const [{ seq }] = (await tool('GET', '/__vatom/journal?limit=1')).payload
    expect(await tool('DELETE', '/__vatom/journal')).toMatchObject({ status: 200 })
    await ask('GET', '/v1/user')
    expect((await tool('GET', '/__vatom/journal')).payload).toMatchObject([{ seq: seq + 1 }])
  })

  test('says what was removed with a user, by a reset, and by a snapshot that is loaded', async () => {
    const { ask, tool, publisher, register } = await listening({ temporary: newFolder() })
    const bob = await register('bob@example.com')
    const [id] = await emitted(publisher, 'local.vatom::Coupon', 3)
    await action(publisher, 'local.vatom::Coupon', 'Transfer')
    await perform(publisher, 'Transfer', id, { 'new.owner.id': bob.id })
    const last = async () => (await tool('GET', '/__vatom/journal?limit=1')).payload
    await bob.call('DELETE', '/v1/user')
    const gone = { users: 1, user_tokens: 1, sessions: 1, vatoms: 1 }
    expect(await last()).toMatchObject([{ operation: 'deleteUser', removed: gone }])
    await tool('PUT', '/__vatom/snapshots/one')
    const all = { templates: 1, variations: 1, vatoms: 2, assets: 0, users: 0 }
    const { payload } = await tool('DELETE', '/__vatom/data')
    expect(payload.removed).toEqual(all)
    expect(await last()).toMatchObject([{ method: 'DELETE', path: '/__vatom/data', status: 200, removed: all }])
    await ask('POST', '/v1/templates', template())
    await tool('PUT', '/__vatom/data', { snapshot: 'one' })
    const replaced = { templates: 1, variations: 0, vatoms: 0, assets: 0, users: 0 }
    expect(await last()).toMatchObject([{ method: 'PUT', path: '/__vatom/data', status: 200, removed: replaced }])
    await tool('GET', '/__vatom/snapshots')
    expect(await last()).toMatchObject([{ method: 'PUT' }])
  })

  test('has the last thousand', () => {
    const journal = new Journal()
    const one = { at: new Date(0), method: 'GET', status: 200, milliseconds: 0.04, requestId: 'id', journal: 0 }
    const seqs = () => journal.newest().map((entry) => Object(entry).seq)
    for (let n = 1; n <= 5000; n++) {
      journal.add({ ...one, url: `/v1/${n}` })
      if (n % 777 === 0 || n === 1000) expect(seqs()).toHaveLength(Math.min(n, 1000))
    }
    expect(seqs()).toEqual(Array.from({ length: 1000 }, (_, index) => 4001 + index))
  })

  test('a long path is cut', () => {
    const journal = new Journal()
    journal.add({ ...one, url: `/v1/${'x'.repeat(5000)}?token=hunter2` })
    const [entry] = journal.newest()
    expect(Object(entry).path).toMatch(/^\/v1\/x{1996}…$/)
  })

  test('a request whose connection broke off before it was whole is not a request', async () => {
    const { port, tool } = await listening()
    await tool('DELETE', '/__vatom/journal')
    const { socket, closed } = rawConnection(port)
    socket.end('GET /v1/us')
    await closed
    expect((await tool('GET', '/__vatom/journal')).payload).toEqual([])
  })
})

test('the journal is searched and counted by operation, path, status and user', async () => {
  const { tool, register } = await listening()
  const [ann, bob] = [await register('ann@example.com'), await register('bob@example.com')]
  for (const user of [ann, ann, bob]) await user.call('GET', '/v1/user')
  await bob.call('GET', '/v1/templates/local.vatom%3A%3ANone')
  const count = async (query: string) => (await tool('GET', `/__vatom/journal/count${query}`)).payload.count
  expect(await count('?operation=getProfile')).toBe(4)
  expect(await count(`?operation=getProfile&user=${ann.id}`)).toBe(2)
  expect(await count(`?user=${bob.id}&status=404`)).toBe(1)
  expect(await count('?path=/v1/templates/*&method=GET')).toBe(1)
  expect(await count('?status=500')).toBe(0)
  const { payload } = await tool('GET', `/__vatom/journal?user=${bob.id}&limit=1`)
  expect(payload).toMatchObject([{ operation: 'getTemplate', user: bob.id }])
})

test('the journal takes a user by address, too', async () => {
  const { tool, register } = await listening()
  const ann = await register('ann@example.com')
  await ann.call('GET', '/v1/user')
  const count = async (user: string) =>
    (await tool('GET', `/__vatom/journal/count?operation=getProfile&user=${user}`)).payload
  for (const user of [ann.id, 'ann@example.com', 'Ann@Example.com']) expect(await count(user)).toEqual({ count: 1 })
  expect(await tool('GET', '/__vatom/journal?user=ben@example.com')).toMatchObject({
    status: 400,
    body: { issues: [{ path: 'user', message: expect.stringContaining('neither the id of a user') }] },
  })
})

test.each(['?status=no', '?operation=none', '?path=v1', '?since=1', '?method=get', '?user=nobody'])(
  'the journal refuses %s',
  async (query) => {
    const { tool } = await listening()
    for (const path of ['', '/count'])
      expect(await tool('GET', `/__vatom/journal${path}${query}`)).toMatchObject({ status: 400, body: { error: 516 } })
  },
)

test('the journal has bodies, without secrets, when they are asked for', async () => {
  const { ask, tool } = await listening()
  await ask('PATCH', '/v1/user', { first_name: 'Ann', password: 'hunter2' })
  const [without] = (await tool('GET', '/__vatom/journal?limit=1')).payload
  expect(without).not.toHaveProperty('sent')
  expect(without).not.toHaveProperty('answered')
  const { payload, text } = await tool('GET', '/__vatom/journal?bodies=true&limit=1')
  expect(JSON.parse(payload[0].sent.text)).toEqual({ first_name: 'Ann', password: '[redacted]' })
  expect(JSON.parse(payload[0].answered.text)).toMatchObject({ payload: { properties: { first_name: 'Ann' } } })
  expect(text).not.toContain('hunter2')
})

test('a secret is struck out of a body that has its name twice, and nothing where there is none', async () => {
  const { baseUrl, headers, tool } = await listening()
  for (const [body, shown] of [
    ['{"password":"hunter2","password":""}', '{"password":"[redacted]","password":""}'],
    ['{"first_name":"Ann","password":""}', '{"first_name":"Ann","password":""}'],
  ]) {
    await fetch(`${baseUrl}/v1/user`, { method: 'PATCH', headers, body })
    const [{ sent }] = (await tool('GET', '/__vatom/journal?bodies=true&limit=1')).payload
    expect(sent.text).toBe(shown)
  }
})

test.each([
  [
    'token_type=guest_id&token=0a1b&password=hunter2&first_name=Ann',
    'token_type=guest_id&token=[redacted]&password=[redacted]&first_name=Ann',
  ],
  [
    '{"token_type":"guest_id","token":"0a1b","auth_data":{"password":"hunt',
    '{"token_type":"guest_id","token":"[redacted]","auth_data":{"password":"[redacted]"',
  ],
  ['token_type=email&token=ann@example.com&password=', 'token_type=email&token=ann@example.com&password='],
  ['token=ann@example.com&pass%77ord=hunter2&x=1', 'token=ann@example.com&pass%77ord=[redacted]&x=1'],
  ["{'password': 'hunter2', 'x': 'y'}", "{'password': '[redacted]', 'x': 'y'}"],
  ['{"password":{"a":"hunter2"},"x":1}', '{"password":"[redacted]","x":1}'],
  ['{"password":["hunter2"],"code":516}', '{"password":"[redacted]","code":516}'],
  ['{"url":"https://x/?pin=hunter2&a=1","x":1}', '{"url":"https://x/?pin=[redacted]&a=1","x":1}'],
  ['["see https://x/#a=1,password=hunter2 now"]', '["see https://x/#a=1,password=[redacted] now"]'],
  ['{"url":"https://x/?a=1&b=2", "x":"1 = 2"}', '{"url":"https://x/?a=1&b=2", "x":"1 = 2"}'],
  ['{"auth_data":"{\\"password\\":\\"hunter2\\"}"}', '{"auth_data":"{\\"password\\":\\"[redacted]\\"}"}'],
])('secrets are struck out of a body that is a form, or no whole JSON: %s', async (body, shown) => {
  const { baseUrl, headers, tool } = await listening()
  await fetch(`${baseUrl}/v1/user/login`, { method: 'POST', headers, body })
  const [{ sent }] = (await tool('GET', '/__vatom/journal?bodies=true&limit=1')).payload
  expect(sent.text).toBe(shown)
})

const one = { at: new Date(0), method: 'GET', status: 200, milliseconds: 0, requestId: 'id', journal: 0 }
const asQueryAndBody = (text: string) => {
  const journal = new Journal(new KeptBodies())
  journal.add({ ...one, url: `/v1/user?${text}` }, { sent: text, answered: undefined })
  return journal.newest({ bodies: 'true' }).map(({ path, sent }) => [path.slice('/v1/user?'.length), sent?.text])[0]
}

test.each([
  ['https://x/cb?password=hunter2', 'https://x/cb?password=[redacted]'],
  ['redirect=https://x/?password=hunter2&a=1', 'redirect=https://x/?password=[redacted]&a=1'],
  ['url=/a?verification_code=hunter2', 'url=/a?verification_code=[redacted]'],
  ['q=1?password=hunter2', 'q=1?password=[redacted]'],
  ['a=1;password=hunter2', 'a=1;password=[redacted]'],
  ['a=1;pass%77ord=hunter2;b=2&c=3', 'a=1;pass%77ord=[redacted]&c=3'],
  ['a=50%;pass%77ord=hunter2', 'a=50%;pass%77ord=[redacted]'],
  ['password=abc;hunter2&x=1', 'password=[redacted]&x=1'],
  ['pin=abc?hunter2;a=b', 'pin=[redacted]'],
  ['pin=hunter2=&x=1', 'pin=[redacted]&x=1'],
  ['password=&pin=&x=1', 'password=&pin=&x=1'],
  ['url=https://x/#pin=hunter2&a=1', 'url=https://x/#pin=[redacted]&a=1'],
  ['a,pin=hunter2&b+pin=hunter2&c', 'a,pin=[redacted]&b+pin=[redacted]&c'],
  ['user[password]=hunter2&x=1', 'user[password]=[redacted]&x=1'],
  ['password[]=hunter2&x[access_token][0]=hunter2', 'password[]=[redacted]&x[access_token][0]=[redacted]'],
  ['x[pin][][12]=hunter2&pin%5B%5D=hunter2', 'x[pin][][12]=[redacted]&pin%5B%5D=[redacted]'],
  ['pin[a]=1&pin]=2&pins[0]=3&[]=4&]]=5', 'pin[a]=1&pin]=[redacted]&pins[0]=3&[]=4&]]=5'],
  ['url=https%3A%2F%2Fx%2F%3Fpin%3Dhunter2&a=1', 'url=https%3A%2F%2Fx%2F%3Fpin%3D[redacted]&a=1'],
  ['url=%252F%253Fpin%253Dhunter2&a=1', 'url=%252F%253Fpin%253D[redacted]&a=1'],
  ['spin=1&pin-code=2&pins=3&x=pin%3D', 'spin=1&pin-code=2&pins=3&x=pin%3D'],
  ['a=pin;b?c=password&pin&d=e=f', 'a=pin;b?c=password&pin&d=e=f'],
])('of a query and of a body, what follows the name of a secret is struck out up to the next &: %s', (text, shown) => {
  expect(asQueryAndBody(text)).toEqual([shown, shown])
})

test.each([
  ['<a href="/x?pin=hunter2">here</a>', '<a href="/x?pin=[redacted]'],
  ['{"url": "https://x/?password=hunter2', '{"url": "https://x/?password=[redacted]'],
  ['code=hunter2\npin=hunter2 x=1', 'code=[redacted]\npin=[redacted] x=1'],
])('in a body that is no form, it is struck out up to white space: %s', (text, shown) => {
  expect(asQueryAndBody(text)?.[1]).toBe(shown)
})

test('no secret of a query or a body is shown, whatever stands before its name and in its value', () => {
  const anything = fc
    .array(fc.constantFrom('=', ';', '?', '%', '%3d', '/', 'x', 'pin', 'password'))
    .map((all) => all.join(''))
  const name = fc.constantFrom('password', 'Pin', 'verification_code', 'pass%77ord', 'secret')
  fc.assert(
    fc.property(anything, fc.constantFrom('&', ';', '?'), name, anything, (before, sign, name, value) => {
      const shown = asQueryAndBody(`${before}${sign}${name}=${value}hunter2;x${value}&last=1`)
      for (const text of shown ?? []) expect(text).toMatch(/^(?!.*hunter2).*&last=1$/)
    }),
  )
})

test('bodies in the journal have no codes, guest ids and tokens of devices', async () => {
  const { ask, tool } = await listening()
  const token = 'ada@example.com'
  await ask('POST', '/v1/user/tokens', { token, token_type: 'email' })
  const [{ code }] = (await tool('GET', '/__vatom/outbox')).payload
  const verified = await ask('POST', '/v1/user/verify_token', { token, token_type: 'email', verify_code: code })
  const pushed = await ask('POST', '/v1/user/pushnotification', { fcm_token: 'device-7', platform_id: 'ios', on: true })
  const guest = await ask('POST', '/v1/user/guest', {})
  const { guest_id } = guest.payload.properties
  const signedIn = await ask('POST', '/v1/user/login', { token_type: 'guest_id', token: guest_id })
  expect([verified, pushed, guest, signedIn].map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const { payload, text } = await tool('GET', '/__vatom/journal?bodies=true')
  expect(payload.at(-1).answered.text).toContain('"guest_id":"[redacted]"')
  for (const secret of [guest_id, code, 'device-7']) expect(text).not.toContain(secret)
})

test.each([
  ['eyJhbGciOi.eyJzdWIi.c2ln', '[redacted]'],
  ['no JSON, eyJa.b. and x-eyJa.b.c.d', 'no JSON, [redacted] and x-[redacted].d'],
  ['a.b.eyJa.eyJb.c', 'a.b.[redacted]'],
  ['eyJ.b.c eyJa..c eyJa.b eyJa b.c', 'eyJ.b.c eyJa..c eyJa.b eyJa b.c'],
  ['a=%2e&b=eyJa%2Eb%2ec&c=eyJa%2Eb', 'a=%2e&b=[redacted]&c=eyJa%2Eb'],
  ['%zz%%2ex%65yJa%2eb.c%', '%zz%.x[redacted]%'],
])('web tokens are struck out of bodies wherever they stand: %s', async (note, shown) => {
  const { ask, tool } = await listening()
  for (const body of [{ note }, note]) {
    await ask('PATCH', '/v1/user', body)
    const [{ sent }] = (await tool('GET', '/__vatom/journal?bodies=true&limit=1')).payload
    expect(sent.text).toBe(JSON.stringify(body).replace(note, shown))
    expect(sent.redacted).toBe(note === shown ? undefined : true)
  }
})

test('bodies with many beginnings of secrets, none of which ends, are read at once', async () => {
  const { ask, tool } = await listening()
  const hostile = [
    'eyJ',
    'eyJ_',
    'x-eyJa',
    'eyJa.',
    '.eyJa',
    '%2e',
    'eyJa%2E',
    '"code":"\\',
    '"pin"  ',
    '"jwt" :',
    '&pin=',
    'guest_id&token= ',
    '%=',
    ';%zz=',
    '%61=',
    '=',
    '%3D',
    '%25',
    'pin=&',
    'x]=',
  ]
  const texts = hostile.map((part) => part.repeat(65_000 / part.length))
  for (let times = 0; times < 2; times++) for (const text of texts) await ask('POST', '/v1/user/login', text)
  const { payload } = await tool('GET', `/__vatom/journal?bodies=true&limit=${2 * texts.length}`)
  const shown: string[] = payload.map(({ sent }: { sent: { text: string } }) => sent.text)
  for (const text of texts.slice(0, 3)) expect(shown.filter((one) => one === JSON.stringify(text))).toHaveLength(2)
})

test('a service with a database and without a console keeps no bodies', async () => {
  const { ask, tool } = await listening({ db: newDatabase() })
  await ask('PATCH', '/v1/user', { first_name: 'Ann' })
  const { payload } = await tool('GET', '/__vatom/journal?bodies=true&limit=1')
  expect(payload).toMatchObject([{ operation: 'updateProfile' }])
  expect(payload[0]).not.toHaveProperty('sent')
})
