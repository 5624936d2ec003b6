import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { action } from '../../support/acting.ts'
import { slowHandler } from '../../support/action-handler.ts'
import { rawConnection } from '../../support/raw-connection.ts'
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
