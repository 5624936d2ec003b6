import { once } from 'node:events'
import { createServer, OutgoingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { boundUnread } from '../../../src/server/http/unread-answers.ts'
import type { ServiceOptions } from '../../../src/server/service.ts'
import { rawConnection } from '../../support/raw-connection.ts'
import { emitted, testService } from '../../support/service.ts'

/** Bytes that the kernel takes for a connection, about: what a client does not read begins to wait in the service then. */
const inKernel = 2 ** 23

/** A service with so many large vAtoms that a page of them does not fit into the kernel. */
async function large(options: Partial<ServiceOptions> = {}) {
  const { publisher, service } = await testService(options)
  await emitted(publisher, 'local.vatom::Large', 200, { description: 'x'.repeat(60_000) })
  const { port } = await service.listen({ host: '127.0.0.1', port: 0 })
  const text = JSON.stringify({ limit: 1000 })
  const request = `POST /v1/vatom/discover HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nApp-Id: ${service.appId}\r\nAuthorization: Bearer ${publisher.token}\r\nContent-Length: ${text.length}\r\n\r\n${text}`
  const ask = (times = 1): Socket => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    onTestFinished(() => void socket.destroy())
    socket.pause()
    socket.write(request.repeat(times))
    return socket
  }
  const own = `http://127.0.0.1:${port}/__vatom/journal`
  /** How many searches were begun to be answered. */
  const journal = async () => (await (await fetch(own)).text()).split('"operation":"discover"').length - 1
  return { ask, publisher, journal }
}

/** How many bytes a connection receives from now on, and whether that is a whole answer. */
async function rest(socket: Socket): Promise<{ readonly bytes: number; readonly isWhole: boolean }> {
  let bytes = 0
  let end = ''
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    end = (end + chunk.subarray(-8).toString('latin1')).slice(-8)
    if (end.endsWith('\r\n0\r\n\r\n')) socket.destroy()
  })
  socket.resume()
  if (!socket.closed) await once(socket, 'close')
  return { bytes, isWhole: end.endsWith('\r\n0\r\n\r\n') }
}

const soon = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

test('a client that reads slowly receives all of a long answer', async () => {
  const { ask } = await large()
  const socket = ask()
  await soon(400)
  const { bytes, isWhole } = await rest(socket)
  expect(isWhole).toBe(true)
  expect(bytes).toBeGreaterThan(inKernel)
})

test('a client that reads slowly receives all of a journal with long bodies', async () => {
  const { service } = await testService()
  const { port } = await service.listen({ host: '127.0.0.1', port: 0 })
  const own = `http://127.0.0.1:${port}`
  for (let count = 0; count < 128; count++)
    await fetch(`${own}/v1/nowhere`, { method: 'POST', body: '"'.repeat(65_000) })
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  socket.pause()
  socket.write('GET /__vatom/journal?bodies=true HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await soon(600)
  const { bytes, isWhole } = await rest(socket)
  expect(isWhole).toBe(true)
  expect(bytes).toBeGreaterThan(inKernel)
})

test('the next request of a connection is begun when the answer to the one before it was read', async () => {
  const { ask, journal } = await large()
  const socket = ask(3)
  await soon(600)
  expect(await journal()).toBe(1)
  let answers = 0
  socket.on('data', (chunk: Buffer) => {
    answers += chunk.toString('latin1').split('HTTP/1.1 200').length - 1
  })
  socket.resume()
  await vi.waitFor(() => expect(answers).toBe(3), { timeout: 10_000 })
  expect(await journal()).toBe(3)
})

test('those that were cut off no longer count, whatever else they asked for', async () => {
  const { ask } = await large({ maxMemory: 32 })
  const first = Array.from({ length: 8 }, () => ask(3))
  await soon(1500)
  for (const socket of first) socket.destroy()
  await soon(300)
  const last = ask()
  await soon(600)
  expect(await rest(last)).toMatchObject({ isWhole: true })
})

test('of clients that read nothing, the slowest are cut off when too much waits for all', async () => {
  const { ask, publisher } = await large({ maxMemory: 32 })
  const sockets = Array.from({ length: 12 }, () => ask())
  await soon(1500)
  expect((await publisher.call('GET', '/v1/user')).status).toBe(200)
  const answers = await Promise.all(sockets.map(rest))
  const whole = answers.filter(({ isWhole }) => isWhole).length
  expect(whole).toBeGreaterThan(0)
  expect(whole).toBeLessThan(12)
})

test('a client that reads nothing for too long is cut off', async () => {
  const { ask } = await large()
  const started = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => started + (Date.now() - begun) * 100)
  const begun = Date.now()
  const socket = ask()
  await soon(limits.answerIdle / 100 + 800)
  vi.restoreAllMocks()
  expect(await rest(socket)).toMatchObject({ isWhole: false })
})

/** A server that answers at once, with a bound on what its clients leave unread. */
async function bounded(memory: number, onShort = () => {}) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const server = createServer((_, response) => response.end('ok'))
  boundUnread(server, memory, onShort)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = Object(server.address())
  const ask = async () => expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('ok')
  return { server, ask }
}

test('when the server has closed, nothing looks at its connections any more', async () => {
  const { server, ask } = await bounded(2 ** 40)
  await ask()
  expect(vi.getTimerCount()).toBe(1)
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
  expect(vi.getTimerCount()).toBe(0)
})

test('what is to be done when little memory is left is done once, and not before', async () => {
  const [little, much] = [vi.fn(), vi.fn()]
  for (const [memory, onShort] of [
    [2 ** 40, little],
    [2 ** 20, much],
  ] as const) {
    const { server, ask } = await bounded(memory, onShort)
    onTestFinished(() => void server.close())
    onTestFinished(() => server.closeAllConnections())
    for (let count = 0; count < 2; count++) {
      await ask()
      vi.advanceTimersToNextTimer()
    }
  }
  expect([little.mock.calls.length, much.mock.calls.length]).toEqual([0, 1])
})

test('what many requests leave unread is counted without looking at each', async () => {
  const server = createServer(() => {})
  boundUnread(server, 2 ** 30, () => {})
  onTestFinished(() => void server.close())
  onTestFinished(() => server.closeAllConnections())
  const looked = vi.spyOn(OutgoingMessage.prototype, 'headersSent', 'get')
  onTestFinished(() => looked.mockRestore())
  let arrived = 0
  server.on('request', () => {
    arrived += 1
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = Object(server.address())
  for (let count = 0; count < 3; count++) rawConnection(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(900))
  await vi.waitFor(() => expect(arrived).toBe(2700))
  expect(looked).toHaveBeenCalled()
  expect(looked.mock.calls.length).toBeLessThan(900)
})
