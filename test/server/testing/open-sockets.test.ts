import { expect, test } from 'vitest'
import { at } from '../../../src/contract/schema/path.ts'
import { hall } from '../../support/sockets.ts'

test('GET /__vatom/sockets lists open WebSockets, and the part of the map that each asked for', async () => {
  const { baseUrl, publisher, register, connected } = await hall()
  const sockets = async () => at(await (await fetch(`${baseUrl}/__vatom/sockets`)).json(), 'payload')
  expect(await sockets()).toEqual([])
  const ada = await register('ada@example.com')
  const first = await connected(publisher)
  const second = await connected(ada)
  const region = { top_left: { lat: 48, lon: 170 }, bottom_right: { lat: 47, lon: -170 } }
  second.socket.send(JSON.stringify({ type: 'command', cmd: 'monitor', payload: region }))
  await second.settled()
  expect(await sockets()).toEqual([
    { user: publisher.id, region: null },
    { user: ada.id, region },
  ])
  first.socket.terminate()
  await expect.poll(sockets).toHaveLength(1)
})
