import { expect, onTestFinished, test } from 'vitest'
import { networkTransport } from '../../src/client/network.ts'
import { serverOf } from '../support/servers.ts'

async function transport(
  baseUrl: string,
  options: { timeout?: number; signal?: AbortSignal; env?: Record<string, string> } = {},
) {
  const { send, close } = await networkTransport({ baseUrl, timeout: 5_000, env: {}, ...options })
  onTestFinished(close)
  return send
}

const request = { method: 'POST', path: '/v1/x?y=1', headers: { 'app-id': 'a' }, body: '{}' }

test('sends method, path, headers and body below a base path', async () => {
  const seen: unknown[] = []
  const { url: base } = await serverOf((incoming, response) => {
    seen.push(incoming.method, incoming.url, incoming.headers['app-id'])
    response.setHeader('X-Answer', 'yes').end('{"ok":true}')
  })
  const send = await transport(`${base}/base/`)
  expect(await send(request)).toMatchObject({ status: 200, headers: { 'x-answer': 'yes' }, body: '{"ok":true}' })
  expect(seen).toEqual(['POST', '/base/v1/x?y=1', 'a'])
})

test('gives up after its time limit and names the address', async () => {
  const { url: base } = await serverOf()
  const send = await transport(base, { timeout: 30 })
  await expect(send(request)).rejects.toMatchObject({
    name: 'UnreachableError',
    address: base,
    reason: 'no answer within 0.03 s',
  })
})

test('gives up when an answer stops halfway', async () => {
  const { url: base } = await serverOf((_, response) => response.writeHead(200).write('{'))
  const send = await transport(base, { timeout: 50 })
  await expect(send(request)).rejects.toMatchObject({ name: 'UnreachableError' })
})

test('ends with the reason of an interruption', async () => {
  const { url: base } = await serverOf()
  const interrupted = new AbortController()
  const send = await transport(base, { signal: interrupted.signal })
  const pending = send(request)
  interrupted.abort(new Error('Ctrl-C'))
  await expect(pending).rejects.toThrow('Ctrl-C')
})

test.each([
  ['http://127.0.0.1:1', /connection refused/],
  ['http://name.invalid', /host name/],
])('says why nobody answers at %s', async (base, reason) => {
  const send = await transport(base)
  await expect(send(request)).rejects.toMatchObject({ address: base, reason: expect.stringMatching(reason) })
})

test('goes through the proxy of the environment, and past it for NO_PROXY and on this machine', async () => {
  const seen: (string | undefined)[] = []
  const proxy = await serverOf()
  proxy.server.on('connect', (incoming, socket) => {
    seen.push(incoming.url)
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
  })
  const env = { HTTP_PROXY: proxy.url, NO_PROXY: 'name.invalid' }
  const proxied = await transport('http://service.example', { env })
  await expect(proxied(request)).rejects.toMatchObject({ reason: expect.stringContaining('502') })
  for (const base of ['http://127.0.0.1:1', 'http://name.invalid']) {
    const direct = await transport(base, { env })
    await expect(direct(request)).rejects.toMatchObject({ reason: expect.stringMatching(/refused|unknown|looked up/) })
  }
  expect(seen).toEqual(['service.example:80'])
})

test('a proxy that opens no tunnel is given up after the time limit', async () => {
  const env = { HTTP_PROXY: (await serverOf()).url }
  const send = await transport('http://service.example', { env, timeout: 50 })
  await expect(send(request)).rejects.toMatchObject({ reason: 'no answer within 0.05 s' })
})
