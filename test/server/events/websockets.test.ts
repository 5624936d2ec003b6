import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { dropSlowest } from '../../../src/server/unread.ts'
import { template, variation, variationName } from '../../fixtures/bodies.ts'
import { onDisk, uploaded } from '../../support/assets.ts'
import { newDatabase } from '../../support/folders.ts'
import { isWhole, rawConnection } from '../../support/raw-connection.ts'
import { made } from '../../support/service.ts'
import { dial, hall, monitor, refusal, says } from '../../support/sockets.ts'
import { listening } from '../../support/worlds.ts'

const asking = (path: string, protocol = 'websocket') =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n` +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'

describe('a connection', () => {
  test('begins with whose it is', async () => {
    const { publisher, address, lines } = await hall()
    const { next } = dial(address(publisher.token))
    expect(await next()).toEqual([{ msg_type: 'info', payload: expect.any(Object), user_id: publisher.id }])
    expect(lines.filter((line) => line.startsWith('GET /ws 101 '))).toHaveLength(1)
    expect(lines.join('\n')).not.toContain(publisher.token)
  })

  test('is found under repeated slashes, and not under another path', async () => {
    const { publisher, wsUrl } = await hall()
    const query = `?app_id=local&token=${publisher.token}`
    expect(await dial(`${wsUrl.replace(/ws$/, '/ws')}${query}`).next()).toHaveLength(1)
    expect(await refusal(`${wsUrl}/x${query}`)).toMatchObject({ status: 404 })
  })

  test.each([
    ['without a token', '?app_id=local', 403, 401],
    ['with an empty token', '?app_id=local&token=', 403, 401],
    ['with a bad token', '?app_id=local&token=x', 403, 401],
    ['without an application', '?token=TOKEN', 403, 2],
    ['with an unknown application', '?app_id=x&token=TOKEN', 403, 2],
    ['with two tokens', '?app_id=local&token=TOKEN&token=TOKEN', 403, 401],
  ])('%s is refused', async (_, query, status, error) => {
    const { publisher, wsUrl } = await hall()
    const refused = await refusal(wsUrl + query.replaceAll('TOKEN', publisher.token))
    expect(refused).toMatchObject({ status })
    expect(JSON.parse(refused.text)).toEqual({ request_id: expect.any(String), error, message: expect.any(String) })
  })

  test('with an expired token is refused, as mobile clients need it', async () => {
    const { publisher, address, advance } = await hall({ compat: 'sdk' })
    expect(await refusal(address('x'))).toEqual({ status: 401, text: '{"message":"Unauthorized"}' })
    advance(301)
    expect(await refusal(address(publisher.token))).toEqual({ status: 401, text: '{"exp":"token expired"}' })
  })

  test.each([
    [{ headers: { host: 'evil.example' } }, 9014],
    [{ origin: 'https://evil.example' }, 9023],
    [{ origin: 'null' }, 9023],
  ])('of %j is refused: %i', async (how, error) => {
    const { publisher, address } = await hall()
    const refused = await refusal(address(publisher.token), how)
    expect([refused.status, JSON.parse(refused.text).error]).toEqual([403, error])
  })

  test.each([
    { origin: 'http://localhost:3000' },
    { origin: 'https://app.example' },
    { origin: 'http://10.0.2.2:4100', headers: { host: '10.0.2.2:4100' } },
  ])('of %j is taken', async (how) => {
    const { publisher, connected } = await hall({ corsOrigins: ['https://app.example'] })
    await connected(publisher, how)
  })

  test('is no use without a WebSocket: a plain request is refused', async () => {
    const { baseUrl, publisher } = await hall()
    const answer = await fetch(`${baseUrl}/ws?app_id=local&token=${publisher.token}`)
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: 516 }])
  })

  test('is in the journal, and its token is not; a scenario can refuse it', async () => {
    const { ask, tool, publisher, baseUrl } = await listening()
    const address = `${baseUrl.replace('http', 'ws')}/ws?app_id=local&token=${publisher.token}`
    await dial(address).next()
    // biome-ignore lint/suspicious/noThenProperty: a rule says what to do
    await tool('PUT', '/__vatom/scenario', [{ match: { path: '/ws' }, then: { status: 503 } }])
    expect(await refusal(address)).toMatchObject({ status: 503 })
    const { payload } = await ask('GET', '/__vatom/journal')
    expect(payload.slice(-2)).toMatchObject([
      { method: 'GET', path: '/ws?app_id=local&token=[redacted]', status: 101 },
      { status: 503, injected: true },
    ])
  })

  test('has a place where others fill the service, in exchange for one of whoever has most', async () => {
    const { publisher, address, connected, register } = await hall()
    const late = await register('late@example.com')
    const users = await Promise.all(Array.from({ length: 50 }, (_, index) => register(`u${index}@example.com`)))
    const connections = users.flatMap((user) => Array.from({ length: 20 }, () => user))
    const [first] = await Promise.all(connections.map((user) => connected(user)))
    await connected(publisher)
    expect(await first?.closed).toBe(1013)
    for (let count = 0; count < 19; count++) await connected(late)
    expect(await refusal(address(late.token))).toMatchObject({ status: 503 })
    await connected(publisher)
  }, 60_000)

  test('is refused to a user who has twenty, and not to others', async () => {
    const { publisher, address, connected, register } = await hall()
    const bob = await register('bob@example.com')
    const [first] = await Promise.all(Array.from({ length: 20 }, () => connected(bob)))
    const refused = await refusal(address(bob.token))
    expect([refused.status, refused.text]).toEqual([503, expect.stringContaining('20 connections')])
    await connected(publisher)
    first?.socket.close()
    await first?.closed
    await connected(bob)
  })
})

describe('a request for another protocol', () => {
  const wish = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n'

  /** What a connection answers to requests, each sent when the one before was answered. */
  async function answers(port: number, requests: readonly string[]): Promise<string[]> {
    const { socket, received, until } = rawConnection(port)
    const found: string[] = []
    for (const request of requests) {
      const before = received().length
      socket.write(request)
      found.push((await until((all) => isWhole(all.slice(before)))).slice(before))
    }
    return found
  }

  test('is answered as if it had not asked for it, with its body', async () => {
    const { port } = await hall()
    const body = JSON.stringify({ token: 'publisher@local.vatom', token_type: 'email', auth_data: { password: 'x' } })
    const request = `POST /v1/user/login HTTP/1.1\r\nHost: localhost\r\nApp-Id: local\r\n${wish}Content-Length: ${body.length}\r\n\r\n${body}`
    expect(await answers(port, [request])).toEqual([expect.stringMatching(/^HTTP\/1\.1 403 .*"error":2032/s)])
  })

  test('is answered however many there are on one connection', async () => {
    const { port } = await hall()
    const warned = vi.fn()
    process.on('warning', warned)
    onTestFinished(() => void process.off('warning', warned))
    const request = `GET /__vatom/health HTTP/1.1\r\nHost: localhost\r\n${wish}\r\n`
    const found = await answers(port, Array(12).fill(request))
    expect(found.filter((one) => one.startsWith('HTTP/1.1 200 '))).toHaveLength(12)
    expect(warned.mock.calls).toEqual([])
  })

  test('is refused with more header fields than are kept, among the lost ones that of a proxy', async () => {
    const { port } = await hall()
    const outbox = `GET /__vatom/outbox HTTP/1.1\r\nHost: localhost\r\n`
    const asked = (fields: number, more: string) =>
      rawConnection(port, `${outbox}${more}${'A: 1\r\n'.repeat(fields)}X-Forwarded-For: 192.0.2.1\r\n\r\n`)
    for (const fields of [97, 121, 130, 300]) {
      const { until } = asked(fields, wish)
      expect(await until(isWhole)).toMatch(/^HTTP\/1\.1 400 .*100 or more header fields/s)
    }
    expect(await asked(5, wish).until(isWhole)).toMatch(/^HTTP\/1\.1 403 /)
  })
})

describe('a request for a WebSocket that is sent before earlier requests of its connection are answered', () => {
  const health = 'GET /__vatom/health HTTP/1.1\r\nHost: localhost\r\n\r\n'
  const body = JSON.stringify({ user_tokens: [{ token: 'a@example.com', token_type: 'email' }], password: 'secret' })
  const slow = `POST /v1/users HTTP/1.1\r\nHost: localhost\r\nApp-Id: local\r\nContent-Length: ${body.length}\r\n\r\n${body}`

  const statuses = (got: string) => [...got.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))

  test.each(['http://localhost/ws', '//ws', '/w%73'])('is connected at %s', async (path) => {
    const { port, publisher } = await hall()
    const { until } = rawConnection(port, asking(`${path}?app_id=local&token=${publisher.token}`))
    expect(statuses(await until((all) => all.includes('"connected"') || all.includes('"error"')))).toEqual([101])
  })

  test.each([
    ['without a token', health + asking('/ws'), [200, 403]],
    ['after a slow request', slow + asking('/ws'), [200, 403]],
    ['after several', health + slow + health + asking('/ws'), [200, 200, 200, 403]],
    ['behind one of another path', asking('/x') + asking('/ws'), [404, 403]],
    ['behind another', asking('/ws') + asking('/ws'), [403]],
  ])('is answered in its turn: %s', async (_, text, expected) => {
    const { port, send } = await hall()
    expect(statuses(await rawConnection(port, text).closed)).toEqual(expected)
    expect(await send('GET', '/v1/user')).toMatchObject({ status: 403 })
  })

  test('is answered in its turn: for another protocol', async () => {
    const { port } = await hall()
    const { until } = rawConnection(port, health + slow + asking('/x', 'h2c'))
    const got = await until((all) => statuses(all).length === 3 && all.endsWith('}'))
    expect(statuses(got)).toEqual([200, 200, 404])
  })

  test('is answered whole at a path where there is none, and one that is given up leaves nothing behind', async () => {
    const { port, publisher, baseUrl } = await hall({ db: onDisk().db })
    const open = async () => {
      const text = await (await fetch(`${baseUrl}/__vatom/metrics`)).text()
      return /^vatom_connections_open (\d+)$/m.exec(text)?.[1]
    }
    const text = 'x'.repeat(3_000_000)
    const [{ url }] = await uploaded(publisher, {
      name: 'long.txt',
      content: async function* () {
        yield Buffer.from(text)
      },
    })
    const path = new URL(url).pathname
    const { until } = rawConnection(port, asking(path))
    expect((await until((all) => all.length > text.length)).startsWith('HTTP/1.1 200 ')).toBe(true)
    const given = Array.from({ length: 20 }, () => rawConnection(port, asking(path)))
    for (const { socket, until } of given) {
      await until((all) => all.length > 0)
      socket.destroy()
    }
    await expect.poll(open).toBe('2')
  })

  test('connects in its turn, after a long answer too', async () => {
    const { port, publisher } = await hall()
    for (let index = 0; index < 50; index++)
      await made(publisher, [
        'POST',
        '/v1/templates',
        template({ template: `local.vatom::T${index}` }, {}, { text: 'x'.repeat(60_000) }),
      ])
    const list = `GET /v1/templates?fields=name,properties(template) HTTP/1.1\r\nHost: localhost\r\nApp-Id: local\r\nAuthorization: Bearer ${publisher.token}\r\n\r\n`
    const { until } = rawConnection(port, list + asking(`/ws?app_id=local&token=${publisher.token}`))
    const got = await until((all) => all.includes('"connected"'))
    expect(statuses(got)).toEqual([200, 101])
    expect(got.length).toBeGreaterThan(3_000_000)
  })
})

describe('a connection ends', () => {
  afterEach(() => void vi.useRealTimers())

  test('with its session, not with its access token', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { service, publisher, connected, register, advance, as, send } = await hall()
    const bob = await register('bob@example.com')
    const { next, closed, rest } = await connected(bob)
    advance(301)
    const { payload } = await send('POST', '/v1/user/login', {
      body: { token: 'bob@example.com', token_type: 'email', auth_data: { password: 'secret' } },
    })
    await says(as(bob.id, payload.access_token.token), bob, 'still there')
    expect(await next()).toMatchObject([{ payload: { msg: 'still there' } }])
    advance(31 * 24 * 3600)
    await says(as(publisher.id, service.localToken()), bob, 'late')
    expect(await closed).toBe(1008)
    expect(rest()).toEqual([])
  })

  test('with a logout, and others of the user go on', async () => {
    const { connected, register, as, send } = await hall()
    const bob = await register('bob@example.com')
    const login = { token: 'bob@example.com', token_type: 'email', auth_data: { password: 'secret' } }
    const { payload } = await send('POST', '/v1/user/login', { body: login })
    const again = as(bob.id, payload.access_token.token)
    const [first, second] = [await connected(bob), await connected(again)]
    await made(bob, ['POST', '/v1/user/logout'])
    expect(await first.closed).toBe(1008)
    await says(again, again, 'Hello')
    expect(await second.next()).toMatchObject([{ payload: { msg: 'Hello' } }])
  })

  test('with a logout also where its client does not confirm that', async () => {
    const { register, port } = await hall()
    const ann = await register('ann@example.com')
    const { until, closed } = rawConnection(port, asking(`/ws?app_id=local&token=${ann.token}`))
    await until((all) => all.includes('"connected"'))
    expect(await ann.call('POST', '/v1/user/logout')).toMatchObject({ status: 200 })
    expect(await closed).toContain('the session has ended')
  }, 10_000)

  test('when the service closes, which waits for nobody', async () => {
    const { service, publisher, connected } = await hall()
    const [polite, silent] = [await connected(publisher), await connected(publisher)]
    silent.socket.pause()
    await service.close()
    expect(await polite.closed).toBe(1001)
  })

  test('when the service closes, after which nothing is looked at', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { service, publisher, connected } = await hall({ db: newDatabase() })
    const idle = vi.getTimerCount()
    await connected(publisher)
    expect(vi.getTimerCount()).toBeGreaterThan(idle)
    await service.close()
    expect(vi.getTimerCount()).toBe(0)
  })

  test('when its client does not answer, and only then', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { publisher, connected } = await hall()
    const [alive, silent] = [await connected(publisher), await connected(publisher, { autoPong: false })]
    vi.advanceTimersByTime(30_000)
    await alive.settled()
    // What answers the ping of the service was sent before this, and is read one turn of the event loop later.
    await alive.settled()
    vi.advanceTimersByTime(30_000)
    expect(await silent.closed).toBe(1006)
    expect(await alive.settled()).toEqual([])
  })

  test('when its client does not read what it is sent', async () => {
    const { publisher, connected } = await hall()
    const [slow, quick] = [await connected(publisher), await connected(publisher)]
    slow.socket.pause()
    await made(
      publisher,
      ['POST', '/v1/templates', template({ unpublished: false })],
      ['POST', '/v1/template_variations', variation({ unpublished: false })],
    )
    const isDropped = () => new Promise((resolve) => slow.socket.ping('', true, (error) => resolve(Boolean(error))))
    // How much the system buffers, before anything is unread for the service, depends on the machine.
    while (!(await isDropped())) {
      await made(publisher, ['POST', '/v1/vatoms', { template_variation: variationName, num: 10_000 }])
      await quick.next(10_000)
    }
    slow.socket.resume()
    expect(await slow.closed).toBe(1006)
    expect(await quick.settled()).toEqual([])
  })

  test('when its client says too much at once', async () => {
    const { publisher, connected } = await hall()
    const { socket, closed } = await connected(publisher)
    socket.send('x'.repeat(limits.socketMessage + 1))
    expect(await closed).toBe(1009)
  })

  test('when its client sends one message after the other that is no command, and only then', async () => {
    const { publisher, connected } = await hall()
    const { socket, next, closed } = await connected(publisher)
    for (let sent = 1; sent < limits.socketRefused; sent++) socket.send('{}')
    socket.send(monitor)
    for (let sent = 1; sent < limits.socketRefused; sent++) socket.send('{}')
    await next(2 * (limits.socketRefused - 1))
    socket.send('{}')
    expect(await next()).toMatchObject([{ msg_type: 'error' }])
    expect(await closed).toBe(1008)
  })

  test('that sends a message in many fragments is closed, however short they are', async () => {
    const { publisher, connected } = await hall()
    const { socket, next } = await connected(publisher)
    for (let part = 1; part < limits.socketFragments; part++) socket.send('', { fin: false })
    socket.send('{}', { fin: true })
    expect(await next()).toMatchObject([{ msg_type: 'error' }])
    const { socket: other, closed } = await connected(publisher)
    for (let part = 0; part <= limits.socketFragments; part++) other.send('x', { fin: false })
    expect(await closed).toBe(1008)
  })
})

test.each(['x', '{}', '[]', '{"id":"7","type":"command","cmd":"dance"}', 'null', new Uint8Array([1])])(
  'a message that is no command is answered with an error: %j',
  async (said) => {
    const { publisher, connected } = await hall()
    const { socket, next } = await connected(publisher)
    socket.send(said)
    expect(await next()).toMatchObject([{ msg_type: 'error', payload: { message: expect.any(String) } }])
  },
)

test.each([
  ['nests deeper than bodies may', `{"id":7,"x":${'['.repeat(64)}${']'.repeat(64)}}`, undefined],
  ['has an id that is none', '{"id":{"a":1}}', undefined],
  ['has a long id', JSON.stringify({ id: 'x'.repeat(257) }), undefined],
  ['has an id', '{"id":"7"}', '7'],
  ['has a number as its id', '{"id":7}', 7],
])('an error answers a message that %s, and the connection goes on', async (_what, said, id) => {
  const { publisher, connected } = await hall()
  const { socket, next } = await connected(publisher)
  for (const _ of ['first', 'second']) {
    socket.send(said)
    const [told] = await next()
    expect([told?.msg_type, told?.payload.id]).toEqual(['error', id])
  }
})

test.each([
  [[10, 0, 30, 20], 60, []],
  [[10, 0, 30, 20], 59, [30]],
  [[10, 0, 30, 20], 29, [30, 20]],
  [[5, 5], 0, [5, 5]],
])('of those who left %j bytes unread, the slowest are dropped until no more than %d wait', (all, most, expected) => {
  const dropped: number[] = []
  dropSlowest(
    all.map((unread) => ({ unread, place: 'a', drop: () => dropped.push(unread) })),
    most,
  )
  expect(dropped).toEqual(expected)
})

test('whoever reads nothing is dropped first, then those of the address for which the most waits', () => {
  const dropped: string[] = []
  const reader = (name: string, unread: number, place: string, stands = false) => ({
    ...{ unread, place, stands, drop: () => dropped.push(name) },
  })
  const readers = [
    reader('long answer', 100, 'a'),
    ...['1', '2', '3', '4'].map((name) => reader(name, 40, 'b')),
    reader('asleep', 10, 'c', true),
  ]
  dropSlowest(readers, 190)
  expect(dropped).toEqual(['asleep', '1', '2'])
})
