import type { IncomingMessage, RequestListener } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { openProber } from '../../src/client/probe-address.ts'
import { nameServer } from '../support/name-server.ts'
import { serverOf } from '../support/servers.ts'

async function server(handle: RequestListener) {
  const seen: IncomingMessage[] = []
  const { url } = await serverOf((request, response) => {
    seen.push(request)
    handle(request, response)
  })
  return { url, seen }
}
function prober(timeout = 5000, signal?: AbortSignal) {
  const open = openProber({ timeout, env: {}, ...(signal && { signal }) })
  onTestFinished(() => open.close())
  return open.probe
}

test('HEAD is enough where it is answered; nothing about the caller is sent', async () => {
  const { url, seen } = await server((_, response) =>
    response.writeHead(200, { 'content-type': 'Image/PNG; q=1', 'content-length': 7 }).end(),
  )
  expect(await prober()(`${url.replace('//', '//me:secret@')}/a?b=c`)).toEqual({
    status: 200,
    type: 'image/png',
    size: 7,
  })
  expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual(['HEAD /a?b=c'])
  expect(Object.keys(seen[0]?.headers ?? {}).sort()).toEqual(['accept', 'connection', 'host', 'user-agent'])
})

test('of localhost and another host, only the other is looked up', async () => {
  const looked = nameServer(async () => '127.0.0.1')
  const { url } = await server((_, response) => response.end())
  const probe = prober()
  for (const host of ['localhost', 'pictures.example'])
    expect(await probe(url.replace('127.0.0.1', host))).toMatchObject({ status: 200 })
  expect(looked).toEqual(['pictures.example'])
})

test('GET of one byte where HEAD is refused', async () => {
  const { url, seen } = await server(({ method }, response) =>
    method === 'HEAD'
      ? response.writeHead(405).end()
      : response
          .writeHead(206, { 'content-type': 'image/gif', 'content-range': 'bytes 0-0/4096', 'content-length': 1 })
          .end('x'),
  )
  expect(await prober()(url)).toEqual({ status: 206, type: 'image/gif', size: 4096 })
  expect(seen.map(({ method, headers }) => [method, headers.range])).toEqual([
    ['HEAD', undefined],
    ['GET', 'bytes=0-0'],
  ])
})

test('an endless answer is not waited for', async () => {
  const { url } = await server(({ method }, response) => {
    if (method === 'HEAD') return void response.writeHead(403).end()
    response.writeHead(200, { 'content-type': 'text/plain' })
    response.write('x'.repeat(100_000))
  })
  expect(await prober()(url)).toMatchObject({ status: 200, type: 'text/plain', size: undefined })
})

test('redirects are followed, so many and to the web alone', async () => {
  const { url } = await server(({ url: path = '' }, response) => {
    if (path === '/end') return void response.writeHead(200).end()
    const to = { '/a': '/b', '/b': '/end', '/file': 'file:///etc/passwd' }[path] ?? path
    response.writeHead(302, { location: to }).end()
  })
  expect(await prober()(`${url}/a`)).toMatchObject({ status: 200 })
  await expect(prober()(`${url}/file`)).rejects.toThrow('it redirects to file:///etc/passwd')
  await expect(prober()(`${url}/loop`)).rejects.toThrow('more than 5 redirects')
})

test.each([
  ['https://a.invalid', 'http://b.invalid'],
  ['http://b.invalid', 'https://a.invalid'],
])('with an empty HTTPS_PROXY, https is asked directly, and http through its proxy: %s, then %s', async (...urls) => {
  const { url, seen } = await server((_, response) => response.writeHead(200).end())
  const open = openProber({ timeout: 5000, env: { HTTP_PROXY: url, HTTPS_PROXY: '' } })
  onTestFinished(() => open.close())
  for (const address of urls) await open.probe(address).catch(() => undefined)
  expect(seen.map(({ url }) => url)).toEqual(['http://b.invalid/'])
})

test('what does not answer, and an interruption', async () => {
  const { url } = await server(() => {})
  await expect(prober(50)(url)).rejects.toThrow('no answer within 0.05 s')
  await expect(prober()('http://127.0.0.1:1/')).rejects.toThrow('nothing listens there')
  const controller = new AbortController()
  const waiting = prober(5000, controller.signal)(url)
  controller.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
})
