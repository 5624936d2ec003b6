import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { rawConnection } from '../../support/raw-connection.ts'
import { listening } from '../../support/worlds.ts'

const mebibyte = 2 ** 20

/** A service that is to get by with 64 MiB, so that 2 MiB may arrive without a token, and 8 MiB of users. */
async function small() {
  const world = await listening({ maxMemory: 64 })
  const { port, publisher } = world
  /** A connection with a request of which all but the last byte has arrived. */
  const unfinished = async (token?: string) => {
    const { socket, closed, received } = rawConnection(port)
    const lines = [
      token === undefined ? 'POST /v1/user/login HTTP/1.1' : 'PATCH /v1/user HTTP/1.1',
      `Host: 127.0.0.1:${port}`,
      'App-Id: local',
      ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
      `Content-Length: ${mebibyte}`,
    ]
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    socket.write(Buffer.alloc(mebibyte - 1, ' '))
    await arrived(socket)
    return { socket, closed, answer: received }
  }
  return { ...world, token: publisher.token, unfinished }
}

/** Resolves when what was written has been read, or the connection is closed. */
async function arrived(socket: Socket): Promise<void> {
  while (socket.writableLength > 0 && !socket.destroyed) await new Promise((resolve) => setTimeout(resolve, 5))
  await new Promise((resolve) => setTimeout(resolve, 50))
}

test('bodies that are not finished take a bounded amount of memory: the oldest are answered 503 and closed', async () => {
  const { unfinished, send, token } = await small()
  const user = await unfinished(token)
  const all = []
  for (let count = 0; count < 6; count++) all.push(await unfinished())
  await Promise.all(all.slice(0, 4).map(({ closed }) => closed))
  for (const { answer } of all.slice(0, 4)) {
    expect(answer()).toMatch(/^HTTP\/1\.1 503 /)
    expect(answer()).toContain('too much of other requests arrives: send this one again')
  }
  for (const { answer, socket } of all.slice(4)) {
    expect([answer(), socket.destroyed]).toEqual(['', false])
    socket.write(' ')
    await once(socket, 'data')
    expect(answer()).toMatch(/^HTTP\/1\.1 400 /)
  }
  expect(user.socket.destroyed).toBe(false)
  expect(await send('POST', '/v1/user/login', { body: { token: 'a@example.com' } })).toMatchObject({ status: 400 })
})

test.skipIf(process.platform !== 'linux')(
  'of headers that are not finished, those of the address with the most are refused',
  async () => {
    const { port } = await listening({ maxMemory: 64 })
    const begin = `GET /__vatom/health HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`
    const slow = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' })
    onTestFinished(() => void slow.destroy())
    slow.write(begin)
    await once(slow, 'connect')
    const many = Array.from({ length: 400 }, () => rawConnection(port, `${begin}x: ${'x'.repeat(14_000)}\r\n`))
    await expect.poll(() => many.filter(({ received }) => received().includes(' 503 ')).length).toBeGreaterThan(50)
    slow.write('\r\n')
    const [answer] = await once(slow, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /)
  },
)

test('headers that are not finished take a bounded amount of memory: the oldest are answered 503 and closed', async () => {
  const { port } = await listening({ maxMemory: 64 })
  const begin = `GET /__vatom/health HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`
  const long = Array.from({ length: 15 }, (_, at) => `x${at}: ${'x'.repeat(990)}\r\n`).join('')
  // What is complete counts no longer.
  const idle = rawConnection(port, `${begin}\r\n`)
  await idle.until((text) => text.includes('200 OK'))
  const first = rawConnection(port, begin + long)
  const all = Array.from({ length: 300 }, () => rawConnection(port, begin + long))
  expect(await first.closed).toMatch(/^HTTP\/1\.1 503 .*too many requests arrive slowly/s)
  const last = all.at(-1)
  last?.socket.write('\r\n')
  expect(await last?.until((text) => text.includes('\r\n\r\n'))).toMatch(/^HTTP\/1\.1 200 /)
  const open = all.filter(({ socket, received }) => !socket.destroyed && received() === '')
  expect(open.length).toBeGreaterThan(100)
  expect(open.length).toBeLessThan(250)
  expect(idle.socket.destroyed).toBe(false)
})

test('bodies of users are bounded, too, by more, and those that are complete count no longer', async () => {
  const { unfinished, token } = await small()
  const all = []
  for (let count = 0; count < 7; count++) all.push(await unfinished(token))
  expect(all.map(({ socket }) => socket.destroyed)).toEqual(all.map(() => false))
  for (const { socket } of all) {
    socket.write(' ')
    await once(socket, 'data')
  }
  const more: Awaited<ReturnType<typeof unfinished>>[] = []
  for (let count = 0; count < 10; count++) more.push(await unfinished(token))
  const refused = () => more.flatMap(({ answer }, index) => (answer().startsWith('HTTP/1.1 503 ') ? [index] : []))
  await expect.poll(refused).toEqual([0, 1])
  expect(all.map(({ answer }) => answer().slice(0, 12))).toEqual(all.map(() => 'HTTP/1.1 400'))
})

test('of users who send too much, the one who sends the most is refused', async () => {
  const { unfinished, token, register } = await small()
  const other = await unfinished((await register('eve@example.com')).token)
  const all = []
  for (let count = 0; count < 10; count++) all.push(await unfinished(token))
  expect(other.answer()).toBe('')
  expect(all.filter(({ answer }) => answer() !== '')).toHaveLength(3)
})

/** A service on which as many uploads can arrive as 8 MiB are for, and a function that begins one. */
async function uploads() {
  const world = await small()
  const upload = async (token = world.token) => {
    const { socket, received } = rawConnection(world.port)
    const head = `POST /v1/user/avatar HTTP/1.1\r\nHost: 127.0.0.1:${world.port}\r\nApp-Id: local\r\nAuthorization: Bearer ${token}`
    const part = '--b\r\nContent-Disposition: form-data; name="avatar"; filename="a.png"\r\n\r\nx'
    const type = 'Content-Type: multipart/form-data; boundary=b'
    socket.write(`${head}\r\n${type}\r\nContent-Length: ${mebibyte}\r\n\r\n${part}`)
    await arrived(socket)
    return { socket, answer: received }
  }
  return { ...world, upload, most: (8 * mebibyte) / limits.uploadUnread }
}
const refused = 'HTTP/1.1 503'
const outcomes = (all: readonly { readonly answer: () => string }[]) => all.map(({ answer }) => answer().slice(0, 12))

test('uploads that are not finished are bounded, too, however little of each has arrived', async () => {
  const { token, unfinished, upload, most } = await uploads()
  const body = await unfinished(token)
  const all = []
  for (let count = 0; count < most + 3; count++) all.push(await upload())
  expect(outcomes(all)).toEqual([...Array(3).fill(refused), ...Array(most).fill('')])
  expect(body.answer()).toBe('')
})

test('of users of an address with an upload each, the newest is refused, and a publisher finds room', async () => {
  const { register, upload, most } = await uploads()
  const all = []
  for (let count = 0; count < most + 2; count++)
    all.push(await upload((await register(`user${count}@example.com`)).token))
  expect(outcomes(all)).toEqual([...Array(most).fill(''), refused, refused])
  const own = [await upload(), await upload()]
  expect(outcomes(own)).toEqual(['', ''])
  expect(outcomes(all).filter((answer) => answer === refused)).toHaveLength(4)
  all.push(await upload((await register('new@example.com')).token))
  expect(outcomes(own)).toEqual(['', ''])
})
