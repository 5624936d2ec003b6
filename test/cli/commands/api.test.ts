import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { at } from '../../../src/contract/schema/path.ts'
import { template } from '../../fixtures/yaml.ts'
import { facing, transports, watchedDesk } from '../../support/desks.ts'
import { publisher } from '../../support/vatom.ts'

const name = 'local.vatom::Coupon::v1'

describe.each(transports)('%s', (transport) => {
  test('prints the body of an answer as it comes, with and without --json', async () => {
    const { vatom } = await publisher({ transport })
    for (const more of [[], ['--json']]) {
      const { code, out, err } = await vatom('api', 'GET', 'v1/user', ...more)
      expect({ code, err }).toEqual({ code: 0, err: '' })
      expect(JSON.parse(out)).toMatchObject({ payload: { system_properties: { pub_fqdn: 'local.vatom' } } })
    }
  })

  test('takes a path with or without a slash, methods in any case, and expands $publisher', async () => {
    const { vatom, file, json } = await publisher({ transport })
    file('coupon.yaml', template())
    await json('template', 'create', 'coupon.yaml')
    for (const path of ['v1/templates/$publisher::Coupon::v1', '/v1/templates/$publisher::Coupon::v1']) {
      const { code, out } = await vatom('api', 'get', path)
      expect({ code, name: at(JSON.parse(out), 'payload', 'name') }).toEqual({ code: 0, name })
    }
    expect(await vatom('api', 'DELETE', 'v1/templates/$publisher::Coupon::v1')).toMatchObject({ code: 0 })
    expect(await json('template', 'list')).toEqual([])
  })

  test('an operation that is known and not offered is refused for good, with where to look', async () => {
    const { vatom } = await publisher({ transport })
    const { code, err } = await vatom('api', 'GET', 'v1/brains/$publisher::Coupon::v1::Red')
    expect(code).toBe(1)
    expect(err).toBe(
      'error: GET /v1/brains/:variation is known, and this service does not offer it: brains\nhint: to see what is offered: vatom help operations\n',
    )
  })

  test('makes a body of fields: -f strings, -F what they look like', async () => {
    const { vatom, json } = await publisher({ transport })
    expect(
      await vatom('api', 'PATCH', 'v1/user', '-f', 'first_name=true', '-f', 'last_name=a=b', '-F', 'name_public=false'),
    ).toMatchObject({ code: 0 })
    expect(await json('profile', 'get')).toMatchObject({
      properties: { first_name: 'true', last_name: 'a=b', name_public: false },
    })
  })

  test('puts fields into the query of a GET, beside what is there', async () => {
    const { vatom, json, file } = await publisher({ transport })
    for (const letter of ['A', 'B', 'C']) file(`${letter}.yaml`, template(`$publisher::${letter}::v1`))
    await json('template', 'create', 'A.yaml', 'B.yaml', 'C.yaml')
    const { out } = await vatom('api', 'GET', 'v1/templates?limit=1', '-f', 'page=2', '-f', 'fields=name,public')
    expect(JSON.parse(out)).toMatchObject({ payload: [{ name: 'local.vatom::B::v1', public: false }] })
  })

  test('sends a file, or standard input, as the body', async () => {
    const { run, file } = await publisher({ transport })
    const query = JSON.stringify({ return: { type: 'count' } })
    file('query.json', query)
    for (const input of ['query.json', '-']) {
      const { code, out } = await run(['api', 'POST', 'v1/vatom/discover', '--input', input], { stdin: query })
      expect({ code, ...JSON.parse(out) }).toMatchObject({ code: 0, payload: { count: 0 } })
    }
  })

  test('-i prints status and headers first', async () => {
    const { vatom } = await publisher({ transport })
    const { out } = await vatom('api', 'GET', 'v1/user', '-i')
    expect(out).toMatch(
      /^HTTP\/1\.1 200\n(?:[a-z-]+: .*\n)*content-type: application\/json; charset=utf-8\n(?:.+\n)*\n\{"/,
    )
  })

  test.each([
    ['GET', 'v1/templates/$publisher::None::v1', [], 1, 'no template is named'],
    ['GET', 'v1/nothing', [], 1, 'hint: to see the operations: vatom help operations'],
    ['GET', 'templates?limit=5', [], 1, 'hint: did you mean v1/templates?limit=5? all paths: vatom help operations'],
    ['GET', 'nothing', [], 1, 'hint: to see the operations: vatom help operations'],
    ['PATCH', 'v1/user', ['-f', 'avatar_uri=x'], 1, 'avatar_uri cannot be set here'],
    ['POST', 'v1/user/login', ['-f', 'token=nobody@x.example', '-f', 'token_type=email'], 1, 'auth_data'],
  ])('%s %s %j: the refusal on both streams, and its exit code', async (method, path, flags, code, message) => {
    const { vatom } = await publisher({ transport })
    for (const more of [[], ['--json']]) {
      const run = await vatom('api', method, path, ...flags, ...more)
      expect(run).toMatchObject({ code, err: expect.stringContaining(message) })
      expect(JSON.parse(run.out)).toMatchObject({ error: expect.any(Number), message: expect.any(String) })
    }
  })

  test('sends nothing for what cannot be sent', async () => {
    const { changes, vatom, file } = await watchedDesk(transport)
    changes()
    file('taken', '')
    for (const [args, message] of [
      [['FETCH', 'v1/user'], 'FETCH is no method of requests\nhint: the methods: GET, POST, PATCH, PUT, DELETE;'],
      [['POST', 'https://elsewhere.example/v1/user'], 'must not be a whole address'],
      [['POST', 'v1/user', '-f', 'first_name'], 'is not a field'],
      [['PATCH', 'v1/user', '-f', 'a=1', '-F', 'a=2'], 'given twice'],
      [['PATCH', 'v1/user', '-F', 'a=9007199254740993'], '9007199254740993 would be sent as 9007199254740992'],
      [['PATCH', 'v1/user', '-F', 'a=1e400'], '1e400 would be sent as null'],
      [['GET', 'v1/user', '--input', 'taken'], 'A GET has no body'],
    ] as const)
      expect(await vatom('api', ...args)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(message) })
    expect(await vatom('api', 'POST', 'v1/user', '--input', 'missing.json')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('missing.json: no such file'),
    })
    expect(changes()).toEqual([])
  })
})

test('/__vatom/ is answered over the network, and the local context says so', async () => {
  const { vatom } = await publisher()
  expect(await vatom('api', 'GET', '__vatom/health')).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('vatom serve'),
  })
  const desk = await publisher({ transport: 'network' })
  expect(await desk.vatom('api', 'GET', '/__vatom/health')).toMatchObject({
    code: 0,
    out: expect.stringContaining('"ok"'),
  })
})

test.each([
  [[], '--base-url http://127.0.0.1:4100 --app-id local'],
  [['ann'], '--base-url http://127.0.0.1:4100 --app-id local'],
  [['ann', 'guest'], '--base-url http://127.0.0.1:4100 --app-id local'],
])('with the contexts %j of that service, the hint for it is the whole command with %s', async (contexts, flags) => {
  const { vatom, json } = await publisher()
  for (const name of contexts)
    await json('context', 'add', name, '--base-url', 'http://127.0.0.1:4100', '--app-id', 'local')
  await json('context', 'use', 'local')
  const { code, err } = await vatom(
    'api',
    'PATCH',
    '__vatom/users/u1',
    '-F',
    'is_merchant=true',
    '-f',
    'note=a b',
    '-f',
    'password=s3cret&x',
    '-i',
  )
  expect(code).toBe(2)
  const fields = "-f 'note=a b' -f 'password=(hidden)' -F is_merchant=true"
  expect(err).toContain(`: vatom api PATCH __vatom/users/u1 ${fields} -i ${flags}\n`)
  expect(err).not.toContain('s3cret')
  const registered = await vatom('user', 'register', '--email', 'bob@example.com')
  expect(registered.err).toContain(`: vatom api GET __vatom/outbox ${flags}\n`)
})

test('on a terminal JSON is laid out, and nothing unsafe reaches it', async () => {
  const { run } = await publisher()
  const { out } = await run(['api', 'GET', 'v1/user'], { tty: true })
  expect(out).toMatch(/^\{\n {2}"request_id": /)
  const { env, run: ask } = await facing((_, response) => void response.end('\u001b[31mred\u009b'))
  expect((await ask(['api', 'GET', 'x'], { env, tty: true })).out).toBe('\\u001b[31mred\\u009b\n')
  expect((await ask(['api', 'GET', 'x'], { env })).out).toBe('\u001b[31mred\u009b')
})

describe('a service that answers', () => {
  const answering = async (status: number, body = '', headers: Record<string, string> = {}) => {
    const seen: IncomingMessage[] = []
    const desk = await facing((request, response) => {
      seen.push(request)
      response.writeHead(status, headers).end(body)
    })
    return { ...desk, seen }
  }
  test.each([
    [401, 1],
    [403, 1],
    [400, 1],
    [404, 1],
    [302, 1],
    [429, 5],
    [500, 5],
    [503, 5],
  ])('%i exits %i', async (status, code) => {
    const { run, env } = await answering(status, 'no JSON')
    expect(await run(['api', 'POST', 'v1/x'], { env })).toMatchObject({
      code,
      out: 'no JSON',
      err: expect.stringMatching(/^error: /),
    })
  })
  test.each([
    [401, '{"message": "Unauthorized"}'],
    [401, '{"request_id": "1", "error": 11, "message": "no"}'],
    [403, '{"message": "Forbidden"}'],
  ])('%i %s exits 4', async (status, body) => {
    const { run, env } = await answering(status, body)
    expect(await run(['api', 'POST', 'v1/x'], { env })).toMatchObject({
      code: 4,
      out: expect.stringContaining('message'),
    })
  })
  test.each([
    [400, '<html>Blocked</html>'],
    [400, '{"detail": "Blocked"}'],
    [418, ''],
  ])('%i %s ends with what to check on the way to it', async (status, body) => {
    const { run, env } = await answering(status, body)
    const { err } = await run(['api', 'GET', 'v1/user'], { env })
    expect(err).toMatch(/\nhint: .*something on the way refuses the request, such as a firewall or a proxy\n$/)
  })
  test.each([
    '{"request_id": "1", "error": 516, "message": "no"}',
    '{"message": "no", "issues": [{"path": "a", "message": "b"}]}',
  ])('400 %s of a vAtom service says nothing of a proxy', async (body) => {
    const { run, env } = await answering(400, body)
    expect((await run(['api', 'GET', 'v1/user'], { env })).err).not.toContain('on the way')
  })
  test('201 and 204 are successes', async () => {
    for (const status of [201, 204]) {
      const { run, env } = await answering(status)
      expect(await run(['api', 'POST', 'v1/x'], { env })).toEqual({ code: 0, out: '', err: '' })
    }
  })
  test.each(['<html>Sign in</html>', '{"payload": [1,', ''])(
    '200 %j where the API answers JSON is a failure, and what was sent may be done',
    async (body) => {
      const { run, env } = await answering(200, body)
      const words = ['api', 'PATCH', 'v1/user?x=1', '-f', 'first_name=Ada']
      const hint = 'the service may have done what was sent: check before you send it again'
      expect(await run(words, { env })).toEqual({
        code: 1,
        out: body,
        err: expect.stringMatching(
          new RegExp(
            `^error: PATCH /v1/user did not answer what the API declares(, but a web page; .*)?\nhint: ${hint}`,
          ),
        ),
      })
      for (const more of [['--json'], ['--json', '-i']]) {
        const { code, out } = await run([...words, ...more], { env })
        expect({ code, ...JSON.parse(out) }).toMatchObject({ code: 1, error: { code: 'no_json', may_be_done: true } })
      }
      const read = await run(['api', 'GET', 'v1/user', '--json'], { env })
      expect({ code: read.code, error: JSON.parse(read.out).error.may_be_done }).toEqual({ code: 1, error: undefined })
    },
  )
  test.each([
    [302, 1],
    [403, 1],
    [502, 5],
  ])('%i without JSON: --json prints one document all the same', async (status, code) => {
    for (const body of ['<h1>No</h1>', '']) {
      const { run, env } = await answering(status, body)
      const { code: own, out } = await run(['api', 'PATCH', 'v1/user', '--json'], { env })
      expect({ code: own, ...JSON.parse(out) }).toMatchObject({ code, error: { code: expect.any(String) } })
    }
  })
  test('elsewhere than the API need not be JSON, unless --json asks for it', async () => {
    const { run, env } = await answering(200, 'text')
    const words = ['api', 'GET', 'assets/a/card.txt']
    expect(await run(words, { env })).toEqual({ code: 0, out: 'text', err: '' })
    const { code, out, err } = await run([...words, '--json'], { env })
    expect({ code, ...JSON.parse(out) }).toMatchObject({ code: 1, error: { code: 'no_json' } })
    expect(err).toContain('hint: to print the answer as it is, leave --json out')
    const empty = await answering(204)
    expect(await empty.run(['api', 'POST', 'v1/x', '--json'], { env: empty.env })).toEqual({
      code: 0,
      out: 'null\n',
      err: '',
    })
  })
  test('-i --json prints one document with status, headers and body', async () => {
    const { run, env } = await answering(200, '{"a":1}', {
      'set-cookie': 'session=hunter2',
      'vatom-page-session': 'hunter2',
      'x-a': 'b',
    })
    const { code, out } = await run(['api', 'GET', 'x', '-i', '--json'], { env })
    expect({ code, ...JSON.parse(out) }).toMatchObject({
      code: 0,
      status: 200,
      headers: { 'set-cookie': '(hidden)', 'vatom-page-session': '(hidden)', 'x-a': 'b' },
      body: { a: 1 },
    })
  })
  test('with a cookie: -i hides what could sign somebody in', async () => {
    const { run, env } = await answering(200, '{}', {
      'set-cookie': 'session=hunter2',
      authentication: 'hunter3',
      'x-a': 'b',
    })
    const { out } = await run(['api', 'GET', 'x', '-i'], { env })
    expect(out).toContain('set-cookie: (hidden)\n')
    expect(out).toContain('x-a: b\n')
    expect(out).not.toContain('hunter')
  })
  test('gets token, application id and what is to be encoded, encoded', async () => {
    const { run, env, seen } = await answering(200, '{}')
    await run(['api', 'POST', 'a b/ü%20#x?q=$publisher::C', '-f', 'k=v'], { env })
    expect(seen[0]).toMatchObject({
      method: 'POST',
      url: '/a%20b/%C3%BC%20%23x?q=acme.com::C',
      headers: { authorization: 'Bearer y', 'app-id': 'x', 'content-type': 'application/json' },
    })
  })
  test('without a body declares a type too', async () => {
    const { run, env, seen } = await answering(200, '{}')
    await run(['api', 'GET', 'v1/x'], { env })
    await run(['api', 'DELETE', 'v1/x'], { env })
    expect(seen.map(({ headers }) => headers['content-type'])).toEqual([
      'application/x-www-form-urlencoded',
      'application/json',
    ])
  })
  test('where anybody may call gets no token', async () => {
    const { run, env, seen } = await answering(200, '{}')
    await run(['api', 'POST', 'v1/user/login', '-f', 'token=a'], { env })
    await run(['api', 'GET', '__vatom/health'], { env })
    expect(seen.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined])
  })
})

test.each([401, 403])('a token refused with %i is renewed, and the request sent again', async (status) => {
  let asked = 0
  const { run, env } = await facing((request, response) => {
    if (request.url === '/v1/access_token') return void response.end('{"payload":{"access_token":"new"}}')
    asked++
    const fresh = request.headers.authorization === 'Bearer new' && asked > 1
    response.writeHead(fresh ? 200 : status).end(fresh ? '{"ok":true}' : '{}')
  })
  const { VATOM_ACCESS_TOKEN: _none, ...rest } = env
  expect(await run(['api', 'GET', 'v1/x'], { env: { ...rest, VATOM_REFRESH_TOKEN: 'r' } })).toMatchObject({
    code: 0,
    out: '{"ok":true}',
  })
  expect(asked).toBe(2)
})

test('without a session it exits 4, and under --json says so on stdout', async () => {
  const { vatom, json } = await publisher()
  await json('context', 'add', 'away', '--base-url', 'http://127.0.0.1:9', '--app-id', 'x')
  const { code, out } = await vatom('api', 'GET', 'v1/user', '--context', 'away', '--json')
  expect({ code, ...JSON.parse(out) }).toMatchObject({ code: 4, error: { code: 'no_session' } })
})
