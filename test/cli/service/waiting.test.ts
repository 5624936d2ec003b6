import { expect, onTestFinished, test, vi } from 'vitest'
import { catalogDesk } from '../../fixtures/catalog.ts'
import { red, template, variation } from '../../fixtures/yaml.ts'
import { facing } from '../../support/desks.ts'
import { lossy } from '../../support/lossy.ts'
import { Capture } from '../../support/streams.ts'
import { publisher } from '../../support/vatom.ts'

/** A service that answers profiles and lists at once, and anything else after some milliseconds or never. */
const slow = (milliseconds?: number) =>
  facing(({ method }, response) => {
    const answer = () => response.end('{"payload": {"num_created": 1, "num_errors": 0, "ids": ["a"]}}')
    if (method === 'GET') response.end('{"payload": []}')
    else if (milliseconds !== undefined) onTestFinished(() => clearTimeout(timer))
    const timer = method === 'GET' || milliseconds === undefined ? undefined : setTimeout(answer, milliseconds)
  })

test('a change that is not answered in time may have been done, and the service is not said to be down', async () => {
  const { run, env } = await slow()
  const { code, out, err } = await run(['emit', red.replace('local.vatom', 'acme.com'), '--timeout', '0.2'], { env })
  expect({ code, out }).toEqual({ code: 5, out: '' })
  expect(err).toContain('no answer within 0.2 s')
  expect(err).toContain(
    'hint: the service may have done what was sent: check before you send it again; to wait longer: --timeout 1\n',
  )
  expect(err).not.toContain('is the service running')
})

/** A service behind a gateway that answers changes with a status and a body of its own. */
const behindGateway = (status: number, body: string, headers = {}) =>
  facing(({ method }, response) => {
    if (method === 'GET') response.end('{"payload": []}')
    else response.writeHead(status, headers).end(body)
  })
const mayBeDone = 'hint: the service may have done what was sent: check before you send it again'

test.each([
  [408, '<h1>Request Timeout</h1>', {}],
  [408, '{"message": "Request Timeout"}', {}],
  [500, '<h1>Server Error</h1>', {}],
  [502, '<h1>Bad Gateway</h1>', {}],
  [503, '', {}],
  [503, '<h1>Backend fetch failed</h1>', { 'retry-after': '5' }],
  [504, '{"message": "Endpoint request timed out"}', {}],
])('a change that a gateway answers with %i may have been done', async (status, body, headers) => {
  const { run, env } = await behindGateway(status, body, headers)
  const { code, out, err } = await run(['emit', 'acme.com::A::v1::B'], { env })
  expect({ code, out }).toEqual({ code: 5, out: '' })
  expect(err).toContain(mayBeDone)
})

test.each(['', '<h1>Request Timeout</h1>', '{"message": "Request Timeout"}'])(
  'a 408 of a gateway, %s, is no refusal: what it is asked again for, and a session that it does not renew',
  async (body) => {
    const { run, env } = await facing((_, response) => response.writeHead(408).end(body))
    const given = await run(['inventory', '--json'], { env })
    expect({ code: given.code, error: JSON.parse(given.out).error }).toMatchObject({
      code: 5,
      error: { code: 'http_408', attempts: 3, hint: expect.stringContaining('has given up waiting') },
    })
    const { VATOM_ACCESS_TOKEN: _, ...place } = env
    const renewed = await run(['inventory'], { env: { ...place, VATOM_REFRESH_TOKEN: 'x' } })
    expect(renewed).toMatchObject({ code: 5, err: expect.not.stringContaining('your session') })
    expect(await run(['doctor'], { env })).toMatchObject({ out: expect.stringMatching(/^fail +service/m) })
  },
)

test.each([
  [502, '<h1>Bad Gateway</h1>'],
  [504, '{"message": "Endpoint request timed out"}'],
  [504, ''],
])('%i of a gateway is not said of the handler of an action', async (status, body) => {
  const { run, env } = await behindGateway(status, body)
  const { code, out, err } = await run(['act', 'Pickup', '00000000-0000-4000-8000-000000000000', '--json'], { env })
  expect({ code, error: JSON.parse(out).error }).toMatchObject({
    code: 5,
    error: { code: `http_${status}`, may_be_done: true },
  })
  expect(out + err).not.toMatch(/handler/)
})

test.each([
  [204, ''],
  [200, '<h1>Welcome</h1>'],
  [200, '{"hello": 1}'],
])('a change that is answered with %i %s, and not as the API declares, may have been done', async (status, body) => {
  const { run, env } = await behindGateway(status, body)
  const { code, out, err } = await run(['emit', 'acme.com::A::v1::B'], { env })
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toContain('hint: the service may have done what was sent: check before you send it again')
})

test.each([
  ['an error of the service', 500, '{"error": 2, "message": "broken"}', {}, 'emit acme.com::A::v1::B'],
  ['a refusal', 503, '{"error": 9018, "message": "busy"}', { 'retry-after': '99' }, 'emit acme.com::A::v1::B'],
  ['what a service does not offer', 501, '', {}, 'emit acme.com::A::v1::B'],
  ['what only reads', 504, '', {}, 'discover'],
])('nothing was done by %s', async (_, status, body, headers, words) => {
  const { run, env } = await behindGateway(status, body, headers)
  const { code, err } = await run(words.split(' '), { env })
  expect(code).not.toBe(0)
  expect(err).not.toContain('may have done')
})

test.each([
  ['what only reads', ['discover']],
  ['a count', ['discover', '--count']],
])('%s that is not answered in time has done nothing', async (_, words) => {
  const { run, env } = await slow()
  const { code, err } = await run([...words, '--timeout', '0.2'], { env })
  expect({ code, err }).toEqual({ code: 5, err: expect.stringContaining('hint: to wait longer: --timeout 1\n') })
})

test('a service that nobody runs is said to be down', async () => {
  const { run, env } = await slow()
  const { code, err } = await run(['emit', 'acme.com::A::v1::B'], {
    env: { ...env, VATOM_BASE_URL: 'http://127.0.0.1:1' },
  })
  expect({ code, err }).toEqual({ code: 5, err: expect.stringContaining('hint: is the service running?') })
  expect(err).not.toContain('may have done')
})

/** What is shown on a terminal while an answer takes so many milliseconds. */
async function shownDuring(milliseconds: number, ...words: string[]) {
  const { run, env } = await slow(milliseconds)
  const screen = new Capture(true)
  const shown = vi.fn()
  screen.heard = (text) => {
    if (text.includes('waiting for 127.0.0.1:')) shown()
  }
  const { code } = await run(['emit', 'acme.com::A::v1::B', ...words], { env, tty: true, screen })
  expect(code).toBe(0)
  return shown.mock.calls.length > 0
}

test('a call of more than 300 ms shows that it is being waited for', async () =>
  expect(await shownDuring(700)).toBe(true))
test('a quick call does not', async () => expect(await shownDuring(20)).toBe(false))
test('nor does a quiet one', async () => expect(await shownDuring(700, '--quiet')).toBe(false))

test.each([
  [404, '<h1>Not Found</h1>', '404, and no answer of a vAtom service; a firewall or a proxy may have answered'],
  [404, '{"message": "no Route matched with those values"}', 'no Route matched with those values'],
  [405, '', '405, and no answer of a vAtom service; a firewall or a proxy may have answered'],
  [401, '{"message": "Unauthorized"}', 'Unauthorized'],
  [401, '{"message": "No API key found in request"}', 'No API key found in request'],
  [401, '<h1>Unauthorized</h1>', '401, and no answer of a vAtom service; a firewall or a proxy may have answered'],
  [401, '', '401, and no answer of a vAtom service; a firewall or a proxy may have answered'],
])('%i %s of something on the way names the request', async (status, body, said) => {
  const { run, env } = await facing((_, response) => response.writeHead(status).end(body))
  const { code, err } = await run(['template', 'list'], { env })
  expect({ code, err }).toEqual({
    code: said === 'Unauthorized' ? 4 : 1,
    err: expect.stringContaining(`error: GET /v1/templates: ${said}\n`),
  })
})

test.each([
  [403, '<h1>Forbidden</h1>', 'POST /v1/templates: 403'],
  [401, '<h1>Unauthorized</h1>', 'POST /v1/templates: 401'],
  [400, '', 'POST /v1/templates: 400'],
  [418, '{}', 'POST /v1/templates: 418'],
  [404, '<h1>Not Found</h1>', 'POST /v1/templates: 404'],
  [401, '{"message": "No API key found in request"}', 'POST /v1/templates: No API key'],
  [200, '<html>Sign in</html>', 'POST /v1/templates did not answer what the API declares, but a web page'],
])('%i %s for one write, after answers of a service, leads to what is on the way', async (status, page, said) => {
  const { service, run, file } = await publisher()
  file('coupon.yaml', template())
  const { env } = await lossy(service, ({ method, url }) =>
    method === 'POST' && url === '/v1/templates' ? { status, page } : 'answered',
  )
  const { err } = await run(['apply', 'coupon.yaml', '--yes'], { env })
  expect(err).toContain(said)
  expect(err).toContain('the service has answered other requests of this run, so something on the way refuses this one')
  expect(err.includes('check the address')).toBe(status === 404 || status === 200)
})

test('a network that asks for a login is named', async () => {
  const { run, env } = await facing((_, response) => response.writeHead(511).end('<h1>Sign in</h1>'))
  expect((await run(['template', 'list', '--timeout', '1'], { env })).err).toContain(
    'hint: the network asks for a login: ',
  )
})

test.each([
  [401, 'Unauthorized', 4],
  [401, 'Forbidden', 1],
  [403, 'Forbidden', 4],
])('a %i %s without an id of the request may be of something on the way', async (status, message, exitCode) => {
  const { run, env } = await facing((_, response) => response.writeHead(status).end(JSON.stringify({ message })))
  const { code, err } = await run(['template', 'list'], { env })
  expect({ code, err }).toEqual({
    code: exitCode,
    err: expect.stringMatching(/hint: .*something on the way .*a firewall/),
  })
})

test.each(['<h1>Unauthorized</h1>', '{"message": "No API key found in request"}'])(
  'of a session no command says that it has ended where a gateway answers 401 with %s',
  async (body) => {
    const { run, file, env } = await facing((_, response) => response.writeHead(401).end(body))
    const { VATOM_ACCESS_TOKEN: _, ...place } = env
    file('coupon.yaml', template('acme.com::A::v1'))
    const commands = [['plan', 'coupon.yaml'], ['apply', 'coupon.yaml', '--yes'], ['whoami'], ['template', 'list']]
    for (const tokens of [env, { ...place, VATOM_REFRESH_TOKEN: 'r' }])
      for (const words of commands) {
        const { code, err } = await run(words, { env: tokens })
        expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/\nhint: is this a vAtom service\?/) })
        expect(err).not.toMatch(/session|_TOKEN/)
      }
  },
)

test.each([
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
])('a %i %s to a session that was renewed for the request is of something on the way', async (status, message) => {
  const { run, env } = await facing(({ url }, response) => {
    if (url === '/v1/access_token') response.end('{"payload": {"access_token": "new"}}')
    else response.writeHead(status).end(JSON.stringify({ message }))
  })
  const { VATOM_ACCESS_TOKEN: _, ...place } = env
  const { code, err } = await run(['template', 'list'], { env: { ...place, VATOM_REFRESH_TOKEN: 'r' } })
  expect({ code, err }).toEqual({
    code: 4,
    err: expect.stringMatching(
      /\nhint: the session was renewed for this request, so a new token does not help: something on the way .* a gateway/,
    ),
  })
  expect(err).not.toContain('put a new token')
})

test('a token that the service refuses right after it has issued it was removed on the way', async () => {
  const { run, env } = await facing(({ url }, response) => {
    if (url === '/v1/access_token') response.end('{"payload": {"access_token": "new"}}')
    else response.writeHead(401).end('{"request_id": "1", "error": 11, "message": "Not Authorized"}')
  })
  const { VATOM_ACCESS_TOKEN: _, ...place } = env
  const { code, err } = await run(['template', 'list'], { env: { ...place, VATOM_REFRESH_TOKEN: 'r' } })
  expect({ code, err }).toMatchObject({ code: 4, err: expect.stringContaining('remove the header Authorization') })
  expect(err).not.toMatch(/VATOM_\w+_TOKEN/)
})

test('a given token that was accepted before has ended, or is removed on the way', async () => {
  const { run, service, applied, file } = await catalogDesk()
  await applied()
  file('catalog/3-red.yaml', variation())
  const { env } = await lossy(service, ({ method }) => (method === 'PATCH' ? { status: 401 } : 'answered'))
  const { code, err } = await run(['apply', 'catalog', '--yes'], { env })
  expect({ code, err }).toMatchObject({
    code: 4,
    err: expect.stringMatching(
      /hint: the token in VATOM_ACCESS_TOKEN was accepted .*has ended, or something on the way/,
    ),
  })
  expect(err).not.toContain('VATOM_REFRESH_TOKEN')
})
