import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { mostConnections } from '../../../src/server/connection-limit.ts'
import { type CallerOf, callersBehind } from '../../../src/server/http/callers.ts'
import { boundConnections } from '../../../src/server/http/connection-places.ts'
import { started } from '../../support/servers.ts'

/** A server that has few connections at most, and holds the answers to `/held` back. */
async function small(most = 3, callerOf?: CallerOf) {
  const held: ServerResponse[] = []
  let full = 0
  let late = 0
  const server = createServer((request, answer) => {
    if (request.url === '/held') held.push(answer)
    else if (request.url === '/late') late++
    else answer.end('here')
  })
  boundConnections(server, most, () => full++, callerOf)
  const { url } = await started(server)
  const open = async (localAddress = '127.0.0.1') => {
    const port = Number(new URL(url).port)
    const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {})
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    return socket
  }
  const ask = async (socket: Socket, path = '/', header = 'Accept: */*') => {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`)
    const [answer] = await once(socket, 'data')
    return String(answer)
  }
  const hold = async (socket: Socket, header = 'Accept: */*') => {
    const before = held.length
    socket.write(`GET /held HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`)
    await expect.poll(() => held.length).toBe(before + 1)
  }
  return { open, ask, hold, held, full: () => full, waiting: () => late }
}

test('for a new connection, that one is closed on which nothing has happened for the longest', async () => {
  const { open, ask, full } = await small()
  const [first, second, third] = [await open(), await open(), await open()]
  expect(await ask(first)).toContain('here')
  expect(full()).toBe(0)
  const closed = once(second, 'close')
  const fourth = await open()
  await closed
  for (const socket of [first, third, fourth]) expect(await ask(socket)).toContain('here')
  expect(full()).toBe(1)
})

test('none is closed on which a request is under way: the new one is, while all are busy', async () => {
  const { open, ask, hold, held, full } = await small()
  const busy = [await open(), await open(), await open()]
  for (const socket of busy) await hold(socket)
  await once(await open(), 'close')
  await once(await open(), 'close')
  expect(full()).toBe(1)
  for (const answer of held) answer.end('late')
  const [last = ''] = await Promise.all(busy.map(async (socket) => String((await once(socket, 'data'))[0])))
  expect(last).toContain('late')
  expect(await ask(await open())).toContain('here')
})

test.skipIf(process.platform !== 'linux')(
  'whoever has the most connections gives one up for those of another address',
  async () => {
    const { open, ask, hold } = await small(4)
    const own = await open('127.0.0.2')
    const [first, second, third] = [await open(), await open(), await open()]
    for (const socket of [first, second, third]) await hold(socket)
    const closed = once(first, 'close')
    const more = await open('127.0.0.2')
    await closed
    for (const socket of [own, more]) expect(await ask(socket)).toContain('here')
    expect(second.closed).toBe(false)
  },
)

test('of busy ones of the same address, one goes whose request does not arrive', async () => {
  const { open, ask, hold, waiting } = await small()
  const busy = await open()
  await hold(busy)
  for (let count = 1; count <= 2; count++) {
    const late = await open()
    late.write('POST /late HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n')
    await expect.poll(waiting).toBe(count)
  }
  await once(await open(), 'close')
  await setTimeout(1100)
  expect(await ask(await open())).toContain('here')
  expect(busy.closed).toBe(false)
})

test('one whose request does not arrive is found behind any number of busy ones', async () => {
  const { open, ask, hold, waiting } = await small(40)
  const busy = await Promise.all(Array.from({ length: 39 }, () => open()))
  for (const socket of busy) await hold(socket)
  const late = await open()
  late.write('POST /late HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n')
  await expect.poll(waiting).toBe(1)
  await setTimeout(1100)
  const closed = once(late, 'close')
  expect(await ask(await open())).toContain('here')
  await closed
  expect(busy.some((socket) => socket.closed)).toBe(false)
})

test('behind a proxy, whoever has the most connections gives one up for those of another caller', async () => {
  const proxies = callersBehind([{ address: '127.0.0.1', prefix: 32, family: 'ipv4' }]).of
  const { open, ask, hold } = await small(4, proxies)
  const other = await open()
  await hold(other, 'X-Forwarded-For: 203.0.113.1')
  const many = [await open(), await open(), await open()]
  for (const socket of many) await hold(socket, 'X-Forwarded-For: 198.51.100.7, 203.0.113.9')
  const closed = once(many[0] ?? other, 'close')
  expect(await ask(await open())).toContain('here')
  await closed
  expect([other, many[1], many[2]].map((socket) => socket?.closed)).toEqual([false, false, false])
})

test('behind a proxy, where callers have one connection each, an idle one goes, whoever else is busy', async () => {
  const proxies = callersBehind([{ address: '127.0.0.1', prefix: 32, family: 'ipv4' }]).of
  const { open, ask, hold } = await small(4, proxies)
  const busy = await open()
  await hold(busy, 'X-Forwarded-For: 203.0.113.1')
  const idle = [await open(), await open(), await open()]
  for (const [index, socket] of idle.entries()) await ask(socket, '/', `X-Forwarded-For: 203.0.113.${index + 2}`)
  for (const gone of idle.slice(0, 2)) {
    const closed = once(gone, 'close')
    expect(await ask(await open())).toContain('here')
    await closed
  }
  expect(busy.closed).toBe(false)
})

test('a service has fewer connections than files, and fewer with less memory', () => {
  const most = mostConnections(Number.MAX_SAFE_INTEGER)
  expect(most).toBeGreaterThan(0)
  expect(mostConnections(2 ** 24)).toBe(128)
  expect(mostConnections(1)).toBe(1)
})
