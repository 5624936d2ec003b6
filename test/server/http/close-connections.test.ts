import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectionsOf } from '../../../src/server/http/close-connections.ts'
import { rawConnection } from '../../support/raw-connection.ts'

test('each connection is closed once, however many are answered at once', async () => {
  const answers: ServerResponse[] = []
  const server = createServer((_, answer) => answers.push(answer)).listen(0, '127.0.0.1')
  const closeUnasked = connectionsOf(server, { connections: 0 })
  await once(server, 'listening')
  const { port } = Object(server.address())
  const all = Array.from({ length: 20 }, () => rawConnection(port, 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'))
  await vi.waitFor(() => expect(answers).toHaveLength(all.length))
  const closed = vi.spyOn(Socket.prototype, 'destroySoon')
  onTestFinished(() => closed.mockRestore())
  closeUnasked()
  server.close()
  for (const answer of answers) answer.end('ok')
  await Promise.all(all.map((one) => one.closed))
  expect(closed.mock.contexts.length).toBe(all.length)
})
