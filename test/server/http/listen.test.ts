import { networkInterfaces } from 'node:os'
import Ajv2020 from 'ajv/dist/2020.js'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { isCounted } from '../../../src/contract/api/endpoint.ts'
import {
  type LocalOperation,
  type LocalRow,
  localPrefix,
  localRoutes,
  localRows,
} from '../../../src/contract/api/local-routes.ts'
import { operations } from '../../../src/contract/api/table.ts'
import { openApi } from '../../../src/contract/derived/openapi.ts'
import { limits } from '../../../src/contract/limits.ts'
import { at } from '../../../src/contract/schema/path.ts'
import { failureAnswer } from '../../../src/server/request/answers.ts'
import { openService } from '../../../src/server/service.ts'
import { template } from '../../fixtures/bodies.ts'
import { action } from '../../support/acting.ts'
import { slowHandler } from '../../support/action-handler.ts'
import { newDatabase, newFolder } from '../../support/folders.ts'
import { isWhole, rawConnection } from '../../support/raw-connection.ts'
import { answerOf, emitted, made, overHttp, pathOf, registration, testService } from '../../support/service.ts'

async function listening(options: Parameters<typeof testService>[0] = {}) {
  const world = await testService(options)
  const address = await world.service.listen({ host: '127.0.0.1', port: 0 })
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(address.baseUrl + path, init)
    return answerOf(response.status, Object.fromEntries(response.headers), await response.text())
  }
  const headers = { 'app-id': 'local', authorization: `Bearer ${world.service.localToken()}` }
  return { ...world, address, ask, headers }
}

/** Sends bytes as they are; answers what comes back. */
async function spoken(port: number, text: string, host?: string): Promise<string> {
  const { socket, until } = rawConnection(port, text, host)
  const answer = await until(isWhole)
  socket.destroy()
  return answer
}

describe('listening', () => {
  test('the address is complete, and the API answers there', async () => {
    const { address, ask, headers } = await listening()
    expect(address).toEqual({
      host: '127.0.0.1',
      port: expect.any(Number),
      baseUrl: `http://127.0.0.1:${address.port}`,
      wsUrl: `ws://127.0.0.1:${address.port}/ws`,
    })
    expect(await ask('/v1/user', { headers })).toMatchObject({ status: 200 })
  })

  test('a taken port is named', async () => {
    const { address, service } = await listening()
    await expect(service.listen({ host: '127.0.0.1', port: address.port })).rejects.toMatchObject({
      code: 'port_taken',
      message: expect.stringContaining(String(address.port)),
      hint: expect.stringContaining('--port 0'),
    })
    await expect(service.listen({ host: '192.0.2.1', port: 0 })).rejects.toMatchObject({
      code: expect.stringMatching(/address_unusable|default_password_exposed/),
    })
  })

  test('beyond loopback the default password is refused', async () => {
    const { service } = await testService()
    for (const host of ['0.0.0.0', '::', '192.0.2.1', 'example.com'])
      await expect(service.listen({ host, port: 0 })).rejects.toMatchObject({ code: 'default_password_exposed' })
    expect(service.publisher).toMatchObject({
      fqdn: 'local.vatom',
      email: 'publisher@local.vatom',
      password: 'vatom-local',
    })
    const given = await testService({ password: 'vatom-local' })
    await expect(given.service.listen({ host: '0.0.0.0', port: 0 })).rejects.toMatchObject({
      code: 'default_password_exposed',
    })
    const own = await testService({ password: 'of-my-own' })
    expect(own.service.publisher).not.toHaveProperty('password')
    expect(await own.service.listen({ host: '0.0.0.0', port: 0 })).toMatchObject({
      baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:/),
    })
  })

  test('beyond loopback the default password is refused also for a publisher of the database that is not named', async () => {
    const db = newDatabase()
    const both = await testService({ db, publishers: ['one.example', 'other.example'] })
    const changed = await both.publisher.call('PATCH', '/v1/user', { body: { password: 'of-my-own' } })
    expect(changed.status).toBe(200)
    await both.service.close()
    const { service } = await testService({ db, publishers: ['one.example'] })
    expect(service.publisher).not.toHaveProperty('password')
    await expect(service.listen({ host: '0.0.0.0', port: 0 })).rejects.toMatchObject({
      code: 'default_password_exposed',
      message: 'refusing to listen on 0.0.0.0 with the default password of other.example',
    })
  })

  test('beyond loopback a user with the default password who is no publisher any more is named by their address', async () => {
    const db = newDatabase()
    const { service, publisher, ask } = await listening({ db, publishers: ['one.example'] })
    const body = JSON.stringify({ pub_fqdn: '', is_admin: false })
    await ask(`/__vatom/users/${publisher.id}`, { method: 'PATCH', body })
    await service.close()
    const other = await testService({ db, publishers: ['other.example'] })
    await expect(other.service.listen({ host: '0.0.0.0', port: 0 })).rejects.toMatchObject({
      message: 'refusing to listen on 0.0.0.0 with the default password of publisher@one.example, other.example',
    })
  })

  test('assets are under the address that the caller used', async () => {
    const { ask, address } = await listening()
    const headers = { 'app-id': 'local' }
    const body = JSON.stringify(registration('bob@example.com'))
    const { payload } = await ask('/v1/users', { method: 'POST', headers, body })
    expect(payload.asset_provider[0].uri).toBe(address.baseUrl)
  })

  test('closing answers what was asked', async () => {
    const { service, ask, headers } = await listening()
    const body = (n: number) => JSON.stringify(template({ template: `local.vatom::${n}` }))
    const asked = Array.from({ length: 20 }, (_, n) => ask('/v1/templates', { method: 'POST', headers, body: body(n) }))
    await Promise.all(asked)
    const last = ask('/v1/templates', { method: 'POST', headers, body: body(99) })
    await new Promise((resolve) => setImmediate(resolve))
    await service.close()
    expect(await last.catch(() => ({ status: 'not accepted' }))).toMatchObject({
      status: expect.toSatisfy((status) => [200, 503, 'not accepted'].includes(status)),
    })
  })
})

describe('closing with connections open', () => {
  const half = 'POST /v1/templates HTTP/1.1\r\nHost: localhost\r\nApp-Id: local\r\n'
  test.each([
    ['nothing sent', () => ''],
    ['half a header', () => half],
    ['half a body', (token: string) => `${half}Authorization: Bearer ${token}\r\nContent-Length: 100\r\n\r\n{"a`],
    ['a request answered before', () => 'GET /__vatom/health HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ])('%s does not keep the service open', async (_what, text) => {
    const { service, address, ask } = await listening()
    const { socket, closed } = rawConnection(address.port)
    await new Promise<void>((resolve) => socket.write(text(service.localToken()), () => resolve()))
    // A request that came later is answered: what was sent before it has been read.
    await ask('/__vatom/health')
    const started = performance.now()
    await service.close()
    expect(performance.now() - started).toBeLessThan(1000)
    await closed
  })

  test('a request that arrives meanwhile gets an error of the API', async () => {
    const handler = await slowHandler()
    const { service, address, publisher } = await listening()
    const [id = ''] = await emitted(publisher, 'local.vatom::Card', 1)
    await made(publisher, [
      'POST',
      '/v1/publisher/action_handler',
      { reactor: 'local.vatom://stamp', url: handler.url },
    ])
    await action(publisher, 'local.vatom::Card', 'Stamp', { reactor: 'local.vatom://stamp' })
    const body = JSON.stringify({ 'this.id': id })
    const head = `POST /v1/user/vatom/action/Stamp HTTP/1.1\r\nHost: localhost\r\nApp-Id: local\r\nAuthorization: Bearer ${service.localToken()}\r\n`
    const { socket, closed } = rawConnection(address.port, `${head}Content-Length: ${body.length}\r\n\r\n${body}`)
    await handler.atWork
    const closing = service.close()
    socket.write('GET /__vatom/health HTTP/1.1\r\nHost: localhost\r\n\r\n', handler.go)
    await closing
    expect(await closed).toMatch(/^HTTP\/1\.1 200.*HTTP\/1\.1 503.*"error":9049,"message":"The service is closing"/s)
  })

  test('a complete request is answered first', async () => {
    const { service, address, ask } = await listening({ scryptCost: 2 ** 14 })
    const body = JSON.stringify(registration('bob@example.com'))
    const head = `POST /v1/users HTTP/1.1\r\nHost: localhost\r\nApp-Id: local\r\nContent-Length: ${body.length}\r\n\r\n`
    const { socket, until } = rawConnection(address.port)
    await new Promise((resolve) => socket.write(head + body, resolve))
    await ask('/__vatom/health')
    const started = performance.now()
    await service.close()
    expect(await until(isWhole)).toMatch(/^HTTP\/1\.1 200/)
    // Its connection, which the client keeps, is closed then.
    expect(performance.now() - started).toBeLessThan(limits.closingTime)
  })
})

describe('own routes', () => {
  test('are not there for requests from within the process', async () => {
    const { send } = await testService()
    expect(await send('GET', '/__vatom/health')).toMatchObject({ status: 404 })
  })

  test('health, assumptions and OpenAPI need no authorization', async () => {
    const { ask, address } = await listening()
    expect(await ask('/__vatom/health')).toMatchObject({ status: 200, payload: { status: 'ok' } })
    const { payload } = await ask('/__vatom/assumptions')
    expect(payload).toContainEqual(expect.objectContaining({ operation: 'listTemplates', path: '/v1/templates' }))
    expect(payload).toContainEqual({
      operation: 'notOffered',
      method: 'GET',
      path: '/v1/captcha',
      assumption: 'known, and not offered: captchas',
      strict_spec: 'refused',
    })
    const { body } = await ask('/__vatom/openapi.json')
    expect(body).toEqual(JSON.parse(JSON.stringify(openApi({ serverUrl: address.baseUrl, appId: 'local' }))))
  })

  test('the OpenAPI document is made once, and names the address at which it was asked for', async () => {
    const { address } = await listening()
    const made = vi.spyOn(JSON, 'stringify')
    onTestFinished(() => made.mockRestore())
    const documentAt = async (host: string) => {
      const baseUrl = `http://${host}:${address.port}`
      const { body } = answerOf(200, {}, await (await fetch(`${baseUrl}/__vatom/openapi.json`)).text())
      expect(body).toMatchObject({ servers: [{ url: baseUrl }] })
      return { ...Object(body), servers: [] }
    }
    const [first, ...others] = await Promise.all(['127.0.0.1', 'localhost', '127.0.0.1'].map(documentAt))
    for (const document of others) expect(document).toEqual(first)
    expect(made.mock.calls.filter(([value]) => Object(value).openapi !== undefined)).toHaveLength(1)
  })

  test('are described by the OpenAPI document, and answer what it says', async () => {
    const { ask, publisher } = await listening({ temporary: newFolder() })
    const document = JSON.parse(JSON.stringify(openApi()))
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema({ $id: 'urn:vatom:openapi', ...document })
    const bodies: Partial<Record<LocalOperation, string>> = {
      setRights: '{"is_merchant":true}',
      setClock: '{"advance_seconds":1}',
      setScenario: '[{"match":{"path":"/v1/*"},"then":{"latency_ms":1}}]',
      loadData: '{"snapshot":"x"}',
      predictList: '{"id":"a","changes":0,"requests":[{"method":"POST","path":"/v1/templates"}]}',
    }
    // A snapshot is there before it is loaded, and is removed at the end.
    const first: LocalOperation[] = ['saveSnapshot', 'listLedger', 'setRights']
    const rest = localRoutes.map(([name]) => name).filter((name) => !first.includes(name))
    for (const name of [...first, ...rest]) {
      const { method, path, body, isText } = localRows[name] as LocalRow
      const id = name === 'setRights' ? publisher.id : 'x'
      const answer = await ask(localPrefix + path.replace(':id', id), {
        method,
        ...(body && { body: bodies[name] ?? '' }),
      })
      expect([name, answer.status, answer.text]).toEqual([name, 200, expect.any(String)])
      const place = ['paths', (localPrefix + path).replace(':id', '{id}'), method.toLowerCase()]
      const schema = [...place, 'responses', '200', 'content', isText ? 'text/plain' : 'application/json', 'schema']
      const escaped = schema.map((step) => encodeURIComponent(step.replaceAll('/', '~1')))
      const validate = ajv.compile({ $ref: `urn:vatom:openapi#/${escaped.join('/')}` })
      expect([name, validate(isText ? answer.text : answer.body), validate.errors]).toEqual([name, true, null])
      const withToken = [{}, { MetricsToken: [] }]
      expect(at(document, ...place, 'security')).toEqual(name === 'getMetrics' ? withToken : [])
      expect(Object.keys(at(document, ...place, 'responses') as object).includes('403')).toBe(
        localRows[name].from !== 'anywhere',
      )
    }
  })

  test.each([
    ['listTemplates', /other publishers made public and published/],
    ['listVariations', /other publishers made public and published/],
    ['createTemplate', /without unpublished is a draft/],
    ['createVariation', /without unpublished is a draft/],
    ['createTemplate', /codes from 9000 on are our own/],
    ['createVariation', /cloning_gain is what each clone adds .*; 0\.25 when omitted/],
    ['createVariation', /published only if all variations that its child_policy names exist/],
    ['updateVariation', /published only if all variations that its child_policy names exist/],
    ['getVariation', /overrides.*max_clones.*num_clones.*max_clones_reached/],
    ['getVariation', /other publishers may read it if it is public, a draft too/],
    ['getAction', /other publishers may read it if the template is public, a draft too/],
    ['getTemplate', /cloneable, eth and eos/],
    ['emit', /nothing is written to a chain/],
    ['emit', /count .* is 1 when omitted; auto_create_count .* equal/],
    ['emit', /auto_create_count_random/],
    ['emit', /must be create_new, and weighted_choices null/],
    ['discover', /a public vAtom of a draft is found/],
    ['discover', /a scope on the ids .* filter by parent_id/],
    ['discover', /bool_op joins .* left to right/],
    ['discover', /outside a folder only its owner finds it/],
    ['discover', /refused with 400, which the specification does not list/],
    ['refreshAccessToken', /object .* instead of a string/],
    ['logout', /--compat sdk .* without Authorization/],
    ['anyRequest', /with or without Bearer/],
    ['anyRequest', /\{request_id, error, message\}/],
    ['createVariation', /root_type cannot be overwritten/],
    ['createVariation', /template without resources cannot have resources/],
    ['createTemplate', /has the nested value/],
    ['createTemplate', /symbol "" keeps the empty symbol/],
    ['createTemplate', /transferable unless its template or variation says false/],
    ['uploadAssets', /20 files of 64 MiB/],
    ['uploadAssets', /under \/assets, without authorization/],
    ['registerFace', /at most 100 faces/],
    ['registerAction', /at most 60 seconds/],
    ['registerAction', /at most 100 actions/],
    ['registerActionHandler', /--allow-handler-host/],
    ['performAction', /takes private, or private\.NAME/],
    ['listTemplateActions', /a draft that is not public is visible only to its publisher and to owners of its vAtoms/],
  ])('%s is listed as resting on an assumption: %s', async (operation, words) => {
    const { ask } = await listening()
    const { payload } = await ask('/__vatom/assumptions')
    expect(payload).toContainEqual(expect.objectContaining({ operation, assumption: expect.stringMatching(words) }))
  })

  test('a user can be made a publisher', async () => {
    const { ask, register } = await listening()
    const bob = await register('bob@example.com')
    const change = (body: object, id = bob.id) =>
      ask(`/__vatom/users/${id}`, { method: 'PATCH', body: JSON.stringify(body) })
    expect(await bob.call('GET', '/v1/templates')).toMatchObject({ status: 403 })
    const rights = { pub_fqdn: 'bob.example', is_admin: true, is_merchant: true, activated: true }
    expect(await change(rights)).toMatchObject({ status: 200, payload: { system_properties: rights } })
    expect(await bob.call('POST', '/v1/templates', { body: template({ template: 'bob.example::A' }) })).toMatchObject({
      status: 200,
    })
    expect(await change({ is_admin: false })).toMatchObject({ payload: { system_properties: { is_merchant: true } } })
    expect(await bob.call('GET', '/v1/templates')).toMatchObject({ status: 403 })
    expect(await change({ colour: 'red' })).toMatchObject({ status: 400, body: { issues: [{ path: 'colour' }] } })
    expect(await change({ pub_fqdn: 'Bob Example' })).toMatchObject({ status: 400 })
    expect(await change({}, 'nobody')).toMatchObject({ status: 404 })
  })
})

test('what is below /__vatom/ has no other spelling, which a proxy that keeps it to itself would let through', async () => {
  const { service } = await testService({ pages: newFolder() })
  const { port } = await service.listen({ host: '127.0.0.1', port: 0 })
  const ask = (path: string) => spoken(port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  for (const name of ['outbox', 'health', 'openapi.json', 'console/session']) {
    expect(await ask(`/__vatom/${name}`)).toMatch(/^HTTP\/1\.1 200 /)
    for (const prefix of ['//__vatom/', '/%5F%5Fvatom/', '/%5f_vatom/', '///__vatom//', 'http://localhost//__vatom/'])
      expect(await ask(prefix + name)).toMatch(/^HTTP\/1\.1 40[04] /)
  }
})

/** An address of this machine that is not the loopback one. */
const outward = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address

test.runIf(outward)('other machines get no data of publishers, and cannot change rights', async () => {
  const { service, register } = await testService({ password: 'of-my-own' })
  const { port } = await service.listen({ host: '0.0.0.0', port: 0 })
  const { id } = await register('bob@example.com')
  const ask = (line: string, host?: string) => spoken(port, `${line} HTTP/1.1\r\nHost: localhost\r\n\r\n`, host)
  for (const line of [
    'GET /__vatom/ledger',
    'GET /__vatom/balance',
    'GET /__vatom/outbox',
    'GET /__vatom/journal',
    'GET /__vatom/clock',
    'GET /__vatom/scenario',
    `PATCH /__vatom/users/${id}`,
  ]) {
    expect(await ask(line, outward)).toMatch(
      /^HTTP\/1\.1 403.*"error":9022,"message":"Only requests from this machine are answered"/s,
    )
    expect(await ask(line)).not.toMatch(/"error":9022/)
  }
  expect(await ask('GET /__vatom/health', outward)).toMatch(/^HTTP\/1\.1 200/)
})

const calls = (port: number, host: string) => (line: string, name: string) =>
  spoken(port, `${line} HTTP/1.1\r\nHost: ${name}\r\n\r\n`, host)

test.runIf(outward)(
  'machines of a trusted network use the test controls by an address or a known name; others do not',
  async () => {
    const { service } = await testService({
      password: 'of-my-own',
      allowHosts: ['vatom'],
      trustedNetworks: [
        { address: '198.51.100.0', prefix: 24, family: 'ipv4' },
        { address: outward ?? '', prefix: 24, family: 'ipv4' },
      ],
    })
    const { port } = await service.listen({ host: '0.0.0.0', port: 0 })
    const near = calls(port, outward ?? '')
    for (const path of ['journal', 'clock', 'scenario'])
      expect(await near(`DELETE /__vatom/${path}`, 'vatom:4100')).toMatch(/^HTTP\/1\.1 200/)
    for (const name of [outward ?? '', '192.0.2.7', '[2001:db8::1]:4100'])
      expect(await near('GET /__vatom/outbox', name)).toMatch(/^HTTP\/1\.1 200/)
    // A page of another site has the name of that site, and tells programs' headers.
    for (const name of ['evil.example', 'service', '192.0.2.7.evil.example'])
      expect(await near('GET /__vatom/outbox', name)).toMatch(/^HTTP\/1\.1 403.*"error":9014/s)
    for (const name of ['evil.example', '192.0.2.7'])
      expect(await calls(port, '127.0.0.1')('GET /__vatom/outbox', name)).toMatch(/^HTTP\/1\.1 403/)
  },
)

test.runIf(outward)('a network that does not hold the caller gives no access', async () => {
  const { service } = await testService({
    password: 'of-my-own',
    trustedNetworks: [
      { address: '198.51.100.0', prefix: 24, family: 'ipv4' },
      { address: '2001:db8::', prefix: 32, family: 'ipv6' },
    ],
  })
  const { port } = await service.listen({ host: '::', port: 0 })
  expect(await calls(port, outward ?? '')('DELETE /__vatom/journal', 'localhost')).toMatch(
    /^HTTP\/1\.1 403.*"error":9022/s,
  )
})

test.runIf(outward)('a service that listens on all IPv6 addresses knows IPv4 callers by their network', async () => {
  const trustedNetworks = [{ address: outward ?? '', prefix: 32, family: 'ipv4' }] as const
  const { service } = await testService({ password: 'of-my-own', trustedNetworks })
  const { port } = await service.listen({ host: '::', port: 0 })
  expect(await calls(port, outward ?? '')('DELETE /__vatom/journal', 'localhost')).toMatch(/^HTTP\/1\.1 200/)
})

test('the name for containers is for the API alone, unless it is allowed', async () => {
  const ask = ({ port }: { port: number }, line: string) =>
    spoken(port, `${line} HTTP/1.1\r\nHost: host.docker.internal:${port}\r\nUser-Agent: curl/8\r\n\r\n`)
  const { address } = await listening()
  for (const path of ['outbox', 'users', 'journal?bodies=true', 'clock'])
    expect(await ask(address, `GET /__vatom/${path}`)).toMatch(
      /^HTTP\/1\.1 403.*"error":9014.*--allow-host host\.docker\.internal/s,
    )
  expect(await ask(address, 'GET /__vatom/health')).toMatch(/^HTTP\/1\.1 200/)
  expect(await ask(address, 'GET /v1/user')).not.toContain('"error":9014')
  const allowing = await listening({ allowHosts: ['host.docker.internal'] })
  expect(await ask(allowing.address, 'GET /__vatom/outbox')).toMatch(/^HTTP\/1\.1 200/)
})

const browser = [
  'Origin: http://evil.example',
  'Referer: http://evil.example/',
  'Sec-Fetch-Site: same-origin',
  'User-Agent: Mozilla/5.0 (X11)',
]

test.each(browser)(
  'a browser, with %s, is not answered by the name for containers unless it is allowed',
  async (header) => {
    const line = `GET /v1/user HTTP/1.1\r\nHost: host.docker.internal\r\n${header}\r\n\r\n`
    const { address } = await listening()
    expect(await spoken(address.port, line)).toMatch(
      /^HTTP\/1\.1 403.*"error":9014.*--allow-host host\.docker\.internal/s,
    )
    const allowing = await listening({ allowHosts: ['host.docker.internal'] })
    expect(await spoken(allowing.address.port, line)).not.toContain('"error":9014')
  },
)

test.each([
  'Forwarded: for=203.0.113.9',
  'Via: 1.1 proxy',
  'X-Forwarded-For: 203.0.113.9',
  'X-Forwarded-Proto: https',
  'X-Real-IP: 203.0.113.9',
  'X-Client-IP: 203.0.113.9',
  'True-Client-IP: 203.0.113.9',
  'CF-Connecting-IP: 203.0.113.9',
])('what a proxy of this machine sends on, with %s, is not of this machine', async (header) => {
  const { address } = await listening()
  const through = (line: string) =>
    spoken(address.port, `${line} HTTP/1.1\r\nHost: localhost\r\n${header}\r\n\r\n`, '127.0.0.1')
  for (const line of ['GET /__vatom/outbox', 'DELETE /__vatom/journal'])
    expect(await through(line)).toMatch(/^HTTP\/1\.1 403.*"error":9022.*sent on for another/s)
  expect(await through('GET /__vatom/health')).toMatch(/^HTTP\/1\.1 200/)
  expect(await spoken(address.port, 'GET /__vatom/outbox HTTP/1.1\r\nHost: localhost\r\n\r\n', '127.0.0.1')).toMatch(
    /^HTTP\/1\.1 200/,
  )
})

test.each(['192.168.1.1', 'vatom', ''])('health and the assumptions are answered to the Host %j', async (name) => {
  const { address } = await listening()
  for (const path of ['health', 'assumptions'])
    expect(await calls(address.port, '127.0.0.1')(`GET /__vatom/${path}`, name)).toMatch(/^HTTP\/1\.1 200/)
})

describe('who may call', () => {
  test.each(['localhost', '127.0.0.1', '[::1]', 'app.localhost', '10.0.2.2', 'host.docker.internal', 'vatom.test'])(
    'the service answers to the Host %s',
    async (host) => {
      const { address } = await listening({ allowHosts: ['vatom.test'] })
      for (const name of [host, `${host}:${address.port}`])
        expect(await spoken(address.port, `GET /__vatom/health HTTP/1.1\r\nHost: ${name}\r\n\r\n`)).toMatch(
          /^HTTP\/1\.1 200/,
        )
    },
  )

  test.each([
    'evil.example',
    '[::1]evil.com',
    '[::1',
    '127.999.999.999',
    '127.0.0.256',
    'a b.localhost',
    '.localhost',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '',
    '192.168.1.1',
    '[::2]',
  ])('the service does not answer to the Host %j', async (host) => {
    const { address } = await listening()
    const answer = await spoken(address.port, `GET /__vatom/journal HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 403/)
    expect(answer).toMatch(/"error":9014/)
  })

  test.each([
    ['localhost', 'evil.example'],
    ['evil.example', 'localhost'],
    ['localhost', 'localhost'],
  ])('the service does not answer to two Host headers, %s and %s', async (...hosts) => {
    const { address } = await listening()
    const lines = hosts.map((host) => `Host: ${host}\r\n`).join('')
    const answer = await spoken(address.port, `GET /__vatom/health HTTP/1.1\r\n${lines}\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*"message":"the request has several Host headers"/s)
  })

  test('a request with a hundred header fields or more is refused, and no more of them are kept', async () => {
    const { address } = await listening()
    const ask = (fields: number) =>
      spoken(address.port, `GET /__vatom/health HTTP/1.1\r\nHost: localhost\r\n${'a: b\r\n'.repeat(fields - 1)}\r\n`)
    expect(await ask(99)).toMatch(/^HTTP\/1\.1 200 /)
    for (const fields of [100, 101, 1900])
      expect(await ask(fields)).toMatch(/^HTTP\/1\.1 400 .*"message":"the request has 100 or more header fields"/s)
  })

  test('a list of dry runs is taken by the names and from the pages that a change is taken by and from', async () => {
    const { address } = await listening()
    const post = (headers: string) =>
      spoken(address.port, `POST /__vatom/dry-run HTTP/1.1\r\n${headers}Content-Length: 2\r\n\r\n{}`)
    expect(await post('Host: evil.example\r\n')).toMatch(/^HTTP\/1\.1 403 .*"error":9014/s)
    expect(await post('Host: localhost\r\nOrigin: https://evil.example\r\n')).toMatch(/^HTTP\/1\.1 403 .*"error":9023/s)
    expect(await post('Host: localhost\r\n')).toMatch(/^HTTP\/1\.1 400 /)
  })

  test('a refused Host is answered, and logged once, with the flag that accepts it', async () => {
    const lines: string[] = []
    const { service } = await testService({ log: (line) => lines.push(line) })
    const { port } = await service.listen({ host: '127.0.0.1', port: 0 })
    const ask = (host: string) => spoken(port, `GET /v1/user HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
    for (let times = 0; times < 2; times++)
      expect(await ask('vatom:4100')).toMatch(/this Host header; to accept it: vatom serve --allow-host vatom"/)
    const refused = () => lines.filter((line) => line.startsWith('refused the Host header'))
    expect(refused()).toEqual(['refused the Host header vatom; to accept it: vatom serve --allow-host vatom'])
    expect(await ask('$(id).example')).toMatch(/--allow-host NAME"/)
    for (let one = 0; one < 20; one++) await ask(`flood${one}`)
    expect(refused()).toHaveLength(10)
    expect(lines.join()).not.toContain('$(id)')
  })

  const preflight = (origin: string) => ({
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'app-id' },
  })

  test('pages of this machine and of allowed origins may call; a preflight needs no authorization', async () => {
    const { ask } = await listening({ corsOrigins: ['https://app.example'] })
    for (const origin of ['http://localhost:3000', 'http://127.0.0.1', 'https://app.example']) {
      const { status, headers } = await ask('/v1/user', preflight(origin))
      expect(status).toBe(204)
      expect(headers['access-control-allow-origin']).toBe(origin)
      expect(headers['access-control-allow-headers']).toMatch(/App-Id.*Authorization.*Authentication/)
      const refused = await ask('/v1/user', { headers: { origin } })
      expect(refused.status).toBe(403)
      expect(refused.headers['access-control-expose-headers']).toMatch(/Vatom-Warning/)
    }
  })

  test('a page may send what clients send, to every path that they send it to', async () => {
    const { ask } = await listening()
    for (const path of ['/v1/user/vatom/inventory', '//v1/vatom/discover', '/vatom/discover', '/v1/user/tokens/x']) {
      const { status, headers } = await ask(path, preflight('http://localhost:3000'))
      expect([path, status]).toEqual([path, 204])
      const [methods, allowed] = ['methods', 'headers'].map((what) => headers[`access-control-allow-${what}`])
      expect(String(methods).split(/, ?/)).toEqual(['GET', 'POST', 'PATCH', 'PUT', 'DELETE'])
      expect(String(allowed).split(/, ?/)).toEqual(expect.arrayContaining(['App-Id', 'Authorization', 'Content-Type']))
    }
  })

  test('a client that is no page is told only that answers depend on the origin', async () => {
    const { ask } = await listening()
    for (const method of ['GET', 'OPTIONS']) {
      const { headers } = await ask('/v1/user', { method })
      expect(headers.vary).toBe('Origin')
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })

  test('other pages may not', async () => {
    const { ask } = await listening()
    for (const origin of ['https://evil.example', 'http://localhost.evil.example', 'null']) {
      const answers = [await ask('/v1/user', preflight(origin)), await ask('/v1/user', { headers: { origin } })]
      for (const { headers } of answers) expect(headers).not.toHaveProperty('access-control-allow-origin')
    }
  })
})

describe('calls a minute', () => {
  const limited = operations.filter(([, row]) => isCounted(row))
  const body = JSON.stringify({ token: 'nobody@example.com', token_type: 'email', auth_data: { password: 'x' } })
  async function calling(options: Parameters<typeof testService>[0]) {
    const opened = await listening(options)
    const { ask, headers } = opened
    const call = (name: (typeof limited)[number][0], method = 'POST') => ask(pathOf(name), { method, headers, body })
    const times = async (count: number, name: Parameters<typeof call>[0], method?: string) => {
      const statuses = new Set<number>()
      for (let n = 0; n < count; n++) statuses.add((await call(name, method)).status)
      return statuses
    }
    return { ...opened, call, times }
  }

  test.each(limited)('of %s from one address are limited, and the answer says until when', async (name, { method }) => {
    const { call, times } = await calling({ callsPerMinute: 3 })
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    expect(await times(3, name, method)).not.toContain(429)
    vi.advanceTimersByTime(20_000)
    const answer = await call(name, method)
    expect(answer).toMatchObject({
      status: 429,
      headers: { 'retry-after': '40' },
      body: {
        error: 429,
        message: `calls of ${name} from one address are limited to 3 a minute; try again in 40 s, or start the service with a higher --calls-per-minute`,
      },
    })
    for (const [other, row] of limited) if (other !== name) expect((await call(other, row.method)).status).not.toBe(429)
  })

  test('are 120 by default, and counted anew when the clock moves to another minute', async () => {
    const { ask, call, times } = await calling({})
    expect(await times(120, 'createGuest')).toEqual(new Set([200]))
    expect(await call('createGuest')).toMatchObject({ status: 429 })
    const move = (seconds: number) =>
      ask('/__vatom/clock', { method: 'PUT', body: JSON.stringify({ advance_seconds: seconds }) })
    for (const seconds of [60, -60]) {
      expect(await move(seconds)).toMatchObject({ status: 200 })
      expect(await call('createGuest')).toMatchObject({ status: 200 })
    }
  })

  test('are counted for each address', async () => {
    const { call, service, address } = await calling({ callsPerMinute: 1 })
    expect(await call('createGuest')).toMatchObject({ status: 200 })
    expect(await call('createGuest')).toMatchObject({ status: 429 })
    const request = { method: 'POST', path: '/v1/user/guest', headers: { 'app-id': service.appId } } as const
    expect(await overHttp(address.port, request, '127.0.0.2')).toMatchObject({ status: 200 })
  })

  test('are counted for each user where they change the password, and other changes of the profile are not', async () => {
    const { address, publisher } = await listening({ callsPerMinute: 2 })
    const change = (body: object, from = '127.0.0.1', headers = {}) =>
      overHttp(
        address.port,
        {
          method: 'PATCH',
          path: '/v1/user',
          headers: { 'app-id': 'local', authorization: `Bearer ${publisher.token}`, ...headers },
          body: JSON.stringify(body),
        },
        from,
      )
    for (let n = 0; n < 3; n++) expect(await change({ first_name: 'Ada' })).toMatchObject({ status: 200 })
    const password = { password: 'new secret' }
    for (let n = 0; n < 3; n++)
      expect(await change(password, '127.0.0.1', { 'vatom-dry-run': 'true' })).toMatchObject({ status: 200 })
    for (let n = 0; n < 2; n++) expect(await change(password)).toMatchObject({ status: 200 })
    const refused = await change(password, '127.0.0.2')
    expect(refused).toMatchObject({ status: 429 })
    expect(refused.body).toContain('calls of updateProfile with a password by one user are limited to 2 a minute')
    expect(await change({ first_name: 'Eve' })).toMatchObject({ status: 200 })
  })

  test('are any number where the service is started so, and of other operations', async () => {
    const { call, times, ask } = await calling({ callsPerMinute: 0 })
    expect(await times(125, 'createGuest')).toEqual(new Set([200]))
    expect(await call('createGuest')).toMatchObject({ status: 200 })
    const strict = await calling({ callsPerMinute: 1 })
    for (const from of [ask, strict.ask])
      for (let n = 0; n < 3; n++)
        expect(await from('/v1/general/app/version', { headers: { 'app-id': 'local' } })).toMatchObject({ status: 200 })
  })
})

describe('what is hardly HTTP', () => {
  test.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['a header too large', `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 413],
    ['an unusual method', 'PROPFIND /v1/user HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
    ['a QUERY without a content type', 'QUERY /v1/user HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
    ['an expectation', 'GET /v1/user HTTP/1.1\r\nHost: localhost\r\nExpect: more\r\n\r\n', 403],
    ['an upgrade', 'GET /v1/user HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n', 403],
    [
      'two lengths',
      'POST /v1/users HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
      400,
    ],
  ])('%s is answered like any other failure', async (_what, text, status) => {
    const { address } = await listening()
    const answer = await spoken(address.port, text)
    expect(answer.slice(0, 13)).toBe(`HTTP/1.1 ${status} `)
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({
      request_id: expect.any(String),
      error: expect.any(Number),
      message: expect.any(String),
    })
  })
})

test.each(['', 'A b', 'Acme.example', 'a b::c', 'a::c', '.acme', 'acme..example', 'x'.repeat(254)])(
  'a publisher named %j is refused at opening',
  async (fqdn) => {
    for (const publishers of [[fqdn], ['acme.example', fqdn]])
      await expect(openService({ db: ':memory:', publishers })).rejects.toMatchObject({
        code: 'publisher_invalid',
        hint: expect.any(String),
      })
  },
)

test.each(['', 'me', '@acme.example', 'a b@acme.example'])(
  'the e-mail address %j is refused at opening',
  async (email) => {
    await expect(openService({ db: ':memory:', email })).rejects.toMatchObject({ code: 'email_invalid' })
  },
)

test('an answer too long for a string is refused as too large, and any other range error is internal', () => {
  const lines: string[] = []
  const answered = (work: () => unknown) => {
    try {
      return work()
    } catch (error) {
      const { status, body } = failureAnswer(
        { compat: 'spec', outdated: new Map(), log: (line) => lines.push(line) },
        error,
        'id',
      )
      return { status, ...JSON.parse(body) }
    }
  }
  const half = 'x'.repeat(2 ** 28)
  const message = 'the answer is too large: ask for fewer at a time'
  for (const work of [() => [half, half].join(''), () => half + half])
    expect(answered(work)).toMatchObject({ status: 413, error: 9013, message })
  expect(lines).toEqual([])
  expect(answered(() => new Array(-1))).toMatchObject({ status: 500, error: 11 })
})

test('a service that was only opened closes', async () => {
  const service = await openService({ db: ':memory:' })
  await expect(service.close()).resolves.toBeUndefined()
})

describe('pages of other origins, for whose simple requests browsers send no preflight', () => {
  const changing = localRoutes.filter(([, { method, from }]) => method !== 'GET' && from === 'own-machine')
  test.each(changing)('may not send %s', async (_operation, { method, path }) => {
    const { address } = await listening({ temporary: newFolder() })
    const target = `${address.baseUrl}${localPrefix}${path.replace(':id', 'x')}`
    for (const origin of ['https://evil.example', 'null']) {
      const answer = await fetch(target, { method, headers: { origin, 'content-type': 'text/plain' }, body: '{}' })
      expect({ origin, status: answer.status, text: await answer.text() }).toMatchObject({ origin, status: 403 })
    }
  })

  test('those of this machine, of allowed origins, and the pages of the service itself may', async () => {
    const { address } = await listening({ corsOrigins: ['https://app.example'] })
    for (const origin of ['http://localhost:5173', 'https://app.example', address.baseUrl]) {
      const answer = await fetch(`${address.baseUrl}${localPrefix}users`, {
        method: 'POST',
        headers: { origin },
        body: '{}',
      })
      expect({ origin, status: answer.status }).toEqual({ origin, status: 200 })
    }
  })
})
