import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { createServer } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { action, outputOf, perform } from '../../support/acting.ts'
import { answering } from '../../support/action-handler.ts'
import { answeringAll } from '../../support/name-server.ts'
import { hasIpv6, started } from '../../support/servers.ts'
import { type Caller, emitted, made } from '../../support/service.ts'
import { twoPublishers } from '../../support/worlds.ts'

/** A function that performs the action of a publisher's vAtom that a handler at an address carries out. */
async function stamping(publisher: Caller, name: string, url: string) {
  const reactor = `x://${name}`
  const [id = ''] = await emitted(publisher, name, 1)
  await made(publisher, ['POST', '/v1/publisher/action_handler', { reactor, url }])
  await action(publisher, name, 'Stamp', { reactor })
  return () => perform(publisher, 'Stamp', id)
}

describe('a handler at localhost', () => {
  const stampAt = async (url: string) => stamping((await twoPublishers()).publisher, 'local.vatom::Card', url)

  test.each(['localhost', 'x.y.localhost'])(
    'is called on this machine, whatever a name server says: %s',
    async (host) => {
      const looked = answeringAll()
      const { asked, port } = await answering({ output: 1 })
      const stamp = await stampAt(`http://${host}:${port}/`)
      expect(outputOf(await stamp())).toBe(1)
      expect(asked[0]?.headers.host).toBe(`${host}:${port}`)
      expect(looked).toEqual([])
    },
  )

  test('is called by a service that is busy as it connects', async () => {
    const { port } = await answering({ output: 1 })
    const stamp = await stampAt(`http://localhost:${port}/`)
    const busy = () => {
      const end = performance.now() + 400
      while (performance.now() < end);
    }
    // The connection is begun before what is next after the next.
    const onConnection = () => process.nextTick(() => process.nextTick(busy))
    subscribe('net.client.socket', onConnection)
    onTestFinished(() => void unsubscribe('net.client.socket', onConnection))
    expect(outputOf(await stamp())).toBe(1)
  })

  test.runIf(hasIpv6)('is called where it listens on IPv6 alone', async () => {
    const { port } = await started(
      createServer((_request, response) => response.end('{"output": 1}')),
      '::1',
    )
    const stamp = await stampAt(`http://localhost:${port}/`)
    expect(outputOf(await stamp())).toBe(1)
  })
})
