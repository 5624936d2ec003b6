import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { type FileHandle, open as openFile } from 'node:fs/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { smallFile } from '../../fixtures/files.ts'
import { folderWith, newDatabase } from '../../support/folders.ts'
import { listsOpenFiles, openFiles } from '../../support/open-files.ts'
import { rawConnection } from '../../support/raw-connection.ts'
import { testService } from '../../support/service.ts'

const content = '0123456789'
type Headers = Readonly<Record<string, string>>

/** A service that listens, with an asset of ten digits. */
async function served(name = 'digits.bin', bytes: string | Uint8Array = content) {
  const db = newDatabase()
  const world = await testService({ db }, 'over HTTP')
  const { payload } = await world.publisher.call('POST', '/v1/publisher/asset', { files: [smallFile(name, bytes)] })
  const [asset] = payload
  const { port, pathname } = new URL(asset.url)
  /** Asks for a path exactly as it is written. */
  const ask = async (path = pathname, headers: Headers = {}, method = 'GET') => {
    const response = await opened(Number(port), path, headers, method)
    const parts: Buffer[] = []
    for await (const part of response) parts.push(part)
    return { status: response.statusCode, headers: response.headers, body: Buffer.concat(parts).toString() }
  }
  return { ...world, db, asset, port: Number(port), pathname, ask, etag: `"${asset.sha256}"` }
}

/** An answer, of which nothing has been read. */
const opened = (port: number, path: string, headers: Headers = {}, method = 'GET') =>
  new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest({ host: '127.0.0.1', port, path, method, headers }, resolve).on('error', reject).end()
  })

test('an asset is there for everybody, for good', async () => {
  const { ask, etag } = await served()
  const { status, headers, body } = await ask()
  expect({ status, body }).toEqual({ status: 200, body: content })
  expect(headers).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'content-length': '10',
    'cache-control': 'public, max-age=31536000, immutable',
    'accept-ranges': 'bytes',
    'last-modified': expect.stringMatching(/GMT$/),
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
    'access-control-allow-origin': '*',
    etag,
  })
  expect(headers).not.toHaveProperty('content-security-policy')
  expect(headers).not.toHaveProperty('set-cookie')
})

test('HEAD answers what GET would, without the content', async () => {
  const { ask, pathname } = await served()
  const [get, head] = [await ask(), await ask(pathname, {}, 'HEAD')]
  const { date: _, 'x-request-id': __, ...expected } = get.headers
  expect(head).toMatchObject({ status: 200, headers: expected, body: '' })
})

test('an empty asset is empty', async () => {
  const { ask } = await served('empty', '')
  expect(await ask()).toMatchObject({ status: 200, headers: { 'content-length': '0' }, body: '' })
})

test.each([
  ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
  ['bytes=7-', 206, '789', 'bytes 7-9/10'],
  ['bytes=-3', 206, '789', 'bytes 7-9/10'],
  ['bytes=8-99', 206, '89', 'bytes 8-9/10'],
  ['bytes=0-0', 206, '0', 'bytes 0-0/10'],
  ['bytes=10-', 416, '', 'bytes */10'],
  ['bytes=5-2', 416, '', 'bytes */10'],
  ['bytes=-0', 416, '', 'bytes */10'],
  ['bytes=0-1,4-5', 200, content, undefined],
  ['lines=1-2', 200, content, undefined],
])('the range %s is a %i', async (range, status, body, contentRange) => {
  const { ask, pathname } = await served()
  const answer = await ask(pathname, { range })
  expect({ status: answer.status, body: answer.body }).toEqual({ status, body })
  expect(answer.headers['content-range']).toBe(contentRange)
  expect((await ask(pathname, { range }, 'HEAD')).status).toBe(status)
})

test.each<[string, number, (etag: string, date: string) => Headers]>([
  ['its tag', 304, (etag) => ({ 'if-none-match': etag })],
  ['its tag, weakly', 304, (etag) => ({ 'if-none-match': `"other", W/${etag}` })],
  ['any tag', 304, () => ({ 'if-none-match': '*' })],
  ['another tag', 200, () => ({ 'if-none-match': '"other"' })],
  ['another tag and its date', 200, (_, date) => ({ 'if-none-match': '"other"', 'if-modified-since': date })],
  ['its date', 304, (_, date) => ({ 'if-modified-since': date })],
  ['an earlier date', 200, () => ({ 'if-modified-since': 'Sat, 01 Jan 2000 00:00:00 GMT' })],
  ['what it must be', 200, (etag) => ({ 'if-match': etag })],
  ['what it must not be', 412, () => ({ 'if-match': '"other"' })],
  ['a weak tag that it must be', 412, (etag) => ({ 'if-match': `W/${etag}` })],
  ['a date before it', 412, () => ({ 'if-unmodified-since': 'Sat, 01 Jan 2000 00:00:00 GMT' })],
  [
    'its tag, which goes before a date',
    200,
    (etag) => ({ 'if-match': etag, 'if-unmodified-since': 'Sat, 01 Jan 2000 00:00:00 GMT' }),
  ],
])('a request on the condition of %s is a %i', async (_, status, condition) => {
  const { ask, pathname, etag } = await served()
  const { headers } = await ask()
  for (const method of ['GET', 'HEAD']) {
    const answer = await ask(pathname, condition(etag, String(headers['last-modified'])), method)
    expect([answer.status, answer.body]).toEqual([status, status === 200 && method === 'GET' ? content : ''])
    if (status === 304)
      expect(answer.headers).toMatchObject({ etag, 'cache-control': expect.stringContaining('immutable') })
  }
})

test.each<[string, number, (etag: string, date: string) => string]>([
  ['its tag', 206, (etag) => etag],
  ['its date', 206, (_, date) => date],
  ['another tag', 200, () => '"other"'],
  ['its tag, weakly', 200, (etag) => `W/${etag}`],
  ['an earlier date', 200, () => 'Sat, 01 Jan 2000 00:00:00 GMT'],
])('a range on the condition of %s is a %i', async (_, status, condition) => {
  const { ask, pathname, etag } = await served()
  const { headers } = await ask()
  const ifRange = condition(etag, String(headers['last-modified']))
  const answer = await ask(pathname, { range: 'bytes=2-4', 'if-range': ifRange })
  expect([answer.status, answer.body]).toEqual([status, status === 206 ? '234' : content])
})

test.each([
  ['page.html', '<!doctype html><script>fetch("/v1/user")</script>'],
  ['page.xhtml', '<html xmlns="http://www.w3.org/1999/xhtml"/>'],
  ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ['code.js', 'alert(1)'],
  ['paper.pdf', '%PDF-1.7\n1 0 obj\n<<>>\nendobj\n'],
  ['list.appcache', 'CACHE MANIFEST'],
  ['style.css', 'a { color: red }'],
  ['data.xml', '<?xml version="1.0"?><?xml-stylesheet href="x.xsl"?><x/>'],
])('%s can run nothing, and acts in nobody’s name', async (name, text) => {
  const { ask } = await served(name, text)
  const { headers, body } = await ask()
  const policy = String(headers['content-security-policy'])
    .split(';')
    .map((one) => one.trim())
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain('sandbox')
  expect(policy.join()).not.toMatch(/script|allow-/)
  expect([headers['x-content-type-options'], body]).toEqual(['nosniff', text])
})

test.each([
  ['a.txt', 'text'],
  ['a.json', '{}'],
  ['a.gltf', '{"asset":{}}'],
  ['a.bin', '\u0000'],
])('%s is shown by browsers as it is', async (name, text) => {
  const { ask } = await served(name, text)
  expect((await ask()).headers).not.toHaveProperty('content-security-policy')
})

describe('an address', () => {
  test('may have any name at its end, or none', async () => {
    const { ask, asset } = await served()
    for (const name of ['', '/', '/other.png', '/%2e%2e%2f%2e%2e%2fetc%2fpasswd', '/%00', '/%F0%9F%92%A5', '/a?b=c'])
      expect([name, (await ask(`/assets/${asset.id}${name}`)).status]).toEqual([name, 200])
    expect(await ask(`//assets//${asset.id}/x`)).toMatchObject({
      status: 200,
      headers: { 'access-control-allow-origin': '*' },
    })
  })

  test('of nothing is a 404 as the API answers one', async () => {
    const { ask } = await served()
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, body } = await ask('/assets/00000000-0000-4000-8000-000000000000/x', {}, method)
      expect([status, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8'])
      expect(headers).not.toHaveProperty('cache-control')
      if (method === 'GET')
        expect(JSON.parse(body)).toMatchObject({ request_id: expect.any(String), error: 9007, message: /no asset/ })
    }
  })

  test('never leads to another file', async () => {
    const { ask, asset, db } = await served()
    writeFileSync(`${db}.assets/secret`, 'KEPT BACK')
    writeFileSync(`${db}.assets/${asset.id}.1.part`, 'KEPT BACK')
    for (const id of [
      'secret',
      `${asset.id}.1.part`,
      '..%2Fservice.db',
      '..%5Cservice.db',
      '%2e%2e%2fservice.db',
      '../service.db',
      './secret',
      '%2Fetc%2Fpasswd',
      `${asset.id}%00`,
      `${asset.id}%2F..%2Fsecret`,
      asset.id.toUpperCase(),
      '.',
      '..',
    ]) {
      const { status, body } = await ask(`/assets/${id}`)
      expect([id, status]).toEqual([id, 404])
      expect(body).not.toMatch(/KEPT BACK|SQLite/)
    }
    expect((await ask('/assets/%zz')).status).toBe(400)
    expect((await ask('/assets')).status).toBe(404)
  })

  test('is only for reading', async () => {
    const { ask, pathname } = await served()
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      expect([method, (await ask(pathname, {}, method)).status]).toEqual([method, 404])
  })

  test('is not there for requests from within the process', async () => {
    const { service, pathname } = await served()
    expect(await service.inject({ method: 'GET', path: pathname, headers: {} })).toMatchObject({ status: 404 })
  })

  test('needs a Host that the service answers to', async () => {
    const { ask, pathname } = await served()
    expect((await ask(pathname, { host: 'evil.example' })).status).toBe(403)
  })

  test('is open to pages of every origin, and nothing else is', async () => {
    const { ask, pathname } = await served()
    const origin = 'https://evil.example'
    expect(await ask(pathname, { origin })).toMatchObject({
      status: 200,
      headers: {
        'access-control-allow-origin': '*',
        'access-control-expose-headers': expect.stringContaining('Content-Range'),
      },
    })
    const preflight = {
      origin,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'if-none-match',
    }
    expect(await ask(pathname, preflight, 'OPTIONS')).toMatchObject({
      status: 204,
      headers: { 'access-control-allow-origin': '*', 'access-control-allow-methods': 'GET, HEAD' },
    })
    expect((await ask('/v1/user', { origin })).headers).not.toHaveProperty('access-control-allow-origin')
    expect((await ask('/v1/user/assets/', { origin })).headers).not.toHaveProperty('access-control-allow-origin')
  })
})

test('who is reading an asset that is deleted reads it to its end; nobody else does', async () => {
  const large = Buffer.alloc(8 * 2 ** 20, 'x')
  const { publisher, asset, port, pathname, ask } = await served('large.txt', large)
  const reading = await opened(port, pathname)
  expect(await publisher.call('DELETE', `/v1/publisher/asset/${asset.id}`)).toMatchObject({ status: 200 })
  let size = 0
  for await (const part of reading) size += part.length
  expect(size).toBe(large.length)
  expect((await ask()).status).toBe(404)
})

describe.runIf(listsOpenFiles)('no file stays open', () => {
  /** A service with an asset, and how often that is open. */
  async function opening() {
    const world = await served('large.txt', Buffer.alloc(8 * 2 ** 20, 'x'))
    const begin = `GET ${world.pathname} HTTP/1.1\r\nHost: localhost\r\n\r\n`
    return { ...world, begin, open: () => openFiles().filter((file) => file.includes(world.asset.id)).length }
  }

  test.each<[string, number, string, Headers]>([
    ['that is read to its end', 200, 'GET', {}],
    ['of which only the headers are asked for', 200, 'HEAD', {}],
    ['that is not changed', 304, 'GET', { 'if-modified-since': 'Sat, 01 Jan 2050 00:00:00 GMT' }],
    ['that ends before the range', 416, 'GET', { range: 'bytes=99999999-' }],
  ])('%s', async (_, status, method, headers) => {
    const { ask, pathname, open } = await opening()
    expect((await ask(pathname, headers, method)).status).toBe(status)
    await expect.poll(open).toBe(0)
  })

  test('that is not whole', async () => {
    const { ask, db, asset, open } = await opening()
    truncateSync(`${db}.assets/${asset.id}`, 100_000)
    expect((await ask()).status).toBe(503)
    await expect.poll(open).toBe(0)
  })

  test.each([
    ['while it is being opened', 'stat', ''],
    ['before its first bytes are read', 'read', ''],
    ['before them, with a tunnel behind it', 'read', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'],
  ] as const)('for a client that leaves %s, which is no failure', async (_, step, behind) => {
    const { port, db, asset, begin, lines, open } = await opening()
    const other = await openFile(`${db}.assets/${asset.id}`)
    await other.close()
    const spy = vi.spyOn(Object.getPrototypeOf(other), step)
    onTestFinished(() => spy.mockRestore())
    const { socket } = rawConnection(port, begin + behind)
    spy.mockImplementationOnce(async function (this: FileHandle, ...given: unknown[]) {
      socket.resetAndDestroy()
      await setTimeout(100)
      return await Reflect.apply(this[step], this, given)
    })
    await expect.poll(() => spy.mock.settledResults.length).toBeGreaterThan(1)
    await expect.poll(open).toBe(0)
    // The stream of its parts is closed behind the file.
    await setTimeout(20)
    expect(lines.join('\n')).not.toMatch(/internal|Error/)
  })

  test('for a client that leaves in the middle of it', async () => {
    const { port, begin, open } = await opening()
    const { socket, until } = rawConnection(port, begin)
    await until((text) => text.length > 0)
    socket.pause()
    expect(open()).toBe(1)
    socket.destroy()
    await expect.poll(open).toBe(0)
  })

  test('for many clients that leave before they have read anything', async () => {
    const { port, begin, lines, open } = await opening()
    for (let turn = 0; turn < 10; turn++) {
      const leaving = Array.from({ length: 20 }, () => rawConnection(port, begin))
      await Promise.all(leaving.map(({ socket }) => new Promise((resolve) => socket.once('connect', resolve))))
      await setTimeout(turn % 4)
      for (const { socket } of leaving) socket.resetAndDestroy()
    }
    await expect.poll(open).toBe(0)
    expect(lines.filter((line) => !line.includes(' 200 '))).toEqual([])
  })
})

test('a file that is cut while it is read ends the connection, and is not served any more', async () => {
  const large = Buffer.alloc(24 * 2 ** 20, 'x')
  const { asset, db, port, pathname, ask } = await served('large.txt', large)
  const { socket, until, closed } = rawConnection(port, `GET ${pathname} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(2))
  await until((text) => text.length > 0)
  socket.pause()
  truncateSync(`${db}.assets/${asset.id}`, 100_000)
  socket.resume()
  const text = await closed
  expect(text.length).toBeLessThan(large.length)
  expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1)
  for (const method of ['GET', 'HEAD'])
    expect([method, (await ask(pathname, {}, method)).status]).toEqual([method, 503])
})

test('reading and deleting at once is answered with the asset or with 404, whole', async () => {
  const { publisher, ask } = await served()
  for (let round = 0; round < 10; round++) {
    const { payload } = await publisher.call('POST', '/v1/publisher/asset', { files: [smallFile('x', content)] })
    const [{ id }] = payload
    const reads = Array.from({ length: 4 }, () => ask(`/assets/${id}/x`))
    await publisher.call('DELETE', `/v1/publisher/asset/${id}`)
    for (const { status, body } of await Promise.all(reads))
      expect(status === 200 ? body : status).toSatisfy((outcome) => outcome === content || outcome === 404)
  }
})

test('an asset whose file somebody took away is a 404', async () => {
  const { ask, db } = await served()
  rmSync(`${db}.assets`, { recursive: true })
  const { status, body } = await ask()
  expect([status, JSON.parse(body).error]).toEqual([404, 9007])
})

describe.each<[string, (file: string) => unknown]>([
  ['a link', (file) => symlinkSync(join(folderWith({ secret: content }), 'secret'), file)],
  ['a pipe', (file) => execFileSync('mkfifo', [file])],
  ['a folder', (file) => mkdirSync(file)],
])('%s in the place of the file of an asset', (_, put) => {
  test.each(['GET', 'HEAD'])('is not there for %s', async (method) => {
    const { ask, db, asset, pathname } = await served()
    rmSync(`${db}.assets/${asset.id}`)
    put(`${db}.assets/${asset.id}`)
    for (const range of ['', 'bytes=2-4', 'bytes=99-']) {
      const answer = await ask(pathname, { range }, method)
      expect([answer.status, answer.headers['content-range']]).toEqual([404, undefined])
    }
  })
})
