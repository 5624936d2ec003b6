import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { testService } from '../../support/service.ts'

test('many requests that one connection sends at once take turns with those of others', async () => {
  const { service } = await testService()
  const { port } = await service.listen({ host: '127.0.0.1', port: 0 })
  const request = `GET /__vatom/health HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`
  const opened = async () => {
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    return socket
  }
  const [many, other] = [await opened(), await opened()]
  const count = 500
  let answers = 0
  const all = new Promise<void>((resolve) => {
    many.on('data', (chunk) => {
      answers += chunk.toString().split('HTTP/1.1 200').length - 1
      if (answers === count) resolve()
    })
  })
  many.write(request.repeat(count))
  other.write(request)
  await once(other, 'data')
  expect(answers).toBeLessThan(count / 2)
  await all
})
