import { expect, test } from 'vitest'
import { action, coupon, face, template } from '../../fixtures/yaml.ts'
import { facing, transports } from '../../support/desks.ts'
import { lossy } from '../../support/lossy.ts'
import { publisher } from '../../support/vatom.ts'

const typo = face().replace('[CardImage]', '\n  - CardImage\n  - Typo')
const count = (text: string, words: string) => text.split(words).length - 1

/** A desk with a template, and a face of it with a resource that the template does not have. */
async function refused(transport?: 'local' | 'network') {
  const desk = await publisher(transport ? { transport } : {})
  desk.file('coupon.yaml', template())
  await desk.json('template', 'create', 'coupon.yaml')
  desk.file('face.yaml', typo)
  return desk
}

test.each(transports)('what the service finds wrong is told at its place on the %s transport', async (transport) => {
  const { vatom, run } = await refused(transport)
  const { code, out, err } = await vatom('face', 'register', 'face.yaml')
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toMatch(/^error\[missing_reference\]: .*Typo/m)
  expect(err).toMatch(/--> face\.yaml:14:5\n.*\|\n13 \| {3}- CardImage\n14 \| {3}- Typo\n.*\^{4}\n/)
  expect(err).toContain(
    `\nerror: face ${coupon} icon, generic, high, native://image was refused\nhint: first create the records that the document names\n`,
  )
  expect(count(err, 'has no resource')).toBe(1)
  const under = await run(['face', 'register', 'face.yaml', '--json'])
  const message = expect.stringContaining('Typo')
  const [file, path] = ['face.yaml', 'resources[1]']
  expect(JSON.parse(under.out)).toEqual({
    results: [
      {
        file,
        kind: 'face',
        name: `${coupon} icon, generic, high, native://image`,
        status: 'refused',
        message,
        problems: [
          {
            file,
            line: 14,
            column: 5,
            endLine: 14,
            endColumn: 9,
            end_line: 14,
            end_column: 9,
            rule: 'missing_reference',
            severity: 'error',
            path,
            message,
            hint: expect.any(String),
            spec: null,
          },
        ],
      },
    ],
    summary: { total: 1, ok: 0, failed: 1 },
    error: { code: 'missing_reference', message, hint: expect.any(String), issues: [{ path, message }] },
  })
  expect(count(under.err, 'has no resource')).toBe(1)
})

test('of several documents each at its own place', async () => {
  const { vatom, file } = await refused()
  file('face.yaml', `${face(undefined, 'card')}---\n${typo}`)
  const { code, err } = await vatom('face', 'register', 'face.yaml')
  expect(code).toBe(6)
  expect(err).toContain('--> face.yaml:27:5')
  expect(err).toContain(
    `error: face.yaml: face ${coupon} icon, generic, high, native://image was refused\nerror: 1 of 2 documents were not done\n`,
  )
  expect(count(err, 'has no resource')).toBe(1)
})

test('for a program that reads problems, once and with the hint', async () => {
  const { run } = await refused()
  const { out } = await run(['face', 'register', 'face.yaml', '--format', 'sarif'])
  const { results } = JSON.parse(out).runs[0]
  expect(results).toMatchObject([
    { ruleId: 'missing_reference', locations: [{ physicalLocation: { region: { startLine: 14, startColumn: 5 } } }] },
  ])
  expect(JSON.stringify(results)).toContain('first create the records that the document names')
})

test('of flags names the flag, and is told once', async () => {
  const { vatom } = await refused()
  const flags = ['--template', coupon, '--view-mode', 'icon', '--display-url', 'native://image', '--resources', 'Typo']
  const { code, err } = await vatom('face', 'register', ...flags)
  expect(code).toBe(1)
  expect(err).toMatch(/^error\[missing_reference\]: --resources: .*Typo/m)
  expect(count(err, 'has no resource')).toBe(1)
})

test('a sentence that no document is about is told once', async () => {
  const { run, env } = await facing((_, response) => {
    response.statusCode = 400
    const issues = [
      { path: 'url', message: 'bad' },
      { path: 'reactor', message: 'worse' },
    ]
    response.end(JSON.stringify({ request_id: 'r', error: 1, message: 'url: bad (and 1 more)', issues }))
  })
  const { err } = await run(
    ['action', 'handler', 'register', '--reactor', 'acme.com://stamp', '--url', 'https://a.example/'],
    { env },
  )
  expect(err).toContain('error: url: bad (and 1 more)\n  reactor: worse\n')
  expect(count(err, 'url: bad')).toBe(1)
})

/** What a gateway answers that speaks as the API does, but leads elsewhere. */
const noRecord = JSON.stringify({ request_id: 'r', error: 9007, message: 'No such record' })

test.each([
  ['a list', ['template', 'list'], 'VATOM_ACCESS_TOKEN'],
  ['the list of labels', ['plan', 'catalog'], 'VATOM_ACCESS_TOKEN'],
  ['the request for a token', ['template', 'list'], 'VATOM_REFRESH_TOKEN'],
])('where %s is answered with 404 as a missing record is, the hint doubts the address', async (_, words, variable) => {
  const desk = await facing((_, response) => response.writeHead(404).end(noRecord))
  desk.file('catalog/coupon.yaml', template('acme.com::A::v1'))
  const { VATOM_ACCESS_TOKEN, ...place } = desk.env
  const { code, err } = await desk.run(words, { env: { ...place, [variable]: VATOM_ACCESS_TOKEN } })
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringMatching(/^error: No such record\nhint: is this a vAtom service\? check the address: /m),
  })
})

test('a read that failed every time says how often it was sent, and when to try again', async () => {
  const { run, env } = await facing((_, response) => response.writeHead(503).end())
  const { code, err } = await run(['template', 'list'], { env })
  expect(code).toBe(5)
  expect(err).toMatch(/^error: .* \(sent 3 times within \d+ s\)$/m)
  const under = JSON.parse((await run(['template', 'list', '--json'], { env })).out)
  expect(under.error).toMatchObject({ attempts: 3 })
  expect(under.error).not.toHaveProperty('retry_after')
})

test.each([
  ['10000', '3 hours'],
  ['86400', '24 hours'],
])('a wait of %s s is said to be one of %s', async (seconds, words) => {
  const { run, env } = await facing((_, response) => response.writeHead(429, { 'retry-after': seconds }).end())
  expect((await run(['template', 'list'], { env })).err).toContain(`try again in ${words}\n`)
})

test.each(['86401', '2300313600'])('a wait of %s s is no advice', async (seconds) => {
  const { run, env } = await facing((_, response) => response.writeHead(429, { 'retry-after': seconds }).end())
  const { err } = await run(['template', 'list'], { env })
  expect(err).toMatch(/\nhint: the service asks to wait for more than a day, which may be a mistake: .*operator\n$/)
  expect(err).not.toContain('try again in')
})

test('a limit that does not say how long to wait has a hint to wait', async () => {
  const { run, env } = await facing((_, response) => response.writeHead(429).end('{"error": 429, "message": "no"}'))
  expect(await run(['template', 'list'], { env })).toMatchObject({
    code: 5,
    err: expect.stringContaining('hint: too many requests were sent in a short time: wait a minute, then try again\n'),
  })
})

test('a limit that asks for a longer wait than a run may take says how long', async () => {
  const { run, env } = await facing((_, response) => response.writeHead(429, { 'retry-after': '3600' }).end())
  const { code, err } = await run(['template', 'list'], { env })
  expect({ code, err }).toEqual({
    code: 5,
    err: expect.stringContaining('hint: the service asks to wait: try again in 3600 s\n'),
  })
  expect(err).not.toContain('sent ')
  const under = JSON.parse((await run(['template', 'list', '--json'], { env })).out)
  expect(under.error).toMatchObject({ retry_after: 3600 })
  expect(under.error).not.toHaveProperty('attempts')
})

test('a service that nothing reaches says it once for all documents', async () => {
  const { run, env, file } = await facing((request) => request.socket.destroy())
  file('a.yaml', template('acme.com::A::v1'))
  const { code, err } = await run(['plan', 'a.yaml'], { env })
  expect(code).toBe(5)
  expect(err).toMatch(/No answer from .*: the connection was closed \(sent 3 times within \d+ s\)/)
  expect(count(err, 'sent 3 times')).toBe(1)
})

test('of many failed requests the hint names three, and the number of the others', async () => {
  let sent = 0
  const profile = JSON.stringify(await (await publisher()).json('api', 'get', '/v1/user'))
  const { run, env, file } = await facing((request, response) => {
    if (request.url === '/v1/user') return response.end(profile.replace('local.vatom', 'acme.com'))
    if (request.method === 'GET') return response.writeHead(404).end('{"error":9007}')
    const body = { error: 11, request_id: `id-${sent++}` }
    return response.writeHead(500).end(JSON.stringify(body))
  })
  for (let n = 0; n < 8; n++) file(`catalog/${n}.yaml`, template(`acme.com::A${n}::v1`))
  const { err } = await run(['apply', 'catalog', '--yes'], { env })
  expect(err.match(/^hint: /gm)).toHaveLength(1)
  const ids = "the service's ids for these requests are id-\\d+, id-\\d+, id-\\d+ and 5 more"
  expect(err.replaceAll(/\n(?!hint: )/g, ' ')).toMatch(new RegExp(`${ids}, and its log, if it has one, says more`))
})

test.each([
  [503, { 'retry-after': '1' }, 'the service asks to wait: try again in 1 s'],
  [502, {}, 'see whether the service runs, and is not overloaded, and try again later'],
])('what to do about several answers %i is said once, and what leads on is last', async (status, headers, advice) => {
  const { run, service, file } = await publisher()
  let sent = 0
  const { env } = await lossy(service, ({ method, url }) => {
    if (method === 'GET' || url === '/v1/templates') return 'answered'
    const page = JSON.stringify({ error: 11, message: 'no', request_id: `id-${sent++}` })
    return { status, page, headers }
  })
  file('a.yaml', [template(), face(), action()].join('---\n'))
  const { err } = await run(['apply', 'a.yaml', '--yes'], { env, slept: [] })
  const hint = err.slice(err.indexOf('hint: '))
  expect(count(hint, advice)).toBe(1)
  expect(hint).toMatch(/; to do the rest: vatom apply a\.yaml --yes\n$/)
  expect(hint).toMatch(/the service's ids for these requests are id-\d+, id-\d+[,;]/)
})

test('a single answer of a service that is overloaded says what to do last', async () => {
  const { run, env, file } = await facing((_, response) =>
    response.writeHead(502).end('{"error":11,"message":"no","request_id":"id-1"}'),
  )
  file('a.yaml', template('acme.com::A::v1'))
  const { code, err } = await run(['plan', 'a.yaml'], { env, slept: [] })
  expect(code).toBe(5)
  expect(err).toMatch(
    /\nhint: the service's id for this request is id-1.*; see whether the service runs, and is not overloaded, and try again later\n$/,
  )
})

test('an answer that is cut off in its middle is not said to be of a service that does not run', async () => {
  const { run, env } = await facing((_, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('{"payload": [', () => response.destroy())
  })
  const { code, err } = await run(['template', 'list'], { env })
  expect({ code, err }).toMatchObject({
    code: 5,
    err: expect.stringMatching(/closed in the middle of the answer \(sent 3 times within \d+ s\)\nhint: see the logs/),
  })
  expect(err).not.toContain('is the service running')
})
