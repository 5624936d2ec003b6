import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { multipart } from '../../src/client/multipart.ts'
import { networkTransport } from '../../src/client/network.ts'
import { buildRequest } from '../../src/client/request.ts'
import { fixedSession } from '../../src/client/session.ts'
import { api } from '../../src/contract/api/table.ts'
import type { WireFile } from '../../src/contract/api/wire.ts'
import { serverOf } from '../support/servers.ts'

const file = (name: string, ...chunks: readonly (string | Uint8Array)[]): WireFile => ({
  name,
  content: async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk)
  },
})

/** A body, read by somebody else's parser. */
async function parsed({ contentType, body }: ReturnType<typeof multipart>) {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  const form = await new Response(bytes, { headers: { 'content-type': contentType } }).formData()
  return { bytes: bytes.toString(), entries: [...form.entries()] as [string, File][] }
}

test.each([
  'card.png',
  'Kaffee ☕ für 2.svg',
  'a "quoted" name.txt',
  'a\r\nContent-Type: text/html\r\n\r\nb',
  'back\\slash',
  "semi;colon'=,.txt",
  '',
  '💥'.repeat(100),
])('a file called %j is one part, under its name', async (name) => {
  const { bytes, entries } = await parsed(multipart([file(name, 'some ', 'text')]))
  expect(entries.map(([field, { name }]) => [field, name])).toEqual([['file', name]])
  expect(await entries[0]?.[1].text()).toBe('some text')
  expect(bytes.match(/Content-Disposition/g)).toHaveLength(1)
})

test.each(['avatar', 'a "b"\r\nc'])('a file of the field %j is a part of that field', async (field) => {
  const { entries } = await parsed(multipart([{ ...file('a', 'one'), field }]))
  expect(entries.map(([name]) => name)).toEqual([field])
})

test('several files are parts in their order, with their bytes as they are', async () => {
  const noise = Uint8Array.from({ length: 70_000 }, (_, index) => index % 251)
  const { entries } = await parsed(multipart([file('a', 'one'), file('b'), file('c', noise)]))
  const contents = await Promise.all(entries.map(async ([, entry]) => new Uint8Array(await entry.arrayBuffer())))
  expect(contents).toEqual([new Uint8Array(Buffer.from('one')), new Uint8Array(), noise])
})

test('files that come one after the other are taken so', async () => {
  async function* later() {
    yield file('a', 'one')
    yield file('b', 'two')
  }
  expect((await parsed(multipart(later()))).entries).toHaveLength(2)
})

test('each body has a boundary of its own', () => expect(multipart([]).contentType).not.toBe(multipart([]).contentType))

test('no file is opened before its turn', async () => {
  const opened: string[] = []
  const noted = (name: string): WireFile => ({
    name,
    content: async function* () {
      opened.push(name)
      yield Buffer.from(name)
    },
  })
  const body = multipart([noted('a'), noted('b')]).body[Symbol.asyncIterator]()
  await body.next()
  expect(opened).toEqual([])
  await body.next()
  expect(opened).toEqual(['a'])
})

test('an upload’s request carries its files, and no body', () => {
  const files = [file('a', 'one')]
  expect(buildRequest(api.uploadAssets, { files }, 'app')).toEqual({
    method: 'POST',
    path: '/v1/publisher/asset',
    headers: { 'app-id': 'app' },
    changes: true,
    repeatable: false,
    files,
  })
})

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown

/** A client of a service that answers so. */
async function clientOf(listener: Listener, timeout = 5000, signal?: AbortSignal) {
  const { url: baseUrl } = await serverOf(listener)
  const { send, close } = await networkTransport({ baseUrl, timeout, env: {}, ...(signal && { signal }) })
  onTestFinished(close)
  return { send, upload: createClient({ appId: 'app', send, session: fixedSession('t') }).uploadAssets }
}

const bodyOf = async (request: IncomingMessage) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}
const done = JSON.stringify({ payload: [] })

afterEach(() => void vi.useRealTimers())

test('over the network files arrive as multipart/form-data', async () => {
  const large = Buffer.alloc(300_000, 'x')
  let seen: { entries: [string, File][]; headers: IncomingMessage['headers'] } | undefined
  const { upload } = await clientOf(async (request, response) => {
    const body = await bodyOf(request)
    const type = request.headers['content-type'] ?? ''
    const form = await new Response(body, { headers: { 'content-type': type } }).formData()
    seen = { entries: [...form.entries()] as [string, File][], headers: request.headers }
    response.end(done)
  })
  expect(await upload({ files: [file('a.txt', 'one'), file('b.bin', large)] })).toEqual([])
  expect(seen?.headers).toMatchObject({ 'app-id': 'app', authorization: 'Bearer t' })
  expect(seen?.entries.map(([, { name, size }]) => [name, size])).toEqual([
    ['a.txt', 3],
    ['b.bin', 300_000],
  ])
})

/** A file whose bytes come so many milliseconds apart. */
const slowFile = (milliseconds: number): WireFile => ({
  name: 'slow',
  content: async function* () {
    for (let chunk = 0; chunk < 5; chunk++) {
      yield Buffer.from('x')
      await vi.advanceTimersByTimeAsync(milliseconds)
    }
  },
})

test('the time limit begins again as long as an upload gets on', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { upload } = await clientOf(async (request, response) => {
    await bodyOf(request)
    response.end(done)
  }, 100)
  expect(await upload({ files: [slowFile(60)] })).toEqual([])
})

test('an upload that does not get on is given up', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { upload } = await clientOf(() => {}, 100)
  await expect(upload({ files: [slowFile(150)] })).rejects.toMatchObject({
    name: 'UnreachableError',
    reason: 'no answer within 0.1 s',
  })
})

test('an upload that nobody answers is given up', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { upload } = await clientOf(async (request) => {
    await bodyOf(request)
    await vi.advanceTimersByTimeAsync(150)
  }, 100)
  await expect(upload({ files: [file('a', 'one')] })).rejects.toMatchObject({ reason: 'no answer within 0.1 s' })
})

test('a service that refuses early is understood, and the file is closed', async () => {
  let close = () => {}
  const closed = new Promise<void>((resolve) => {
    close = resolve
  })
  const { upload } = await clientOf((request, response) => {
    request.once('data', () => {
      response.writeHead(413).end(JSON.stringify({ error: 9013, message: 'too large' }))
    })
  })
  const endless: WireFile = {
    name: 'endless',
    content: async function* () {
      try {
        for (;;) {
          yield Buffer.alloc(65_536)
          await new Promise((resolve) => setImmediate(resolve))
        }
      } finally {
        close()
      }
    },
  }
  await expect(upload({ files: [endless] })).rejects.toMatchObject({ kind: 'tooLarge', message: 'too large' })
  await closed
})

test('a renewed token and a service that asks to wait get the files again, whole', async () => {
  const bodies: number[] = []
  const { send } = await clientOf(async (request, response) => {
    bodies.push((await bodyOf(request)).length)
    if (bodies.length === 1) response.writeHead(401).end('{"message":"Unauthorized"}')
    else response.end(done)
  })
  const session = { accessToken: async () => 'old', renew: async () => 'new' }
  const { uploadAssets } = createClient({ appId: 'app', send, session })
  expect(await uploadAssets({ files: [file('a', 'one')] })).toEqual([])
  expect(bodies).toHaveLength(2)
  expect(bodies[1]).toBe(bodies[0])
})

test('an interruption ends an upload at once', async () => {
  const interrupted = new AbortController()
  const { upload } = await clientOf(
    (request) => request.once('data', () => interrupted.abort(new Error('Ctrl-C'))),
    5000,
    interrupted.signal,
  )
  const waiting: WireFile = {
    name: 'waiting',
    content: async function* () {
      yield Buffer.from('x')
      await new Promise((resolve) => interrupted.signal.addEventListener('abort', resolve))
      await new Promise((resolve) => setImmediate(resolve))
      yield Buffer.from('y')
    },
  }
  await expect(upload({ files: [waiting] })).rejects.toThrow('Ctrl-C')
})
