import type { IncomingMessage, RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { networkTransport } from '../../src/client/network.ts'
import type { WireRequest } from '../../src/contract/api/wire.ts'
import { limits } from '../../src/contract/limits.ts'
import { selfSigned } from '../fixtures/self-signed.ts'
import { answeringAll } from '../support/name-server.ts'
import { serverOf, started } from '../support/servers.ts'

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

test.each(['localhost', 'x.y.localhost'])('reaches %s on this machine, whatever a name server says', async (host) => {
  const looked = answeringAll()
  const hosts: unknown[] = []
  const { port } = await serverOf(({ headers }, response) => {
    hosts.push(headers.host)
    response.end('{}')
  })
  const send = await transport(`http://${host}:${port}`)
  expect(await send(request)).toMatchObject({ status: 200 })
  expect(hosts).toEqual([`${host}:${port}`])
  expect(looked).toEqual([])
})

test('says that an address of this machine is to be written with https, whatever a name server says', async () => {
  const looked = answeringAll()
  const { port } = await started(createSecureServer(selfSigned))
  const send = await transport(`http://localhost:${port}`)
  await expect(send(request)).rejects.toMatchObject({ reason: 'it speaks https' })
  expect(looked).toEqual([])
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

test('asks for an answer that is not compressed, and says where one is', async () => {
  const asked: unknown[] = []
  const { url: base } = await serverOf((incoming, response) => {
    asked.push(incoming.headers['accept-encoding'])
    response.setHeader('Content-Encoding', 'gzip').end(gzipSync('{"ok":true}'))
  })
  const send = await transport(base)
  await expect(send(request)).rejects.toMatchObject({
    name: 'UnreachableError',
    reason: 'the answer is compressed, though one was asked for that is not',
  })
  expect(asked).toEqual(['identity'])
})

test('waits longer than its time limit for a long answer whose bytes keep coming', async () => {
  const { url: base } = await serverOf(async (_, response) => {
    for (let part = 0; part < 6; part++) {
      response.write('x'.repeat(1_100_000))
      await setTimeout(450)
    }
    response.end()
  })
  const send = await transport(base, { timeout: 2_000 })
  expect((await send(request)).body).toHaveLength(6_600_000)
})

test('gives up an answer whose end comes a byte at a time', async () => {
  const { url: base } = await serverOf((_, response) => {
    response.write('x'.repeat(1_100_000))
    const timer = setInterval(() => response.write('x'), 20)
    setTimeout(3_000).then(() => response.end())
    response.on('close', () => clearInterval(timer))
  })
  const send = await transport(base, { timeout: 500 })
  await expect(send(request)).rejects.toMatchObject({ reason: 'no answer within 0.5 s' })
})

test('reads any number of large answers, one after the other', async () => {
  const body = 'x'.repeat(limits.answer / 4)
  const { url: base } = await serverOf((_, response) => response.end(body))
  const send = await transport(base)
  for (let answers = 1; answers <= 5; answers++) expect((await send(request)).body).toHaveLength(body.length)
})

test('ends with the reason of an interruption', async () => {
  const { url: base } = await serverOf()
  const interrupted = new AbortController()
  const send = await transport(base, { signal: interrupted.signal })
  const pending = send(request)
  interrupted.abort(new Error('Ctrl-C'))
  await expect(pending).rejects.toThrow('Ctrl-C')
})

describe('after an interruption', () => {
  const interruptedAt = async (answer: RequestListener, more: Partial<WireRequest> = {}) => {
    const interrupted = new AbortController()
    const { url: base } = await serverOf((incoming, response) => {
      interrupted.abort(new Error('Ctrl-C'))
      return answer(incoming, response)
    })
    const send = await transport(base, { signal: interrupted.signal })
    const began = performance.now()
    const ended = await send({ ...request, changes: true, ...more }).catch((error: unknown) => error)
    return { ended, took: performance.now() - began }
  }

  test('the answer to a change is waited for: it says what was done', async () => {
    const { ended } = await interruptedAt((_, response) => void setTimeout(50).then(() => response.end('{}')))
    expect(ended).toMatchObject({ status: 200, body: '{}' })
  })

  test('no change is sent any more, and none may be done', async () => {
    const interrupted = new AbortController()
    let received = 0
    const { url: base } = await serverOf((_, response) => {
      received++
      response.end('{}')
    })
    const send = await transport(base, { signal: interrupted.signal })
    const change = { ...request, changes: true }
    await send(change)
    interrupted.abort(new Error('Ctrl-C'))
    const ended = await send(change).catch((error: unknown) => error)
    expect(ended).toBe(interrupted.signal.reason)
    expect(received).toBe(1)
  })

  test('it is given up after two seconds', async () => {
    const { ended, took } = await interruptedAt(() => {})
    expect(ended).toMatchObject({ mayBeDone: true })
    expect(took).toBeGreaterThan(1_500)
    expect(took).toBeLessThan(4_000)
  })

  test.each([{ changes: false }, { headers: { 'vatom-dry-run': '1' } }])(
    'nothing else is waited for: %j',
    async (more) => {
      expect((await interruptedAt(() => {}, more)).took).toBeLessThan(1_000)
    },
  )
})

test('nothing of an answer stays in memory that its reader has forgotten', async () => {
  const { url: base } = await serverOf((_, response) => void response.end('{}'))
  const send = await transport(base, { signal: new AbortController().signal })
  const answers = await Promise.all(Array.from({ length: 20 }, async () => new WeakRef(await send(request))))
  await setTimeout(10)
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  expect(answers.filter((answer) => answer.deref()).length).toBeLessThan(3)
})

test.each([
  ['http://127.0.0.1:1', /connection refused/],
  ['http://name.invalid', /host name/],
])('says why nobody answers at %s', async (base, reason) => {
  const send = await transport(base)
  await expect(send(request)).rejects.toMatchObject({ address: base, reason: expect.stringMatching(reason) })
})

/** A proxy that passes requests on as `handle` says, and opens a tunnel to no port but 443; what it was asked for. */
async function proxyFor(handle: RequestListener) {
  const seen: IncomingMessage[] = []
  const { server, url } = await serverOf((incoming, response) => {
    seen.push(incoming)
    handle(incoming, response)
  })
  server.on('connect', (incoming, socket) => {
    seen.push(incoming)
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
  })
  return { url, seen }
}

test('goes through the proxy of the environment, and past it for NO_PROXY and on this machine', async () => {
  const { url, seen } = await proxyFor((_, response) => response.end('{}'))
  const env = { HTTP_PROXY: url, NO_PROXY: 'name.invalid' }
  const tunnelled = await transport('https://service.example', { env })
  await expect(tunnelled(request)).rejects.toMatchObject({ reason: expect.stringContaining('502') })
  for (const base of ['http://127.0.0.1:1', 'http://name.invalid']) {
    const direct = await transport(base, { env })
    await expect(direct(request)).rejects.toMatchObject({ reason: expect.stringMatching(/refused|unknown|looked up/) })
  }
  expect(seen.map(({ url }) => url)).toEqual(['service.example:443'])
})

test('has requests to http:// passed on by the proxy, with its user and password, and asks it for no tunnel', async () => {
  const bodies: string[] = []
  const { url, seen } = await proxyFor(async (incoming, response) => {
    bodies.push(Buffer.concat(await incoming.toArray()).toString())
    response.end('{"ok":true}')
  })
  const send = await transport('http://service.example:4100/base', {
    env: { HTTP_PROXY: url.replace('//', '//me:hunter%402@') },
  })
  expect(await send(request)).toMatchObject({ status: 200, body: '{"ok":true}' })
  expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST http://service.example:4100/base/v1/x?y=1'])
  expect(seen[0]?.headers).toMatchObject({
    host: 'service.example:4100',
    'app-id': 'a',
    'proxy-authorization': `Basic ${Buffer.from('me:hunter@2').toString('base64')}`,
  })
  expect(bodies).toEqual(['{}'])
})

describe('a proxy that cannot be used is named with its variable, without its password', () => {
  const failing = async (env: Record<string, string>, base = 'https://service.example') => {
    const send = await transport(base, { env })
    return send(request).catch((error: unknown) => error)
  }
  test('where nothing listens', async () => {
    const error = await failing({ HTTPS_PROXY: 'http://me:hunter2@127.0.0.1:1' })
    expect(error).toMatchObject({
      reason: 'the proxy http://127.0.0.1:1 (HTTPS_PROXY): nothing listens there (connection refused)',
      remedy: 'correct the variable, or name the host of the service in NO_PROXY',
      mayBeDone: false,
    })
    expect(String(error)).not.toContain('hunter2')
  })
  test('where nothing listens that passes requests on', async () =>
    expect(await failing({ HTTP_PROXY: 'http://me:hunter2@127.0.0.1:1' }, 'http://service.example')).toMatchObject({
      reason: 'the proxy http://127.0.0.1:1 (HTTP_PROXY): nothing listens there (connection refused)',
      mayBeDone: false,
    }))
  test.each(['127.0.0.1:1', 'me:hunter2@127.0.0.1:1', 'localhost:1'])('without a scheme: %s', async (HTTPS_PROXY) => {
    const error = await failing({ HTTPS_PROXY })
    expect(error).toMatchObject({
      reason: expect.stringMatching(
        /^the proxy http:\/\/(127\.0\.0\.1|localhost):1 \(HTTPS_PROXY\): nothing listens there/,
      ),
    })
    expect(String(error)).not.toContain('hunter2')
  })
  test.each(['127.0.0.1:port', 'a b', 'http://'])('that is none: %s', async (HTTPS_PROXY) => {
    const error = await transport('https://service.example', { env: { HTTPS_PROXY } }).catch((cause: unknown) => cause)
    expect(error).toMatchObject({
      reason: 'HTTPS_PROXY is not the address of an http or https proxy',
      remedy: 'write it as http://HOST:PORT; or unset it',
    })
  })
  test('that is none, together with the other that is none', async () => {
    const env = { HTTP_PROXY: 'socks5://me:hunter2@127.0.0.1:1', HTTPS_PROXY: '127.0.0.1:port' }
    const error = await transport('https://service.example', { env }).catch((cause: unknown) => cause)
    expect(error).toMatchObject({
      isMisconfigured: true,
      reason: 'HTTP_PROXY and HTTPS_PROXY are not addresses of http or https proxies',
      remedy: expect.stringMatching(/^write them as http:\/\/HOST:PORT; in a user .* %40; or unset them$/),
    })
    expect(String(error)).not.toContain('hunter2')
  })
  test('that is none only if it is used', async () => {
    const env = { HTTP_PROXY: '127.0.0.1:port', HTTPS_PROXY: 'http://127.0.0.1:1' }
    expect(await failing(env)).toMatchObject({ reason: expect.stringContaining('(HTTPS_PROXY): nothing listens') })
  })
  test.each(['http://me:pass/word@127.0.0.1:1', 'http://me:pass#word@127.0.0.1:1', 'http://127.0.0.1/a#b'])(
    'of which a part is in the wrong place: %s',
    async (HTTPS_PROXY) => {
      const error = await transport('https://service.example', { env: { HTTPS_PROXY } }).catch(
        (cause: unknown) => cause,
      )
      expect(error).toMatchObject({ isMisconfigured: true, remedy: expect.stringMatching(/^write it as http:/) })
      expect(String(error)).not.toContain('word')
    },
  )
  test('where its host is unknown, and of the variable in small letters', async () =>
    expect(await failing({ https_proxy: 'http://name.invalid:3128' })).toMatchObject({
      reason: expect.stringMatching(/^the proxy http:\/\/name\.invalid:3128 \(https_proxy\): the host name/),
    }))
  test('where it closes the connection', async () => {
    const { url } = await serverOf()
    expect(await failing({ HTTP_PROXY: url })).toMatchObject({
      reason: `the proxy ${url} (HTTP_PROXY): the connection was closed`,
    })
  })
  test.each(['https://service.example', 'http://service.example'])(
    'where it asks for a password, for %s',
    async (base) => {
      const proxy = await serverOf((_, response) => response.writeHead(407).end('<h1>Sign in</h1>'))
      proxy.server.on('connect', (_, socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'))
      expect(await failing({ HTTP_PROXY: proxy.url }, base)).toMatchObject({
        reason: `the proxy ${proxy.url} (HTTP_PROXY): it asks for a user and a password (407)`,
        remedy: 'write the user and the password into the variable: http://USER:PASSWORD@HOST:PORT',
      })
      const error = await failing({ HTTP_PROXY: proxy.url.replace('//', '//me:hunter2@') }, base)
      expect(error).toMatchObject({
        reason: `the proxy ${proxy.url} (HTTP_PROXY): it does not accept the user and the password (407)`,
        remedy: expect.stringMatching(/^correct the user and the password in the variable/),
      })
      expect(String(error)).not.toContain('hunter2')
    },
  )
  test.each(['https://service.example', 'http://service.example'])('of SOCKS, for %s', async (baseUrl) => {
    const warned = vi.spyOn(process, 'emitWarning')
    onTestFinished(() => warned.mockRestore())
    const env = { HTTP_PROXY: 'socks5://me:hunter2@127.0.0.1:1' }
    const error = await transport(baseUrl, { env }).catch((cause: unknown) => cause)
    expect(error).toMatchObject({
      isMisconfigured: true,
      reason: 'HTTP_PROXY is not the address of an http or https proxy',
      remedy: expect.stringMatching(/^write it as http:\/\/HOST:PORT; .*; or unset it$/),
    })
    expect(String(error)).not.toContain('hunter2')
    expect(warned).not.toHaveBeenCalled()
  })
})

test.each([
  ['me:50%25off', 'me:50%off'],
  ['me:50%off', 'me:50%off'],
  ['me:a%40b%', 'me:a@b%'],
  ['me:%ad', 'me:%ad'],
  ['me:%zz', 'me:%zz'],
])('a proxy gets the user and the password of %s, also where a percent sign begins no code', async (user, decoded) => {
  for (const base of ['http://service.example', 'https://service.example']) {
    const got: unknown[] = []
    const proxy = await serverOf(({ headers }, response) => {
      got.push(headers['proxy-authorization'])
      response.end('{}')
    })
    proxy.server.on('connect', ({ headers }, socket) => {
      got.push(headers['proxy-authorization'])
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    })
    const env = { HTTP_PROXY: proxy.url.replace('//', `//${user}@`) }
    await (await transport(base, { env }))(request).catch(() => undefined)
    expect(got).toEqual([`Basic ${btoa(decoded)}`])
  }
})

test('HTTP_PROXY is the proxy of https addresses, too, unless HTTPS_PROXY is empty', async () => {
  const asked: unknown[] = []
  const proxy = await serverOf()
  proxy.server.on('connect', ({ url }, socket) => {
    asked.push(url)
    socket.destroy()
  })
  const fail = async (env: Record<string, string>) =>
    await (await transport('https://service.invalid', { env }))(request).catch((error: unknown) => String(error))
  expect(await fail({ HTTP_PROXY: proxy.url })).toContain('(HTTP_PROXY)')
  expect(asked).toEqual(['service.invalid:443'])
  expect(await fail({ HTTP_PROXY: proxy.url, HTTPS_PROXY: '' })).not.toContain('PROXY')
  expect(await fail({ HTTP_PROXY: proxy.url, https_proxy: ' ', HTTPS_PROXY: proxy.url })).not.toContain('PROXY')
  expect(asked).toHaveLength(1)
})

test('a change that gets no answer through a proxy may have been made, and the proxy is named without its password', async () => {
  const { url } = await proxyFor(({ socket }) => socket.destroy())
  const env = { HTTP_PROXY: url.replace('//', '//me:hunter2@'), NO_PROXY: 'name.invalid' }
  const send = await transport('http://service.example', { env })
  await expect(send({ ...request, changes: true })).rejects.toMatchObject({
    reason: `the connection was closed, through the proxy ${url} (HTTP_PROXY)`,
    mayBeDone: true,
  })
  const direct = await transport('http://name.invalid', { env })
  await expect(direct(request)).rejects.toMatchObject({ reason: expect.not.stringContaining('proxy') })
})

test('a change that gets no answer past the proxy may have been made', async () => {
  const { port } = await serverOf(({ socket }) => socket.destroy())
  const send = await transport(`http://0.0.0.0:${port}`, {
    env: { HTTP_PROXY: 'http://127.0.0.1:1', NO_PROXY: '0.0.0.0' },
  })
  await expect(send({ ...request, changes: true })).rejects.toMatchObject({ mayBeDone: true })
})

test.each(['https://service.example', 'http://service.example'])(
  'a proxy that does nothing is given up after the time limit, for %s',
  async (base) => {
    const proxy = await serverOf()
    proxy.server.on('connect', () => {})
    const send = await transport(base, { env: { HTTP_PROXY: proxy.url }, timeout: 50 })
    await expect(send(request)).rejects.toMatchObject({
      reason: `no answer within 0.05 s, through the proxy ${proxy.url} (HTTP_PROXY)`,
    })
  },
)
