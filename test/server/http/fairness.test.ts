import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { nextTurn } from '../../../src/server/store/next-turn.ts'
import { Slices } from '../../../src/server/store/slices.ts'
import { newFolder } from '../../support/folders.ts'
import { rawConnection } from '../../support/raw-connection.ts'
import { dial, hall, monitor } from '../../support/sockets.ts'
import { listening } from '../../support/worlds.ts'

async function opened(port: number) {
  const { socket } = rawConnection(port)
  await once(socket, 'connect')
  return socket
}

// The first, as the memory that others leave behind would count.
test('a body in many small chunks takes no more memory than its bytes', async () => {
  const { service, port } = await listening()
  const socket = await opened(port)
  const before = memoryOfThread()
  socket.write(
    `POST /v1/users HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nApp-Id: ${service.appId}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`,
  )
  const spaces = '1\r\n \r\n'.repeat(10_000)
  for (let part = 0; part < 40; part++) if (!socket.write(spaces)) await once(socket, 'drain')
  socket.write('1\r\n}\r\n0\r\n\r\n')
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toContain('HTTP/1.1 400')
  expect(memoryOfThread() - before).toBeLessThan(100 * 2 ** 20)
})

/** Bytes that this thread has, with what its buffers take: tests of other threads run in the same process. */
function memoryOfThread(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** As if everything took some milliseconds. */
function slowed(): void {
  let now = 0
  const later = () => {
    now += 10
    return now
  }
  const clocks = [
    vi.spyOn(performance, 'now').mockImplementation(later),
    vi.spyOn(process, 'cpuUsage').mockImplementation(() => ({ user: later() * 1000, system: 0 })),
  ]
  onTestFinished(() => {
    for (const clock of clocks) clock.mockRestore()
  })
}

/** Calls `note` with each message of a channel until the test ends. */
function listen<T>(channel: string, note: (message: T) => void): void {
  const listener = (message: unknown) => note(message as T)
  subscribe(channel, listener)
  onTestFinished(() => {
    unsubscribe(channel, listener)
  })
}

/** The Authorization of each request, in the order in which the service answers. */
function answered(): (string | undefined)[] {
  const order: (string | undefined)[] = []
  listen<{ request: IncomingMessage }>('http.server.response.finish', ({ request }) => {
    order.push(request.headers.authorization)
  })
  return order
}

/** How many bytes the service has read of the connections that are made from now on. */
function receivedBytes(): () => number {
  const sockets: Socket[] = []
  listen<{ socket: Socket }>('net.server.socket', ({ socket }) => sockets.push(socket))
  return () => sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0)
}

/** Connections whose requests the service has received but for their last bytes; `complete` sends these. */
async function incomplete(port: number, requests: readonly string[]) {
  const received = receivedBytes()
  const all = requests.map((text) => {
    const { socket, until } = rawConnection(port, text.slice(0, -1))
    return { isAnswered: until((answer) => answer.includes('\r\n\r\n')), complete: () => socket.write(text.slice(-1)) }
  })
  const written = requests.reduce((sum, { length }) => sum + length - 1, 0)
  await vi.waitUntil(() => received() === written, { timeout: 10_000 })
  return all
}

const profileRequest = (port: number, token: string, body = '') =>
  `${body ? 'PATCH' : 'GET'} /v1/user HTTP/1.1\r\nHost: localhost:${port}\r\nApp-Id: local\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${body.length}\r\n\r\n${body}`

test.each([
  ['header', ''],
  ['body', '{}'],
])(
  'requests of many connections whose %s is complete at the same moment take turns, and users share the time',
  async (_last, body) => {
    const { port, publisher, register } = await listening()
    const { token } = await register('eve@example.com')
    const order = answered()
    const many = Array.from({ length: 30 }, () => profileRequest(port, token, body))
    const all = await incomplete(port, [...many, profileRequest(port, publisher.token, body)])
    slowed()
    for (const { complete } of all) complete()
    await Promise.all(all.map(({ isAnswered }) => isAnswered))
    expect(order.indexOf(`Bearer ${publisher.token}`)).toBeLessThan(10)
  },
)

test('a header takes turns with bodies that are complete at the same moment', async () => {
  const { port, publisher, register } = await listening()
  const { token } = await register('eve@example.com')
  const order = answered()
  const many = Array.from({ length: 30 }, () => profileRequest(port, token, '{}'))
  const all = await incomplete(port, [...many, profileRequest(port, publisher.token)])
  slowed()
  for (const { complete } of all) complete()
  await Promise.all(all.map(({ isAnswered }) => isAnswered))
  expect(order.indexOf(`Bearer ${publisher.token}`)).toBeLessThan(10)
})

test('callers without a genuine token have one line, whatever they send as one', async () => {
  const { port, publisher } = await listening()
  const order = answered()
  const many = Array.from({ length: 30 }, (_, at) => profileRequest(port, `false-${at}`))
  const all = await incomplete(port, [...many, profileRequest(port, publisher.token)])
  slowed()
  for (const { complete } of all) complete()
  await Promise.all(all.map(({ isAnswered }) => isAnswered))
  expect(order.indexOf(`Bearer ${publisher.token}`)).toBeLessThan(10)
})

test('who connects does not wait until those who are connected are answered', async () => {
  const { port, publisher, register } = await listening()
  const { token } = await register('eve@example.com')
  const order = answered()
  const many = await incomplete(
    port,
    Array.from({ length: 30 }, () => profileRequest(port, token)),
  )
  slowed()
  for (const { complete } of many) complete()
  for (let at = 0; at < 25; at++) rawConnection(port)
  await rawConnection(port, profileRequest(port, publisher.token)).until((answer) => answer.includes('\r\n\r\n'))
  expect(order.length).toBeLessThan(15)
})

test('a body in many small chunks is parsed in turns with the requests of others, and arrives whole', async () => {
  const { port, publisher } = await listening()
  const [many, other] = [rawConnection(port), rawConnection(port)]
  slowed()
  const head = `Host: localhost:${port}\r\nApp-Id: local\r\nAuthorization: Bearer ${publisher.token}\r\n`
  const chunks = [...JSON.stringify({ first_name: 'Ann' }).padEnd(8000)].map((one) => `1\r\n${one}\r\n`)
  many.socket.write(`PATCH /v1/user HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n${chunks.join('')}0\r\n\r\n`)
  other.socket.write(`GET /__vatom/health HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`)
  expect(await other.until((text) => text.includes('200 OK'))).toContain('200 OK')
  expect(many.received()).toBe('')
  expect(await many.until((text) => text.includes('"Ann"'))).toContain('200 OK')
})

/** Two connections, a request for both, and how many of the requests of the first are answered. */
async function twoConnections() {
  const { port } = await listening()
  const [many, other] = [await opened(port), await opened(port)]
  let answers = 0
  many.on('data', (chunk) => {
    answers += chunk.toString().split('HTTP/1.1 200').length - 1
  })
  const request = `GET /__vatom/health HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`
  return { many, other, request, answers: () => answers }
}

const upgrade = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n'

test.each([
  ['many requests', ''],
  ['many requests for another protocol', upgrade],
])('%s that one connection sends at once take turns with those of others', async (_what, headers) => {
  const { many, other, request, answers } = await twoConnections()
  const count = 500
  many.write(request.replace(/\r\n$/, `${headers}\r\n`).repeat(count))
  other.write(request)
  await once(other, 'data')
  expect(answers()).toBeLessThan(count / 2)
  while (answers() < count) await once(many, 'data')
  expect(answers()).toBe(count)
})

/** Counts the requests of any connection that are parsed and not answered; returns the most of them at a time. */
function mostParsed(): () => number {
  let [waiting, most] = [0, 0]
  listen('http.server.request.start', () => {
    waiting += 1
    most = Math.max(most, waiting)
  })
  listen('http.server.response.finish', () => {
    waiting -= 1
  })
  return () => most
}

test('requests that a connection sends without waiting for answers are parsed as they are answered', async () => {
  const { many, other, request, answers } = await twoConnections()
  const most = mostParsed()
  const count = 3000
  many.write(request.repeat(count))
  await once(many, 'data')
  other.write(request)
  const [answer] = await once(other, 'data')
  expect(String(answer)).toContain('HTTP/1.1 200')
  expect(answers()).toBeLessThan(count / 10)
  while (answers() < count) await once(many, 'data')
  expect(answers()).toBe(count)
  expect(most()).toBeLessThan(64)
})

test('requests of many connections at once are parsed in turns, and all are answered', async () => {
  const { port } = await listening()
  const most = mostParsed()
  const count = 200
  const request = `GET / HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`
  const last = `GET /last HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`
  const connections = Array.from({ length: 20 }, () => rawConnection(port, request.repeat(count) + last))
  const received = await Promise.all(connections.map(({ closed }) => closed))
  for (const text of received) expect(text.split(/HTTP\/1\.1 [24]/)).toHaveLength(count + 2)
  expect(most()).toBeLessThan(20 * 64)
})

test('bodies with empty lines arrive whole, behind others and in small parts, and the order stays', async () => {
  const { port, publisher } = await listening()
  const names = Array.from({ length: 60 }, (_, at) => `Ann ${at}`)
  const head = `Host: localhost:${port}\r\nApp-Id: local\r\nAuthorization: Bearer ${publisher.token}\r\n`
  const texts = names.map((name) => {
    const body = `{\n\n"first_name":\r\n\r\n"${name}"${'\n'.repeat(3000)}}`
    return `PATCH /v1/user HTTP/1.1\r\n${head}Content-Length: ${body.length}\r\n\r\n${body}`
  })
  const { socket, until } = rawConnection(port)
  const all = texts.join('')
  for (let at = 0; at < all.length; at += 7001) if (!socket.write(all.slice(at, at + 7001))) await once(socket, 'drain')
  const received = await until((text) => text.includes(`"${names.at(-1)}"`))
  expect([...received.matchAll(/"first_name":"([^"]*)"/g)].map(([, name]) => name)).toEqual(names)
})

test('an upload of empty lines is read as fast as any other', async () => {
  const { baseUrl, headers } = await listening({ temporary: newFolder() })
  const turns = vi.spyOn(globalThis, 'setImmediate')
  onTestFinished(() => turns.mockRestore())
  const form = new FormData()
  form.append('file', new Blob(['\n'.repeat(2 ** 22)]), 'lines.txt')
  const { status } = await fetch(`${baseUrl}/v1/publisher/asset`, { method: 'POST', headers, body: form })
  expect(status).toBe(200)
  expect(turns.mock.calls.length).toBeLessThan(500)
})

test('a request for another protocol among many is answered in its place, and those behind it, too', async () => {
  const { port } = await listening()
  const request = (id: number, rest = '') =>
    `GET / HTTP/1.1\r\nHost: localhost:${port}\r\nX-Request-Id: ${id}\r\n${rest}\r\n`
  const before = Array.from({ length: 100 }, (_, at) => request(at))
  const after = Array.from({ length: 100 }, (_, at) => request(at + 101))
  const text = [...before, request(100, upgrade), ...after, request(201, 'Connection: close\r\n')].join('')
  const received = await rawConnection(port, text).closed
  const answered = [...received.matchAll(/x-request-id: (\d+)/g)].map(([, number]) => Number(number))
  expect(answered).toEqual(Array.from({ length: 202 }, (_, at) => at))
})

test('a search knows that its connection is closed, so that it is not continued', async () => {
  const { port, publisher } = await listening()
  const run = vi.spyOn(Slices.prototype, 'run').mockReturnValue(new Promise(() => undefined))
  onTestFinished(() => run.mockRestore())
  const socket = await opened(port)
  const head = `Host: 127.0.0.1:${port}\r\nApp-Id: local\r\nAuthorization: Bearer ${publisher.token}`
  socket.write(`POST /v1/vatom/discover HTTP/1.1\r\n${head}\r\nContent-Length: 2\r\n\r\n{}`)
  await vi.waitFor(() => expect(run).toHaveBeenCalledOnce())
  const asker = run.mock.calls[0]?.[1]
  expect([asker?.user.id, asker?.isGone()]).toEqual([publisher.id, false])
  socket.destroy()
  await vi.waitFor(() => expect(asker?.isGone()).toBe(true))
})

test('of a connection that waits for its answers hardly more is read, however small the pieces are', async () => {
  const { port, publisher } = await listening()
  const run = vi.spyOn(Slices.prototype, 'run').mockReturnValue(new Promise(() => undefined))
  onTestFinished(() => run.mockRestore())
  const received = receivedBytes()
  const socket = await opened(port)
  const head = `Host: 127.0.0.1:${port}\r\nApp-Id: local\r\nAuthorization: Bearer ${publisher.token}`
  const search = `POST /v1/vatom/discover HTTP/1.1\r\n${head}\r\nContent-Length: 2\r\n\r\n{}`
  const [atOnce, piece] = [16, 100]
  socket.setNoDelay(true).write(search.repeat(atOnce + 1))
  await vi.waitFor(() => expect(run).toHaveBeenCalled())
  await vi.waitFor(() => expect(received()).toBe(search.length * (atOnce + 1)))
  for (let sent = 0; sent < 40; sent++) {
    socket.write(' '.repeat(piece))
    await nextTurn()
  }
  expect(received()).toBeLessThanOrEqual(search.length * (atOnce + 1) + 2 * piece)
})

test('many messages that one WebSocket sends at once take turns with the requests of others', async () => {
  const { publisher, address, port } = await hall()
  const { socket, next } = dial(address(publisher.token))
  await next()
  const other = await opened(port)
  const count = 1000
  let answers = 0
  const all = new Promise<void>((resolve) => {
    socket.on('message', () => {
      answers += 1
      if (answers === count) resolve()
    })
  })
  for (let sent = 0; sent < count; sent++) {
    socket.send(monitor)
    socket.send('{}')
  }
  other.write(`GET /__vatom/health HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
  await once(other, 'data')
  expect(answers).toBeLessThan(count / 10)
  await all
})

/** WebSockets of two users, twenty of the one and one of the other, and whose messages are answered, in their order. */
async function crowd() {
  const { publisher, register, connected, port } = await hall()
  const eve = await register('eve@example.com')
  const many = await Promise.all(Array.from({ length: limits.socketsOfUser }, () => connected(eve)))
  const other = await connected(publisher)
  const order: string[] = []
  for (const { socket } of many) socket.on('message', () => order.push('eve'))
  other.socket.on('message', () => order.push('publisher'))
  return { many, other, order, port }
}

test('messages that many WebSockets send at the same moment take turns, and users share the time', async () => {
  const { many, other, order } = await crowd()
  slowed()
  for (const { socket } of many) socket.send('{}')
  other.socket.send('{}')
  await Promise.all([...many, other].map(({ next }) => next()))
  expect(order.indexOf('publisher')).toBeLessThan(5)
})

test('pings that many WebSockets send at the same moment take turns, and users share the time', async () => {
  const { many, other, order } = await crowd()
  const answered = [...many, other].map(({ socket }) => new Promise<void>((resolve) => socket.on('pong', resolve)))
  for (const { socket } of many) socket.on('pong', () => order.push('eve'))
  other.socket.on('pong', () => order.push('publisher'))
  slowed()
  for (const { socket } of many) socket.ping()
  other.socket.ping()
  await Promise.all(answered)
  expect(order.indexOf('publisher')).toBeLessThan(5)
})

test('messages that many WebSockets send at the same moment take turns with the requests of others', async () => {
  const { many, order, port } = await crowd()
  const request = await opened(port)
  slowed()
  for (const { socket } of many) for (let sent = 0; sent < 5; sent++) socket.send('{}')
  await many[0]?.next()
  request.write(`GET /__vatom/health HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
  await once(request, 'data')
  expect(order.length).toBeLessThan(20)
  await Promise.all(many.map(({ next }) => next(4)))
})

test('a WebSocket that sends on and on while its messages wait is closed, and those of others go on', async () => {
  const { many, other, order } = await crowd()
  slowed()
  for (const { socket } of many) for (let sent = 0; sent < 20; sent++) socket.send('{}')
  for (let sent = 0; sent < 4 * limits.socketWaiting; sent++) other.socket.send(monitor)
  expect(await other.closed).toBe(1008)
  await Promise.all(many.map(({ next }) => next(20)))
  expect(order).toHaveLength(20 * many.length)
})

test.skipIf(process.platform !== 'linux')(
  'connections of an address take turns with all of another one that send requests without waiting for answers',
  async () => {
    const { port } = await listening()
    const order = answered()
    const request = (name: string) =>
      `GET /v1/user HTTP/1.1\r\nHost: localhost:${port}\r\nApp-Id: local\r\nAuthorization: ${name}\r\n\r\n`
    const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' })
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    const connections = 250
    for (let count = 0; count < connections; count++) rawConnection(port, request('Bearer many').repeat(20))
    await expect.poll(() => order.length).toBeGreaterThan(connections)
    const before = order.length
    socket.write(request('Bearer one').repeat(6))
    await expect.poll(() => order.filter((name) => name === 'Bearer one').length).toBe(6)
    // Five of them wait for a turn, before which each of the others had one.
    expect(order.lastIndexOf('Bearer one') - before).toBeLessThan(3 * connections)
  },
)

test('nothing is read of new connections that wait for their turn: what they send would be in memory', async () => {
  const { port } = await listening()
  const received = receivedBytes()
  const count = 200
  const half = `POST /v1/users HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n${'x'.repeat(50_000)}`
  const readWhenAllAreThere = new Promise<number>((resolve) => {
    let accepted = 0
    listen('net.server.socket', () => {
      accepted += 1
      if (accepted === count) resolve(received())
    })
  })
  // One that always waits for another turn.
  rawConnection(port, 'GET /__vatom/health HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(2000))
  for (let one = 1; one < count; one++) rawConnection(port, half)
  expect(await readWhenAllAreThere).toBeLessThan((count * half.length) / 2)
})

test('nothing is read of connections that are reset while they wait for their turn', async () => {
  const { port } = await listening()
  const received = receivedBytes()
  const [count, requests] = [100, 1000]
  const request = 'GET /__vatom/health HTTP/1.1\r\nHost: localhost\r\n\r\n'
  const { until } = rawConnection(port, request.repeat(requests))
  const half = `POST /v1/users HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n${'x'.repeat(50_000)}`
  for (let one = 0; one < count; one++) {
    const { socket } = rawConnection(port, half)
    socket.once('connect', () => socket.resetAndDestroy())
  }
  await until((answers) => answers.split('HTTP/1.1 200').length > requests)
  expect(received() - request.length * requests).toBeLessThan((count * half.length) / 4)
})

test('behind a proxy that opens a connection for each request, those of others do not wait for a caller with many', async () => {
  const { port } = await listening({ trustedProxies: [{ address: '127.0.0.1', prefix: 32, family: 'ipv4' }] })
  const from = (caller: string) => `Host: localhost\r\nX-Forwarded-For: ${caller}\r\n`
  const health = (caller: string) => `GET /__vatom/health HTTP/1.1\r\n${from(caller)}\r\n`
  const busy = rawConnection(port, health('203.0.113.1').repeat(2000))
  await busy.until((answers) => answers.includes('HTTP/1.1 200'))
  const half = `POST /v1/users HTTP/1.1\r\n${from('203.0.113.1')}Content-Length: 100000\r\n\r\n${'x'.repeat(1000)}`
  const many = 150
  for (let one = 0; one < many; one++) rawConnection(port, half)
  const other = rawConnection(port, health('198.51.100.9'))
  await other.until((answers) => answers.includes('HTTP/1.1 200'))
  // One in each turn, while the others wait for theirs.
  expect(busy.received().split('HTTP/1.1 200').length).toBeLessThan(many / 2)
})
