import { once } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Slices } from '../../../src/server/store/slices.ts'
import { rawConnection } from '../../support/raw-connection.ts'
import { dial, hall } from '../../support/sockets.ts'
import { listening } from '../../support/worlds.ts'

async function opened(port: number) {
  const { socket } = rawConnection(port)
  await once(socket, 'connect')
  return socket
}

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

test('many requests that one connection sends at once take turns with those of others', async () => {
  const { many, other, request, answers } = await twoConnections()
  const count = 500
  many.write(request.repeat(count))
  other.write(request)
  await once(other, 'data')
  expect(answers()).toBeLessThan(count / 2)
  while (answers() < count) await once(many, 'data')
  expect(answers()).toBe(count)
})

test('a connection with more requests than may wait for their turn is closed, and holds nobody up', async () => {
  const { many, other, request, answers } = await twoConnections()
  const count = 20_000
  const closed = new Promise((resolve) => many.once('close', resolve))
  many.write(request.repeat(count))
  await closed
  expect(answers()).toBeLessThan(count / 10)
  other.write(request)
  const [answer] = await once(other, 'data')
  expect(String(answer)).toContain('HTTP/1.1 200')
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

test('many messages that one WebSocket sends at once take turns with the requests of others', async () => {
  const { publisher, address, port } = await hall()
  const { socket, next } = dial(address(publisher.token))
  await next()
  const other = await opened(port)
  const count = 2000
  let answers = 0
  const all = new Promise<void>((resolve) => {
    socket.on('message', () => {
      answers += 1
      if (answers === count) resolve()
    })
  })
  for (let sent = 0; sent < count; sent++) socket.send('{}')
  other.write(`GET /__vatom/health HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
  await once(other, 'data')
  expect(answers).toBeLessThan(count / 10)
  await all
})

test('a body in many small chunks takes no more memory than its bytes', async () => {
  const { service, port } = await listening()
  const socket = await opened(port)
  const before = process.memoryUsage.rss()
  socket.write(
    `POST /v1/users HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nApp-Id: ${service.appId}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`,
  )
  const spaces = '1\r\n \r\n'.repeat(10_000)
  for (let part = 0; part < 40; part++) if (!socket.write(spaces)) await once(socket, 'drain')
  socket.write('1\r\n}\r\n0\r\n\r\n')
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toContain('HTTP/1.1 400')
  expect(process.memoryUsage.rss() - before).toBeLessThan(150 * 2 ** 20)
})
