import { createServer as createSocketServer } from 'node:net'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import { facing } from '../support/desks.ts'
import { serverOf, started } from '../support/servers.ts'
import { publisher } from '../support/vatom.ts'

/** A refusal of something on the way, and a last line that names the address and what may be between. */
const refusedOnTheWay = (said: string) =>
  new RegExp(`: ${said}.*\\nhint: .* vatom context list; or something on the way .*, such as a firewall or a proxy\\n$`)

/** What is wrong with an answer to `vatom whoami`, and what is said about it. */
const answers: readonly (readonly [string, number, Readonly<Record<string, string>>, string | Uint8Array, RegExp])[] = [
  ['another type', 200, { 'content-type': 'text/html' }, '<h1>Hello</h1>', /did not answer what the API declares/],
  ['half of a JSON text', 200, {}, '{"payload":{"id":"1', /did not answer what the API declares/],
  [
    'a gzip bomb',
    200,
    { 'content-encoding': 'gzip' },
    gzipSync(Buffer.alloc(50_000_000)),
    /is compressed, though .*\nhint: have what is between heed /,
  ],
  ['nested lists', 200, {}, '['.repeat(1_000_000), /the answer has more than 256 levels/],
  ['another status', 299, {}, '{}', /The service answered 299/],
  [
    'a redirect',
    308,
    { location: 'https://joe:secret@a.example/sign-in?state=x' },
    '',
    /answered 308, a redirect to https:\/\/a.example\/sign-in\n/,
  ],
  ['a redirect to a fragment', 302, { location: '/sign-in#code=x' }, '', /answered 302, a redirect to \/sign-in\n/],
  ['nothing', 204, {}, '', /answered 204\nhint: is this a vAtom service\? check the address/],
  ['a page to sign in', 200, {}, '<!DOCTYPE html><p>Hi', /declares, but a web page; a firewall or a proxy may have/],
  [
    'a gateway without a service',
    502,
    {},
    '{}',
    /: 502, and no answer of a vAtom service; .*\nhint: .* a gateway, has no answer of the service: /,
  ],
  ['a proxy without its password', 407, {}, '', /: 407, and .*\nhint: a proxy on the way .* in HTTPS_PROXY, as /],
  ['a proxy that says so in JSON', 407, {}, '{}', /: 407, and .*\nhint: a proxy on the way .* in HTTPS_PROXY, as /],
  ['a gateway that is busy', 429, {}, '{"message":"slow down"}', /error: GET \/v1\/user: 429, slow down /],
  ['a refusal without words', 418, {}, '', refusedOnTheWay('418, and no answer of a vAtom service')],
  ['a refusal in other JSON', 418, {}, '{}', refusedOnTheWay('418, and no answer of a vAtom service')],
  ['a refusal with words of its own', 422, {}, '{"message":"Blocked"}', refusedOnTheWay('Blocked')],
  ['a page that refuses', 400, {}, '<html>Blocked</html>', refusedOnTheWay('400, and no answer of a vAtom service')],
]

test.each(answers)('%s is one clear message', async (_, status, headers, body, message) => {
  const { run, env } = await facing((__, response) => response.writeHead(status, headers).end(body))
  const { code, out, err } = await run(['whoami'], { env })
  expect({ code, out, err }).toEqual({ code: expect.any(Number), out: '', err: expect.stringMatching(message) })
  expect(code).toBeGreaterThan(0)
  expect(err.match(/^error:/gm)).toHaveLength(1)
  expect(err).not.toMatch(/\n\s+at /)
})

test.each([403, 503])('a page that a proxy answers with %i is told as what it may have said itself', async (status) => {
  const { url } = await serverOf((_, response) => response.writeHead(status).end('<h1>No</h1>'))
  const { run } = await publisher()
  const env = {
    VATOM_BASE_URL: 'http://service.invalid',
    VATOM_APP_ID: 'x',
    VATOM_ACCESS_TOKEN: 'y',
    VATOM_INSECURE: '1',
  }
  const { err } = await run(['whoami'], { env: { ...env, HTTP_PROXY: url } })
  expect(err).toContain(
    `GET /v1/user: ${status}, and no answer of a vAtom service; the proxy ${url} (HTTP_PROXY) may have answered`,
  )
})

test('answers that are read at the same time are together no larger than one may be', async () => {
  const page = Array.from({ length: limits.pageMax }, (_, index) => index)
  const piece = ' '.repeat(2 ** 20)
  const { run, env } = await facing(({ url = '' }, response) => {
    const number = Number(/[?&]page=(\d+)/.exec(url)?.[1])
    const records = page.map((index) => ({ name: `${number}.${index}`, public: false, properties: {} }))
    if (number <= 2) return response.end(JSON.stringify({ payload: records }))
    const half = Array.from({ length: limits.answer / piece.length / 2 + 1 }, () => piece)
    return Readable.from(half).pipe(response, { end: false })
  })
  expect(await run(['template', 'list', '--json', '--timeout', '10'], { env })).toMatchObject({
    code: 5,
    err: expect.stringContaining('what it sends is too large'),
  })
})

test('headers without an end are given up', async () => {
  const { run, env } = await facing((_, response) => response.setHeader('x-long', 'x'.repeat(100_000)).end('{}'))
  expect(await run(['whoami'], { env })).toMatchObject({
    code: 5,
    out: '',
    err: expect.stringMatching(
      /the headers that it sends are too large\nhint: is this a vAtom service\? check the address/,
    ),
  })
})

test.each([
  ['a byte of the body', 'HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n'],
  ['a byte of the headers', 'HTTP/1.1 200 OK\r\nx-long: '],
  ['an early hint', ''],
])('a service that sends %s at a time is given up after the time limit', async (what, head) => {
  const { url } = await started(
    createSocketServer((socket) => {
      socket.on('error', () => {}).write(head)
      const more = what === 'an early hint' ? 'HTTP/1.1 103 Early Hints\r\n\r\n' : 'x'
      const timer = setInterval(() => socket.write(more), 20)
      socket.on('close', () => clearInterval(timer))
    }),
  )
  const { run } = await publisher()
  const env = { VATOM_BASE_URL: url, VATOM_APP_ID: 'x', VATOM_ACCESS_TOKEN: 'y' }
  const began = performance.now()
  expect(await run(['whoami', '--timeout', '0.3'], { env })).toMatchObject({
    code: 5,
    err: expect.stringContaining('no answer within 0.3 s'),
  })
  expect(performance.now() - began).toBeLessThan(5_000)
})

test.each([301, 302, 303, 307, 308])(
  'a redirect with %i is not followed, so that no token goes elsewhere',
  async (status) => {
    const received: unknown[] = []
    const other = await serverOf(({ headers }, response) => {
      received.push(headers)
      response.end('{}')
    })
    const { run, env } = await facing((_, response) => response.writeHead(status, { location: other.url }).end())
    for (const words of [['whoami'], ['api', 'GET', 'v1/user'], ['profile', 'set', '--first-name', 'Ada']])
      expect(await run(words, { env })).toMatchObject({ code: 1, err: expect.stringContaining(`answered ${status}`) })
    expect(received).toEqual([])
  },
)

test('a wait that a service asks for beyond the time limit is not waited for', async () => {
  const slept: number[] = []
  const { run, env } = await facing((_, response) =>
    response.writeHead(503, { 'retry-after': '99999999999' }).end('{}'),
  )
  expect(await run(['whoami'], { env, slept })).toMatchObject({ code: 5 })
  expect(slept).toEqual([])
})

test('an answer of more values than fit into memory is not parsed', async () => {
  const { run, env } = await facing((_, response) => response.end(`{"payload":[${'[],'.repeat(4_000_001)}[]]}`))
  expect(await run(['template', 'list'], { env })).toMatchObject({
    code: 5,
    out: '',
    err: expect.stringContaining('the answer has more than 8000000 values'),
  })
})

test.each([
  ['without an end', `{"payload":${'['.repeat(1_000_000)}`],
  ['with one', `{"payload":${'[{"\\"":'.repeat(129)}0${'}]'.repeat(129)}}`],
])('an answer of more levels than any record has, %s, is not parsed', async (_, body) => {
  const { run, env } = await facing((_, response) => response.end(body))
  expect(await run(['template', 'list'], { env })).toMatchObject({
    code: 5,
    out: '',
    err: expect.stringContaining('the answer has more than 256 levels'),
  })
})

test('brackets and commas in the texts of an answer are no levels and values of it', async () => {
  const first_name = `\\${'["{\\\\",'.repeat(500_000)}${','.repeat(limits.answerValues)}\\`
  const { run, env } = await facing((_, response) => response.end(JSON.stringify({ payload: { first_name } })))
  const { out } = await run(['api', 'GET', 'v1/user'], { env })
  expect(JSON.parse(out)).toEqual({ payload: { first_name } })
})

test.each([
  ['a page that says no', 403, { 'content-type': 'text/html' }, '<h1>Request blocked</h1>'],
  ['JSON that says no', 403, {}, '{"message":"blocked"}'],
  ['a refused token', 401, {}, '{"message":"blocked"}'],
  ['too many requests', 429, { 'retry-after': '0' }, 'slow down'],
])(
  '%s of something between is no reason to send an emission again, which may have been carried out',
  async (...[, status, headers, body]) => {
    let sent = 0
    const { run, env } = await facing((request, response) => {
      if (request.url === '/v1/access_token')
        return response.end(JSON.stringify({ payload: { access_token: { token: 'new', token_type: 'bearer' } } }))
      sent++
      return response.writeHead(status, headers).end(body)
    })
    const { VATOM_ACCESS_TOKEN: _, ...renewable } = { ...env, VATOM_REFRESH_TOKEN: 'r' }
    const { code, out } = await run(['emit', 'acme.com::Mug::v1::Blue', '--json'], { env: renewable })
    expect(code).toBeGreaterThan(0)
    expect(JSON.parse(out).error).toMatchObject({ may_be_done: true })
    expect(sent).toBe(1)
  },
)

test('a token that the service refuses is renewed, and the emission sent again', async () => {
  let sent = 0
  const { run, env } = await facing((request, response) => {
    if (request.url === '/v1/access_token')
      return response.end(JSON.stringify({ payload: { access_token: { token: 'new', token_type: 'bearer' } } }))
    if (request.url === '/v1/vatoms' && sent++ === 0) return response.writeHead(401).end('{"exp":"token expired"}')
    return response.end('{"payload":{"ids":["1"],"success_message":"Emitted.","num_created":1,"num_errors":0}}')
  })
  const { VATOM_ACCESS_TOKEN: _, ...renewable } = { ...env, VATOM_REFRESH_TOKEN: 'r' }
  expect(await run(['emit', 'acme.com::Mug::v1::Blue'], { env: renewable })).toMatchObject({ code: 0 })
  expect(sent).toBe(2)
})

test('the token of a request is not shown, where something between repeats it', async () => {
  const { run, env } = await facing(({ headers: { authorization } }, response) =>
    response
      .writeHead(403, { location: `https://a.example/?t=${authorization}` })
      .end(JSON.stringify({ message: `no key=value pair in '${authorization}'` })),
  )
  const token = 'a-token-of-some-length'
  for (const command of [
    ['whoami'],
    ['template', 'list'],
    ['doctor'],
    ['emit', 'a.com::A::v1::B'],
    ['api', 'GET', '/v1/user'],
  ])
    for (const json of [[], ['--json']]) {
      const { out, err } = await run([...command, ...json, '--debug'], { env: { ...env, VATOM_ACCESS_TOKEN: token } })
      expect(out + err).not.toContain(token)
      expect(out + err).toContain('***')
    }
})

/** How libraries of services write texts in JSON: PHP's json_encode, and System.Text.Json of .NET. */
const writers: readonly (readonly [string, (text: string) => string])[] = [
  ['PHP', (text) => JSON.stringify(text).replaceAll('/', '\\/')],
  ['.NET', (text) => JSON.stringify(text).replaceAll('+', '\\u002B')],
]

test.each(writers)('a token that %s escapes in JSON is not shown', async (_, written) => {
  const { run, env } = await facing(({ headers: { authorization } }, response) =>
    response.writeHead(400).end(`{"request_id":"r1","error":1701,"message":${written(`rejected: ${authorization}`)}}`),
  )
  const token = 'Zm9v+YmFy/cXV4+c2VjcmV0/dG9rZW4=='
  const { VATOM_ACCESS_TOKEN: __, ...others } = env
  const signedIn = { ...others, VATOM_ACCESS_TOKEN: token }
  const renewing = { ...others, VATOM_REFRESH_TOKEN: token }
  for (const variables of [signedIn, renewing])
    for (const command of [['whoami'], ['whoami', '--json', '--debug'], ['api', 'GET', '/v1/user']]) {
      const { out, err } = await run(command, { env: variables })
      expect(out + err).toContain('rejected: Bearer ***')
      expect(out + err).not.toMatch(/YmFy|cXV4|dG9rZW4/)
    }
})

test('a refusal that repeats no secret is printed by api as it came', async () => {
  const body = '{ "message": "no\\/such", "id": 12345678901234567890 }'
  const { run, env } = await facing((_, response) => response.writeHead(400).end(body))
  expect(await run(['api', 'POST', '/v1/user/login', '-f', 'password=S3cret-pass'], { env })).toMatchObject({
    out: body,
  })
})

test.each([
  ['encoded where it must be', (body: string) => body.replaceAll(/[\s"\\]/g, encodeURIComponent)],
  ['encoded', encodeURIComponent],
  ['encoded as a form', (body: string) => String(new URLSearchParams({ body }))],
  ['encoded in small letters', (body: string) => encodeURIComponent(body).replace(/%../g, (one) => one.toLowerCase())],
  ['encoded wholly', (body: string) => [...Buffer.from(body)].map((byte) => `%${byte.toString(16)}`).join('')],
])('the secret in the address of a redirect is not shown: %s', async (_, encoded) => {
  const { run, env } = await facing(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    response.writeHead(302, { location: `https://a.example/sign-in/${encoded(body)}` }).end()
  })
  const secret = 'Hunter2 pass!"q'
  for (const json of [[], ['--json']]) {
    const login = ['login', '--email', 'ada@acme.com', '--password-stdin', ...json, '--debug']
    const { out, err } = await run(login, { env, stdin: `${secret}\n` })
    expect(out + err).toContain('a redirect to https://a.example/sign-in/')
    expect(out + err).toContain('***')
    expect(decodeURIComponent(out + err).replaceAll('+', ' ')).not.toMatch(/Hunter2|pass!|"q/)
  }
})

test('a secret of any length is not shown', async () => {
  const { run, env } = await facing(async (request, response) =>
    response
      .writeHead(400)
      .end(JSON.stringify({ error: 516, message: Buffer.concat(await request.toArray()).toString() })),
  )
  for (const length of [1000, 1001, 100_000]) {
    const secret = '\u{1f511}'.repeat(length / 2)
    const { err } = await run(['api', 'POST', '/v1/user/verify_user_token', '-f', `verify_code=${secret}`], { env })
    expect(err).toContain('***')
    expect(err).not.toContain(secret.slice(0, 20))
  }
})

test.each<[string, readonly string[], string, string]>([
  ['login', ['login', '--email', 'ada@acme.com', '--password-stdin'], 'S3cret "pass" w0rd', 'ada@acme.com'],
  ['user register', ['user', 'register', '--email', 'ada@acme.com', '--password-stdin'], 'S3cret-pass', 'ada@acme.com'],
  ['api', ['api', 'POST', '/v1/user/verify_user_token', '-f', 'verify_code=4711'], '4711', 'code 471199'],
])(
  'the secret in the body of %s is not shown, where something between repeats it',
  async (_, command, secret, rest) => {
    const { run, env } = await facing(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString()
      return response
        .writeHead(400)
        .end(JSON.stringify({ error: 516, message: `BODY ${body}, ${secret}; code 471199` }))
    })
    for (const json of [[], ['--json']]) {
      const { code, out, err } = await run([...command, ...json, '--debug'], { env, stdin: `${secret}\n` })
      expect(code).toBe(1)
      expect((out + err).replaceAll('471199', '').replaceAll('\\', '')).not.toContain(secret)
      expect(out + err).toContain('BODY')
      expect(out + err).toContain(rest)
      expect(out + err).toContain('***')
    }
  },
)

test.each<[string, string, string, readonly string[]]>([
  ['the id of a guest', 'got guest-47111', 'got ***', ['token=guest-47111', 'token_type=guest_id']],
  ['a long secret within another word', 'no xS3cret-passx', 'no x***x', ['password=S3cret-pass']],
  [
    'a secret that begins like another',
    'not S3cret-pass2',
    'not ***',
    ['password=S3cret-pass', 'new_password=S3cret-pass2'],
  ],
])('%s is not shown, where something between repeats it', async (_, message, shown, fields) => {
  const { run, env } = await facing((_request, response) =>
    response.writeHead(400).end(JSON.stringify({ error: 516, message })),
  )
  const { err } = await run(['api', 'POST', '/v1/user/login', ...fields.flatMap((one) => ['-f', one])], { env })
  expect(err).toContain(`error: ${shown}\n`)
})

test('a refusal that repeats the password until nobody reads it is given up', async () => {
  const { run, env } = await facing((_request, response) =>
    response.writeHead(400).end(JSON.stringify({ error: 516, message: 'S3cret-pass'.repeat(1_000_000) })),
  )
  const service = ['--base-url', env.VATOM_BASE_URL, '--app-id', 'x']
  const command = ['login', ...service, '--email', 'a@b.example', '--password-stdin']
  const { code, out, err } = await run(command, { stdin: 'S3cret-pass\n' })
  expect({ code, out }).toEqual({ code: 5, out: '' })
  expect(err).toMatch(
    /: what it answers with 400 has more than 4,194,304 characters\nhint: .* check the address, and the logs/,
  )
})

/** What is printed of a refusal that repeats a secret of its request, written in some way. */
async function refusalRepeating(repeated: string, secret: string): Promise<string> {
  const { run, env } = await facing((_request, response) =>
    response.writeHead(400).end(JSON.stringify({ error: 516, message: `no ${repeated}, sorry` })),
  )
  return (await run(['api', 'POST', '/v1/user/login', '-f', `password=${secret}`], { env })).err
}

test.each([
  ['a plus sign', 'one+two three', 'one%2Btwo+three'],
  ['what looks encoded', '100%41-sure', '100%2541-sure'],
  ['what looks encoded, as it is', '100%41-sure', '100%41-sure'],
  ['other letters, encoded in part', 'clé-à-molette', 'cl%c3%a9-à-molette'],
  ['a part that is there twice', 'ababab-abababc', 'abababab-abababc'],
])('a secret with %s is not shown', async (_, secret, repeated) => {
  expect(await refusalRepeating(repeated, secret)).toMatch(/^error: no (ab)?\*\*\*, sorry\n/)
})

test.each([
  ['a % before and behind it', 'cafe-secret-9', '%cafe-secret-9%'],
  ['a % and a digit before it', 'cafe-secret-9', '%4cafe-secret-9'],
  ['a % before it, encoded in part', 'cafe secret 9', '%cafe%20secret+9'],
  ['digits behind the % with which it ends', 'hunter-22%', 'hunter-22%20'],
  ['letters around it, though few are left of it as it is decoded', '%41%42%43', 'x%41%42%43x'],
])('a secret with %s is not shown', async (_, secret, repeated) => {
  expect(await refusalRepeating(repeated, secret)).toMatch(/^error: no (%4?|x)?\*\*\*(%|20|x)?, sorry\n/)
})

test('of a refusal, no more is shown than anybody can read', async () => {
  const long = 'x '.repeat(100_000)
  const issues = Array.from({ length: 50_000 }, (_, index) => ({
    path: `at.${index}${long.slice(0, 20)}`,
    message: `No ${index}`,
  }))
  const body = { error: 516, message: long, issues: [...issues, { path: 'end', message: long }], request_id: long }
  for (const status of [400, 500]) {
    const { run, env } = await facing((_request, response) => response.writeHead(status).end(JSON.stringify(body)))
    const { out, err } = await run(['whoami', '--json'], { env })
    const { error } = JSON.parse(out)
    expect(error.message).toContain(`${long.slice(0, limits.refusal)}…`)
    expect(error.issues).toHaveLength(limits.issues + 2)
    expect(error.issues.at(-1)).toEqual({ path: '', message: 'and 49900 more problems' })
    expect(Math.max(out.length, err.length)).toBeLessThan(30_000)
  }
})
