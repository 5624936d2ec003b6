import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setImmediate, setTimeout } from 'node:timers/promises'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { answerClientError } from '../../../src/server/http/malformed-requests.ts'
import { multipartFiles } from '../../../src/server/http/multipart.ts'
import { uploadedFiles } from '../../../src/server/http/uploads.ts'
import { assetPath, interruptedFile, onDisk } from '../../support/assets.ts'
import { assetFiles, newFolder } from '../../support/folders.ts'
import { listsOpenFiles, openFiles } from '../../support/open-files.ts'
import { rawConnection } from '../../support/raw-connection.ts'
import { started } from '../../support/servers.ts'
import { answerOf, testService } from '../../support/service.ts'

/** A service that listens, on a database of its own. */
async function listening() {
  const { db, folder, files } = onDisk()
  // With a console, whose journal has the parts of uploads, too.
  const world = await testService({ db, pages: newFolder() })
  const { port, baseUrl } = await world.service.listen({ host: '127.0.0.1', port: 0 })
  const headers = { 'app-id': 'local', authorization: `Bearer ${world.service.localToken()}` }
  const post = async (body: RequestInit['body'], more: Record<string, string> = {}) => {
    const response = await fetch(baseUrl + assetPath, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: body ?? null,
    })
    return answerOf(response.status, Object.fromEntries(response.headers), await response.text())
  }
  /** A request in bytes, up to its body. */
  const head = (...lines: string[]) =>
    [
      `POST ${assetPath} HTTP/1.1`,
      'Host: localhost',
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ]
      .concat(lines, '', '')
      .join('\r\n')
  return { ...world, port, folder, files, post, head }
}

const form = 'multipart/form-data; boundary=X'
const part = (content: string, disposition = 'form-data; name="f"; filename="a.txt"') =>
  `--X\r\nContent-Disposition: ${disposition}\r\n\r\n${content}\r\n`
const end = '--X--\r\n'

test('the journal has the parts of an upload as they arrived, without secrets', async () => {
  const { service, post } = await listening()
  const { journal } = await service.testControls()
  const parts = () => journal.newest({ operation: 'uploadAssets', bodies: 'true' }).at(-1)?.parts
  const body = new FormData()
  const token = service.localToken()
  body.append('file', new Blob([JSON.stringify({ password: 'hunter2', tea: 'green' })]), 'a.json')
  body.append('file', new Blob([Buffer.from('89504e470d0a1a0a00', 'hex')], { type: 'image/png' }), 'a b.png')
  body.append('file', new Blob(['é'.repeat(10_000)], { type: 'text/plain' }), 'long.txt')
  body.append('note', `for the shop ${token}`)
  body.append('password', 'hunter2')
  body.append('user[pin][0]', 'hunter2')
  body.append('long', 'x'.repeat(10_000))
  expect(await post(body)).toMatchObject({ status: 200 })
  expect(parts()).toEqual([
    {
      field: 'file',
      file: 'a.json',
      type: 'application/octet-stream',
      size: 36,
      body: { text: '{"password":"[redacted]","tea":"green"}', redacted: true },
    },
    { field: 'file', file: 'a b.png', type: 'image/png', size: 9 },
    {
      field: 'file',
      file: 'long.txt',
      type: 'text/plain',
      size: 20_000,
      body: { text: 'é'.repeat(4096), shortened: true },
    },
    {
      field: 'note',
      type: 'text/plain',
      size: 13 + token.length,
      body: { text: 'for the shop [redacted]', redacted: true },
    },
    { field: 'password', type: 'text/plain', size: 7, body: { text: '[redacted]', redacted: true } },
    { field: 'user[pin][0]', type: 'text/plain', size: 7, body: { text: '[redacted]', redacted: true } },
    { field: 'long', type: 'text/plain', size: 8192, body: { text: 'x'.repeat(8192), shortened: true } },
  ])
  expect(JSON.stringify(parts())).not.toContain('hunter2')

  const many = new FormData()
  for (let n = 0; n < 60; n++) many.append(`field ${n}`, 'y'.repeat(4000))
  many.append('file', new Blob(['the file']), 'a.txt')
  expect(await post(many)).toMatchObject({ status: 200 })
  const kept = parts() ?? []
  expect(kept).toHaveLength(51)
  expect(kept.reduce((sum, part) => sum + (part.body?.text.length ?? 0), 0)).toBeLessThanOrEqual(65_536)
  expect(kept.at(-1)).toMatchObject({ file: 'a.txt', size: 8 })

  // What a refused upload was read of; one that nobody may send is not read.
  expect(await post(part('half').slice(0, -2), { 'content-type': form })).toMatchObject({ status: 400 })
  expect(parts()).toMatchObject([{ field: 'f', file: 'a.txt' }])
  expect(await post(many, { authorization: 'none' })).toMatchObject({ status: 403 })
  expect(parts()).toBeUndefined()
})

test('an upload of this process is in the journal, too', async () => {
  const { service, publisher } = await testService()
  const file = {
    name: 'a.txt',
    content: async function* () {
      yield Buffer.from('tea')
    },
  }
  expect(await publisher.call('POST', assetPath, { files: [file] })).toMatchObject({ status: 200 })
  const { journal } = await service.testControls()
  expect(journal.newest({ limit: 1, bodies: 'true' })).toMatchObject([
    { parts: [{ field: 'file', file: 'a.txt', size: 3, body: { text: 'tea' } }] },
  ])
})

test('a part without a name is one of a field without a name: the file beside it is stored, and in the journal', async () => {
  const { service, post } = await listening()
  const { journal } = await service.testControls()
  const body = part('hello', 'form-data') + part('a', 'form-data; filename="a.txt"') + end
  const { status, body: answer } = await post(body, { 'content-type': form })
  expect({ status, answer }).toMatchObject({ status: 200, answer: { request_id: expect.any(String) } })
  const parts = journal.newest({ operation: 'uploadAssets', bodies: 'true' }).at(-1)?.parts
  expect(parts).toMatchObject([{ field: '' }, { field: '', file: 'a.txt' }])
})

test('what browsers send is understood', async () => {
  const { post, folder } = await listening()
  const body = new FormData()
  body.append('title', 'a field')
  body.append('upload[]', new Blob(['one'], { type: 'image/png' }), 'Kaffee "☕"\r\n%22.txt')
  body.append('', new Blob(['two']), 'b')
  body.append('more', 'x'.repeat(100_000))
  const { status, payload } = await post(body)
  expect(status).toBe(200)
  expect(payload).toMatchObject([
    { name: 'Kaffee "☕"".txt', content_type: 'text/plain', size: 3 },
    { name: 'b', size: 3 },
  ])
  expect(payload.map(({ id }: { id: string }) => readFileSync(join(folder, id), 'utf8'))).toEqual(['one', 'two'])
})

test.each([
  ['filename*', "form-data; name=f; filename*=UTF-8''%E2%98%95.txt", '☕.txt'],
  ['a path of Windows', 'form-data; name="f"; filename="C:\\dir\\a.txt"', 'a.txt'],
  ['quotes by backslash', 'form-data; name="f"; filename="a\\"b.txt"', 'a"b.txt'],
  ['no quotes', 'form-data; name=f; filename=a.txt', 'a.txt'],
  ['no field name', 'form-data; filename="a.txt"', 'a.txt'],
  ['nothing in it', 'form-data; name="f"; filename=""', 'asset'],
])('a file name with %s is understood', async (_, disposition, name) => {
  const { post } = await listening()
  expect(await post(part('x', disposition) + end, { 'content-type': form })).toMatchObject({
    status: 200,
    payload: [{ name }],
  })
})

test.each([
  ['text before the first part', `preamble\r\n${part('x')}${end}`],
  ['text after the last', `${part('x')}${end}epilogue`],
  ['many fields', `${part('', 'form-data; name="a"').repeat(2000)}${part('x')}${end}`],
  ['a large field', `${part('y'.repeat(2 ** 22), 'form-data; name="a"')}${part('x')}${end}`],
  [
    'a field of bytes',
    `${part('y', 'form-data; name="a"\r\nContent-Type: application/octet-stream')}${part('x')}${end}`,
  ],
  ['a part that is no form data', `${part('y', 'attachment; filename="b"')}${part('x')}${end}`],
])('%s is left out', async (_, body) => {
  const { post, files } = await listening()
  expect(await post(body, { 'content-type': form })).toMatchObject({ status: 200, payload: [{ size: 1 }] })
  expect(files()).toHaveLength(1)
})

test.each([
  'application/json',
  'application/x-www-form-urlencoded',
  'text/plain',
  'multipart/form-data',
  'multipart/mixed; boundary=X',
  'multipart/form-dataX; boundary=X',
])('the type %s is a 400 that says what to send', async (type) => {
  const { post, files } = await listening()
  const refused = await post(part('x') + end, { 'content-type': type })
  expect(refused).toMatchObject({ status: 400, body: { error: 516, issues: [{ path: '' }] } })
  expect(refused.body.message).toMatch(/send the files as multipart\/form-data.* the request has/)
  expect(files()).toEqual([])
})

test.each([
  ['nothing', ''],
  ['no multipart at all', 'hello'],
  ['fields alone', part('x', 'form-data; name="a"') + end],
  ['no end', part('x')],
  ['half a file', '--X\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\nhal'],
  ['a file, and half another', `${part('x')}--X\r\nContent-Disposition: form-data; name="f"; filename="b"\r\n\r\nhal`],
  ['a file, and half a field', `${part('x')}--X\r\nContent-Disposition: form-data; name="a"\r\n\r\nhal`],
  ['half a header', '--X\r\nContent-Dispo'],
  ['another boundary', part('x').replaceAll('--X', '--Y') + end.replaceAll('--X', '--Y')],
  ['a boundary and nothing else', '--X'],
  ['parts without a header', '--X\r\n\r\nx\r\n--X--\r\n'],
])('a body with %s is a 400, and nothing of it is kept', async (_, body) => {
  const { post, files } = await listening()
  expect(await post(body, { 'content-type': form })).toMatchObject({ status: 400, body: { error: 516 } })
  expect(files()).toEqual([])
})

test.each(['boundary=', 'boundary', 'charset=utf-8', 'boundary="', `boundary=${'x'.repeat(5000)}`, 'x=é'])(
  'a Content-Type with %j in place of a boundary is a 400',
  async (parameter) => {
    const { post } = await listening()
    const answer = await post(part('x') + end, { 'content-type': `multipart/form-data; ${parameter}` })
    expect(answer).toMatchObject({ status: 400, body: { error: 516 } })
  },
)

/** A connection that has sent this; `answer` is what came back first. */
function talking(port: number, text: string) {
  const { socket, until } = rawConnection(port, text)
  return { socket, answer: until((received) => received !== '') }
}

/** Sends a block again and again until the connection ends. */
function pour(socket: Socket, block: Buffer): void {
  const send = () => {
    while (!socket.destroyed && socket.write(block));
  }
  socket.on('drain', send)
  send()
}

test.each([
  ['without authorization', (head: string) => head.replace(/authorization: .*\r\n/, ''), 403],
  ['of another application', (head: string) => head.replace('app-id: local', 'app-id: other'), 403],
  ['of another type', (head: string) => head.replace(form, 'application/json'), 400],
])('a request %s is answered before its body is there', async (_, changed, status) => {
  const { port, head } = await listening()
  const { socket, answer } = talking(port, changed(head(`Content-Type: ${form}`, `Content-Length: ${2 ** 30}`)))
  expect(await answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  socket.destroy()
})

test('a file that is too large is refused while it is still sent, and the answer is read', async () => {
  const { port, head, files } = await listening()
  const { socket, answer } = talking(port, head(`Content-Type: ${form}`, `Content-Length: ${2 ** 30}`))
  socket.write('--X\r\nContent-Disposition: form-data; name="f"; filename="a.bin"\r\n\r\n')
  pour(socket, Buffer.alloc(2 ** 20))
  const text = await answer
  expect(text).toMatch(/^HTTP\/1.1 413 /)
  expect(text).toContain(`a.bin is larger than ${limits.asset} bytes`)
  socket.destroy()
  expect(files()).toEqual([])
})

test('a client that goes away in the middle leaves nothing behind', async () => {
  const { service, port, head, files, folder } = await listening()
  const begun = part('one') + part('the second').slice(0, -6)
  const { socket } = rawConnection(port, head(`Content-Type: ${form}`, 'Content-Length: 100000') + begun)
  await until(() => files().length === 2)
  socket.destroy()
  await until(() => files().length === 0)
  await service.close()
  expect(assetFiles(folder)).toEqual([])
})

test.runIf(listsOpenFiles)(
  'no file of an upload stays open, whether it arrived, was refused or broke off',
  async () => {
    const { publisher, port, head, files, folder, post } = await listening()
    const open = () => openFiles().filter((file) => file.startsWith(folder)).length
    expect(await post(part('one') + part('two') + end, { 'content-type': form })).toMatchObject({ status: 200 })
    expect(open()).toBe(0)
    const damaged = interruptedFile(() => Promise.reject(new Error('cannot be read')))
    expect(await publisher.call('POST', assetPath, { files: [damaged] })).toMatchObject({ status: 400 })
    expect(open()).toBe(0)
    const { socket } = rawConnection(
      port,
      head(`Content-Type: ${form}`, 'Content-Length: 100000') + part('one') + part('the second').slice(0, -6),
    )
    await until(() => files().length === 4)
    expect(open()).toBe(1)
    socket.destroy()
    await until(() => files().length === 2)
    expect(open()).toBe(0)
  },
)

test('closing ends an upload that is not all there, and leaves nothing of it', async () => {
  const { service, port, head, files, folder } = await listening()
  const { closed } = rawConnection(
    port,
    head(`Content-Type: ${form}`, 'Content-Length: 100000') + part('the first').slice(0, -6),
  )
  await until(() => files().length === 1)
  await service.close()
  await closed
  expect(assetFiles(folder)).toEqual([])
})

/** Lets everything else go on until something is so. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await setImmediate()
}

test('an upload can have at most so many bytes in all', async () => {
  const body = Readable.from([part('x'.repeat(500), 'form-data; name="a"'), part('x'.repeat(500)), end])
  const read = async () => {
    for await (const { content } of multipartFiles(body, form, { files: 2, bytes: 900 }))
      for await (const _ of content());
  }
  await expect(read()).rejects.toMatchObject({ kind: 'tooLarge', message: expect.stringContaining('900') })
})

test('a body with more files than two waiting is read no further', async () => {
  let given = 0
  const body = new Readable({
    highWaterMark: 1,
    read() {
      this.push(given++ < 5000 ? part('x') : end)
      if (given > 5001) this.push(null)
    },
  })
  const files = multipartFiles(body, form, { files: 10_000, bytes: 2 ** 30 })
  await files.next()
  for (let turn = 0; turn < 100; turn++) await setImmediate()
  expect(given).toBeLessThan(20)
  await files.return(undefined)
})

test.each([
  ['files', undefined],
  ['parts', 'form-data; name="a"'],
])('endless tiny %s are a 413 at once, and the service lives', async (what, disposition) => {
  const { port, head, files, post } = await listening()
  const { socket, answer } = talking(port, head(`Content-Type: ${form}`, `Content-Length: ${2 ** 30}`))
  pour(socket, Buffer.from(part('x', disposition).repeat(1000)))
  const text = await answer
  expect(text).toMatch(/^HTTP\/1.1 413 /)
  expect(text).toMatch(new RegExp(`an upload can have at most \\d+ ${what}`))
  socket.destroy()
  expect(files()).toEqual([])
  expect(await post(part('x') + end, { 'content-type': form })).toMatchObject({ status: 200 })
})

type Taken = (files: ReturnType<typeof uploadedFiles>, response: ServerResponse) => Promise<unknown>
const all: Taken = async (files, response) => {
  const received: string[] = []
  for await (const { content } of files) for await (const chunk of content()) received.push(String(chunk))
  response.end(received.join(''))
}

/** Milliseconds that a server waits: for a whole request, for more of an upload, and for the rest of one that was answered. */
interface Waits {
  readonly within?: number
  readonly idle?: number
  readonly rest?: number
}

/** A server that takes uploads in its own way, under limits of milliseconds. */
async function hurried({ within = 20, ...waits }: Waits, take = all, onLate = () => {}) {
  const server = createServer(
    { requestTimeout: within, headersTimeout: within, connectionsCheckingInterval: 10, keepAliveTimeout: 60_000 },
    (request, response) => {
      const files = uploadedFiles(request, { files: 2, bytes: 100 }, { idle: 10_000, rest: 10_000, ...waits })
      take(files, response).catch(() => response.destroy())
    },
  ).on('clientError', (error, socket) => {
    answerClientError(error, socket as Socket)
    onLate()
  })
  return (await started(server)).port
}

const head = (length: number) =>
  `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${form}\r\nContent-Length: ${length}\r\n\r\n`

describe('waiting for an upload', () => {
  const body = part('slowly') + end

  /** Comes when Node finds that a request takes too long. */
  function lateness() {
    let onLate = () => {}
    const isLate = new Promise<void>((resolve) => {
      onLate = resolve
    })
    return { isLate, onLate }
  }

  test('that goes on takes longer than a request may', async () => {
    const { isLate, onLate } = lateness()
    const port = await hurried({}, all, onLate)
    const { socket, answer } = talking(port, head(body.length) + body.slice(0, 80))
    await isLate
    socket.write(body.slice(80))
    expect(await answer).toMatch(/^HTTP\/1.1 200 .*slowly/s)
    socket.destroy()
  })

  test('of which nothing more comes ends', async () => {
    const port = await hurried({ idle: 50 })
    const { closed } = rawConnection(port, head(1000) + part('half').slice(0, 80))
    expect(await closed).toMatch(/^HTTP\/1.1 400 .*the request took too long/s)
  })

  test('that is all there leaves its handler as much time as it needs', async () => {
    const idle = 10
    const port = await hurried({ idle }, async (files, response) => {
      for await (const { content } of files) for await (const _ of content());
      await setTimeout(4 * idle)
      response.end('done')
    })
    const { socket, answer } = talking(port, head(body.length) + body)
    expect(await answer).toMatch(/^HTTP\/1.1 200 .*done/s)
    socket.destroy()
  })

  test('that was answered before its end is over after a while', async () => {
    const { isLate, onLate } = lateness()
    const enough: Taken = async (files, response) => {
      for await (const _ of files) {
        await isLate
        break
      }
      response.end('enough')
    }
    const { closed } = rawConnection(
      await hurried({ rest: 50 }, enough, onLate),
      head(2 ** 30) + part('a').slice(0, -2),
    )
    expect(await closed).toMatch(/^HTTP\/1.1 200 .*enough/s)
  })

  test('that was answered before its end lets the next request through when its rest has come', async () => {
    const enough: Taken = async (files, response) => {
      for await (const _ of files) break
      response.end('enough')
    }
    const port = await hurried({ within: 60_000 }, enough)
    const rest = 'x'.repeat(2 ** 23)
    const { socket, answer } = talking(port, head(part('a').length + rest.length) + part('a'))
    expect(await answer).toMatch(/enough/)
    const next = once(socket, 'data')
    socket.write(rest + head(body.length) + body)
    expect(String(await next)).toMatch(/^HTTP\/1.1 200 .*enough/s)
    socket.destroy()
  })

  test('is not waiting for a request that has no header yet', async () => {
    const { closed } = rawConnection(await hurried({}), 'POST / HTTP/1.1\r\nHost: x\r\nContent-')
    expect(await closed).toMatch(/^HTTP\/1.1 400 /)
  })
})

const pieces = fc.constantFrom(
  '--X',
  '\r\n',
  '--',
  'X',
  'Content-Disposition: form-data; name="f"; filename="a"\r\n\r\n',
  'Content-Disposition: form-data; name="f"\r\n\r\n',
  'Content-Disposition: ',
  'Content-Type: text/plain; charset="\r\n',
  'text',
  '\0',
  '"',
  part('x'),
  end,
)

test('no body makes the parser hang, or throw anything but what is declared', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(pieces, { maxLength: 12 }), fc.nat(20), async (texts, cut) => {
      const text = texts.join('')
      const chunks = [text.slice(0, cut), text.slice(cut)].filter(Boolean)
      const read = async () => {
        for await (const { content } of multipartFiles(Readable.from(chunks.map((one) => Buffer.from(one))), form, {
          files: 20,
          bytes: 1000,
        }))
          for await (const _ of content());
      }
      expect(await read().catch((error) => error)).toSatisfy(
        (outcome) =>
          outcome === undefined ||
          ['invalid', 'tooLarge'].includes(outcome.kind) ||
          /terminated early/.test(outcome.message),
      )
    }),
    { numRuns: 200 },
  )
})
