import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ApiError } from '../../../src/contract/api/errors.ts'
import { limits } from '../../../src/contract/limits.ts'
import { answerAndClose } from '../../../src/server/http/malformed-requests.ts'
import { action } from '../../support/acting.ts'
import { slowHandler } from '../../support/action-handler.ts'
import { rawConnection } from '../../support/raw-connection.ts'
import { started } from '../../support/servers.ts'
import { emitted, made } from '../../support/service.ts'
import { listening } from '../../support/worlds.ts'

const name = 'local.vatom::Card'
const reactor = 'local.vatom://stamp'

/** A request that is answered once its handler is let go, as it is sent. */
async function slowRequest() {
  const { publisher, port, headers } = await listening()
  const { url, atWork, go } = await slowHandler()
  await made(publisher, ['POST', '/v1/publisher/action_handler', { reactor, url }])
  const [id = ''] = await emitted(publisher, name, 1)
  await action(publisher, name, 'Stamp', { reactor })
  const body = JSON.stringify({ 'this.id': id })
  const fields = Object.entries({ ...headers, host: 'localhost', 'content-length': body.length })
  const head = ['POST /v1/user/vatom/action/Stamp HTTP/1.1', ...fields.map(([key, value]) => `${key}: ${value}`)]
  return { port, text: `${head.join('\r\n')}\r\n\r\n${body}`, atWork, go }
}

const statusesOf = (received: string) => [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))

const read = 'GET /v1/user HTTP/1.1\r\nHost: localhost\r\n\r\n'

test.each([
  ['no HTTP', '\x01\x02garbage\r\n\r\n', [200, 400]],
  ['a header that is too long', `GET / HTTP/1.1\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`, [200, 413]],
  ['another request, and no HTTP', `${read}\x01\x02garbage\r\n\r\n`, [200, 403, 400]],
  ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: localhost\r\n\r\n', [200, 404]],
  ['a body that is no HTTP', 'POST /v1/users HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n', [200, 400]],
])('%s behind a request is answered behind it, however long that takes', async (_, behind, statuses) => {
  const { port, text, atWork, go } = await slowRequest()
  const connection = rawConnection(port, text)
  await atWork
  for (let count = 0; count < 2; count++) {
    connection.socket.write(behind)
    await setTimeout(50)
  }
  expect(connection.received()).toBe('')
  go()
  expect(statusesOf(await connection.closed)).toEqual(statuses)
})

test('what is no HTTP is answered at once where nothing is before it', async () => {
  const { port } = await slowRequest()
  const connection = rawConnection(port, read)
  await connection.until((received) => received.includes('403'))
  connection.socket.write('\x01\x02garbage\r\n\r\n')
  expect(statusesOf(await connection.closed)).toEqual([403, 400])
})

test('a connection whose client reads nothing of what is before such an answer is closed', async () => {
  vi.spyOn<{ answerIdle: number }, 'answerIdle'>(limits, 'answerIdle', 'get').mockReturnValue(20)
  onTestFinished(() => void vi.restoreAllMocks())
  const { server, port } = await started(createServer())
  const arrived = once(server, 'connection') as Promise<[Socket]>
  const client = connect(port, '127.0.0.1')
    .pause()
    .on('error', () => {})
  onTestFinished(() => void client.destroy())
  const [socket] = await arrived
  // More than the system takes for a client that does not read.
  socket.write(Buffer.alloc(32 * 1024 * 1024))
  answerAndClose(socket, new ApiError('invalid', 'not HTTP'))
  expect(socket.destroyed).toBe(false)
  await once(socket, 'close')
})
