import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { callersBehind } from '../../../src/server/http/callers.ts'
import { parseInTurns } from '../../../src/server/http/pipelined-requests.ts'
import { started } from '../../support/servers.ts'

/** What waits for a turn: it comes when a test says so. */
const turns: (() => void)[] = []

const proxy = { address: '127.0.0.1', prefix: 32, family: 'ipv4' } as const
const request = (path: string, caller: string) =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${caller}\r\n\r\n`

/** A server whose connections wait for the turns that a test gives, and the paths that it has answered. */
async function waiting(callers = callersBehind([])) {
  turns.length = 0
  const answered: string[] = []
  const server = createServer(({ url = '' }: IncomingMessage, answer: ServerResponse) => {
    answered.push(url)
    answer.end()
  })
  parseInTurns(server, 2 ** 28, callers, (callback) => turns.push(callback))
  const accepted: Socket[] = []
  server.on('connection', (socket) => accepted.push(socket))
  const { url } = await started(server)
  const port = Number(new URL(url).port)
  const opened = async (path: string, caller = '203.0.113.9') => {
    const before = accepted.length
    const socket = connect({ port, host: '127.0.0.1' }).on('error', () => {})
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    socket.write(request(path, caller))
    await expect.poll(() => accepted.length).toBe(before + 1)
    return socket
  }
  /** As the service closes connections where it has too many, or where nothing arrives. */
  const closeLatest = async (count: number) => {
    const closed = accepted.slice(-count).map((socket) => once(socket.destroy(), 'close'))
    await Promise.all(closed)
  }
  return { opened, closeLatest, answered, accepted }
}

/** Gives a turn to who has it, and time to be answered. */
async function giveTurn() {
  turns.shift()?.()
  await setTimeout(10)
}

/** One that has sent more than is read of it before others had their turn. */
async function withOneWaiting(callers?: Parameters<typeof waiting>[0]) {
  const world = await waiting(callers)
  const first = await world.opened('/first')
  first.write(request('/again', '203.0.113.9').repeat(5))
  await expect.poll(() => turns.length).toBe(1)
  return { ...world, first }
}

test('those that wait have one turn after the other, each in a turn of its own', async () => {
  const { opened, answered } = await withOneWaiting()
  for (let one = 0; one < 5; one++) await opened(`/${one}`)
  let most = 0
  while (!answered.includes('/4')) {
    const before = answered.filter((path) => path.length === 2).length
    expect(turns).toHaveLength(1)
    await giveTurn()
    most = Math.max(most, answered.filter((path) => path.length === 2).length - before)
  }
  expect(most).toBe(1)
})

test('those that are closed while they wait are forgotten: who comes after them does not wait for their turns', async () => {
  const { opened, closeLatest, answered } = await withOneWaiting()
  for (let one = 0; one < 30; one++) await opened('/gone')
  await closeLatest(30)
  await opened('/last')
  let given = 0
  for (; !answered.includes('/last') && given < 40; given++) await giveTurn()
  expect(given).toBeLessThan(10)
  expect(answered).not.toContain('/gone')
})

test('where all that waited are closed, the next one has one turn, not that of those before it as well', async () => {
  const { opened, closeLatest, answered } = await withOneWaiting()
  await opened('/gone')
  await closeLatest(2)
  await opened('/next')
  await opened('/last')
  expect(turns).toHaveLength(1)
  while (!answered.includes('/last')) await giveTurn()
  expect(turns.length).toBeLessThan(2)
})

test('the first request of a connection of a proxy is read without a turn, so that the callers of all are known', async () => {
  const { opened, answered } = await withOneWaiting(callersBehind([proxy]))
  for (let one = 0; one < 30; one++) await opened('/many')
  await opened('/other', '203.0.113.10')
  await expect.poll(() => answered).toContain('/other')
})

test('those of a caller whom the proxy calls unknown have one turn after the other, as those of any other', async () => {
  const { opened, answered } = await withOneWaiting(callersBehind([proxy]))
  const paths = Array.from({ length: 5 }, (_, index) => `/${index}`)
  const sockets: Socket[] = []
  for (const path of paths) sockets.push(await opened(path, 'unknown'))
  await expect.poll(() => answered).toEqual(expect.arrayContaining(paths))
  for (const [index, socket] of sockets.entries()) socket.write(request(`/${index}`, 'unknown').repeat(20))
  const ofThem = () => answered.filter((path) => paths.includes(path))
  await expect.poll(() => ofThem().length).toBe(2 * paths.length)
  const proceeded: number[] = []
  for (let turn = 0; turn < 6; turn++) {
    const before = ofThem().length
    await giveTurn()
    proceeded.push(new Set(ofThem().slice(before)).size)
  }
  expect(Math.max(...proceeded)).toBe(1)
})

test('a connection that is reset before its CONNECT has a turn is closed, and its error ends nothing', async () => {
  const uncaught = vi.fn()
  process.on('uncaughtException', uncaught)
  onTestFinished(() => void process.off('uncaughtException', uncaught))
  const { opened, accepted } = await waiting()
  const socket = await opened('/first')
  const [connection] = accepted
  socket.write(`${request('/again', '203.0.113.9')}CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n`)
  await expect.poll(() => turns.length).toBe(1)
  socket.resetAndDestroy()
  await giveTurn()
  await expect.poll(() => connection?.closed).toBe(true)
  expect(uncaught).not.toHaveBeenCalled()
})
