// biome-ignore-all lint/suspicious/noThenProperty: the word of the format; no promise is made of it
import { networkInterfaces } from 'node:os'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ActiveScenario } from '../../../src/server/testing/active-scenario.ts'
import { template } from '../../fixtures/bodies.ts'
import { testService } from '../../support/service.ts'
import { listening } from '../../support/worlds.ts'

const journalOf = async (tool: Awaited<ReturnType<typeof listening>>['tool']) =>
  (await tool('GET', '/__vatom/journal')).payload

describe('a scenario', () => {
  test('answers a status in the shape of the API, as often as it says', async () => {
    const { ask, tool } = await listening()
    const rules = [{ match: { path: '/v1/user' }, times: 2, then: { status: 503, retry_after: 7 } }]
    expect((await tool('PUT', '/__vatom/scenario', rules)).payload).toEqual([
      { match: { path: '/v1/user' }, times: 2, remaining: 2, then: { status: 503, retry_after: 7 } },
    ])
    for (const remaining of [1, 0]) {
      const { status, headers, body } = await ask('GET', '/v1/user')
      expect({ status, after: headers['retry-after'] }).toEqual({ status: 503, after: '7' })
      expect(body).toEqual({
        request_id: expect.any(String),
        error: 9016,
        message: expect.stringContaining('scenario'),
      })
      expect((await tool('GET', '/__vatom/scenario')).payload).toMatchObject([{ remaining }])
    }
    expect(await ask('GET', '/v1/user')).toMatchObject({ status: 200 })
  })

  test.each([
    [400, 516],
    [401, 401],
    [403, 401],
    [404, 9007],
    [409, 521],
    [413, 9013],
    [429, 429],
    [500, 11],
    [501, 9015],
    [502, 11],
    [503, 9016],
    [504, 9016],
  ])('%i has the code %i, and issues only where the API has them', async (status, error) => {
    const { ask, tool } = await listening()
    await tool('PUT', '/__vatom/scenario', [{ then: { status } }])
    const answer = await ask('GET', '/v1/user')
    expect(answer).toMatchObject({ status, body: { error } })
    expect(Object.hasOwn(answer.body, 'issues')).toBe(status === 400)
    expect(answer.body).not.toHaveProperty('payload')
    expect(answer.headers['retry-after']).toBe({ 503: '1', 504: '1', 429: '60' }[status])
  })

  test('401 is the one that mobile clients renew their token for, with sdk', async () => {
    const { ask, tool } = await listening({ compat: 'sdk' })
    await tool('PUT', '/__vatom/scenario', [{ times: 1, then: { status: 401 } }])
    expect(await ask('GET', '/v1/user')).toMatchObject({ status: 401, body: { exp: 'token expired' } })
  })

  test('drops the connection without an answer', async () => {
    const { ask, tool, lines } = await listening()
    await tool('PUT', '/__vatom/scenario', [{ times: 1, then: { drop: true } }])
    await expect(ask('GET', '/v1/user')).rejects.toThrow('fetch failed')
    expect(await journalOf(tool)).toMatchObject([{}, { path: '/v1/user', status: null, injected: true }])
    expect(lines.filter((line) => line.includes('dropped'))).toHaveLength(1)
    expect(await ask('GET', '/v1/user')).toMatchObject({ status: 200 })
  })

  test('delays a request and carries it out, or refuses it then', async () => {
    const { ask, tool } = await listening()
    await tool('PUT', '/__vatom/scenario', [
      { times: 1, then: { latency_ms: 60 } },
      { times: 1, then: { latency_ms: 60, status: 403 } },
    ])
    await tool('DELETE', '/__vatom/journal')
    expect(await ask('GET', '/v1/user')).toMatchObject({ status: 200 })
    expect(await ask('GET', '/v1/user')).toMatchObject({ status: 403, body: { error: 401 } })
    const entries = await journalOf(tool)
    expect(entries).toMatchObject([
      { status: 200, injected: true },
      { status: 403, error: 401, injected: true },
    ])
    for (const { milliseconds } of entries) expect(milliseconds).toBeGreaterThanOrEqual(55)
  })

  test('delays many requests at once, before and after a reset, without a warning', async () => {
    const warnings: string[] = []
    const warned = ({ message }: Error) => warnings.push(message)
    process.on('warning', warned)
    onTestFinished(() => void process.off('warning', warned))
    const { ask, tool } = await listening({ temporary: '/nowhere' })
    for (const _ of ['before', 'after']) {
      await tool('PUT', '/__vatom/scenario', [{ then: { latency_ms: 20 } }])
      const answers = await Promise.all(Array.from({ length: 12 }, () => ask('GET', '/v1/user')))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      expect(await tool('POST', '/__vatom/reset')).toMatchObject({ status: 200 })
    }
    expect(warnings).toEqual([])
  })

  test('a write that is delayed is done once, with its body', async () => {
    const { ask, tool } = await listening()
    await tool('PUT', '/__vatom/scenario', [{ match: { method: 'PATCH' }, then: { latency_ms: 20 } }])
    expect(await ask('PATCH', '/v1/user', { first_name: 'Ada' })).toMatchObject({
      status: 200,
      payload: { properties: { first_name: 'Ada' } },
    })
  })

  test('what is delayed is not done when its connection is closed meanwhile', async () => {
    const { ask, baseUrl, headers, tool } = await listening()
    await ask('POST', '/v1/templates', template())
    const path = '/v1/templates/local.vatom::Coupon::v1'
    await tool('PUT', '/__vatom/scenario', [{ match: { path: '/v1' }, then: { latency_ms: 300 } }])
    const signal = AbortSignal.timeout(20)
    await expect(fetch(baseUrl + path, { method: 'DELETE', headers, signal })).rejects.toThrow()
    // What is asked later and is delayed as long is answered after the time of the first has passed.
    expect(await ask('GET', path)).toMatchObject({ status: 200 })
    expect((await journalOf(tool)).map(({ method }: { method: string }) => method)).not.toContain('DELETE')
  })

  test('comes before authorization, and marks what it had a hand in', async () => {
    const { tool, ask } = await listening()
    await tool('PUT', '/__vatom/scenario', [{ times: 1, then: { status: 503 } }])
    expect(await tool('GET', '/v1/user')).toMatchObject({ status: 503 })
    expect(await tool('GET', '/v1/user')).toMatchObject({ status: 403 })
    await ask('GET', '/v1/user')
    const [, first, ...others] = await journalOf(tool)
    expect(first).toMatchObject({ status: 503, error: 9016, operation: 'getProfile', injected: true })
    for (const other of others) expect(other).not.toHaveProperty('injected')
  })

  test('pages of other origins can read what it answers', async () => {
    const { baseUrl, tool } = await listening()
    await tool('PUT', '/__vatom/scenario', [{ then: { status: 503 } }])
    const response = await fetch(`${baseUrl}/v1/user`, { headers: { origin: 'http://localhost:3000' } })
    expect(response.status).toBe(503)
    expect(response.headers.get('access-control-allow-origin')).toBe('http://localhost:3000')
  })

  test('never touches the routes of the service itself, nor requests in process', async () => {
    const { tool, publisher } = await listening({ scenario: [{ then: { drop: true } }] })
    for (const path of ['/__vatom/health', '/__vatom/clock', '/__vatom/scenario'])
      expect(await tool('GET', path)).toMatchObject({ status: 200 })
    expect(await publisher.call('GET', '/v1/user')).toMatchObject({ status: 200 })
  })

  test('begins with the rules the service was opened with; DELETE ends it, PUT replaces it', async () => {
    const { ask, tool } = await listening({ scenario: [{ then: { status: 500 } }] })
    expect(await ask('GET', '/v1/user')).toMatchObject({ status: 500 })
    await tool('PUT', '/__vatom/scenario', [{ then: { status: 501 } }])
    expect(await ask('GET', '/v1/user')).toMatchObject({ status: 501 })
    expect((await tool('DELETE', '/__vatom/scenario')).payload).toEqual([])
    expect(await ask('GET', '/v1/user')).toMatchObject({ status: 200 })
  })

  test.each([
    [{}, 'a list'],
    [[{}], 'then is required'],
    [[{ then: {} }], 'latency_ms, status, error, payload or drop'],
    [[{ then: { status: 418 } }], 'must be one of 400'],
    [[{ then: { status: 200 } }], 'must be one of 400'],
    [[{ then: { latency_ms: 60_001 } }], 'at most 60000'],
    [[{ then: { latency_ms: -1 } }], 'at least 0'],
    [[{ then: { latency_ms: 0.5 } }], 'whole number'],
    [[{ then: { drop: false } }], 'true'],
    [[{ then: { drop: true, status: 503 } }], 'not both'],
    [[{ then: { drop: true, retry_after: 1 } }], 'a status beside'],
    [[{ times: 0, then: { drop: true } }], 'at least 1'],
    [[{ match: { path: 'v1' }, then: { drop: true } }], 'must begin with /'],
    [[{ match: { method: 'get' }, then: { drop: true } }], 'GET'],
    [[{ match: { operation: 'getProfil' }, then: { drop: true } }], 'did you mean getProfile'],
    [[{ match: { event: 'inventry' }, then: { omit: true } }], 'did you mean inventory'],
    [[{ match: { event: '' }, then: { omit: true } }], 'must be one of info, inventory'],
    [[{ match: { host: 'x' }, then: { drop: true } }], 'unknown field host'],
    [[{ thn: { drop: true } }], 'did you mean then'],
    [Array.from({ length: 101 }, () => ({ then: { drop: true } })), 'at most 100'],
  ])('refuses %j: %s', async (rules, message) => {
    const { ask, tool } = await listening()
    const { status, body } = await tool('PUT', '/__vatom/scenario', rules)
    expect(status).toBe(400)
    expect(JSON.stringify(body.issues)).toContain(message)
    expect(await ask('GET', '/v1/user')).toMatchObject({ status: 200 })
  })
})

describe('a rule fits', () => {
  const one = {
    method: 'GET',
    url: '/v1/templates/local.vatom%3A%3AA?x=/v1/user',
    operation: 'getTemplate',
    headers: {},
  } as const
  test.each([
    [{}, true],
    [{ method: 'GET' }, true],
    [{ method: 'POST' }, false],
    [{ operation: 'getTemplate', headers: {} }, true],
    [{ operation: 'listTemplates' }, false],
    [{ path: '/v1/templates' }, true],
    [{ path: '/v1/templates/' }, true],
    [{ path: '/' }, true],
    [{ path: '/v1/temp' }, false],
    [{ path: '/v1/templates/local.vatom::A' }, true],
    [{ path: '/v1/templates/local.vatom::A/x' }, false],
    [{ path: '/v1/temp*' }, true],
    [{ path: '*::A' }, true],
    [{ path: '*::B' }, false],
    [{ path: '/v1/*/local*A' }, true],
    [{ path: '/v1/*/*/*' }, false],
    [{ path: '/v1/templates*templates/*' }, false],
    [{ path: '*' }, true],
    [{ path: '*/v1/user' }, false],
    [{ path: '/v1/templates', method: 'POST' }, false],
  ] as const)('%j: %j', (match, expected) => {
    const scenario = new ActiveScenario([{ match, then: { status: 503 } }])
    expect(scenario.take(one) !== undefined).toBe(expected)
  })

  test('the first that fits and is not used up', () => {
    const scenario = new ActiveScenario([
      { match: { method: 'POST' }, then: { status: 500 } },
      { times: 1, then: { status: 503 } },
      { then: { latency_ms: 5 } },
    ])
    expect([1, 2, 3].map(() => scenario.take(one))).toEqual([{ status: 503 }, { latency_ms: 5 }, { latency_ms: 5 }])
  })

  test('slashes that are repeated count as one, and what is no path is taken as it is', () => {
    const scenario = new ActiveScenario([{ match: { path: '/v1/user' }, then: { status: 503 } }])
    expect(scenario.take({ ...one, url: '//v1///user' })).toBeDefined()
    expect(scenario.take({ ...one, url: '/v1/user/%zz' })).toBeDefined()
  })
})

/** An address of this machine that is not loopback, under which it is another to itself. */
const outside = Object.values(networkInterfaces())
  .flat()
  .find((one) => one && !one.internal && one.family === 'IPv4')?.address

test.runIf(outside)('what shows and changes how the service works is for its own machine alone', async () => {
  const { service } = await testService({ password: 'of-my-own', allowHosts: [outside ?? ''] })
  const { port } = await service.listen({ host: '0.0.0.0', port: 0 })
  const status = async (method: string, path: string) =>
    (await fetch(`http://${outside}:${port}/__vatom/${path}`, { method, ...(method === 'PUT' && { body: '[]' }) }))
      .status
  for (const [method, path] of [
    ['GET', 'journal'],
    ['GET', 'clock'],
    ['GET', 'scenario'],
    ['DELETE', 'journal'],
    ['PUT', 'clock'],
    ['DELETE', 'clock'],
    ['PUT', 'scenario'],
    ['DELETE', 'scenario'],
    ['PATCH', 'users/x'],
  ] as const)
    expect([method, path, await status(method, path)]).toEqual([method, path, 403])
})

describe('a rule of a scenario', () => {
  /** The statuses of requests, one after the other. */
  const statuses = async (...requests: readonly Promise<{ readonly status: number }>[]) =>
    (await Promise.all(requests)).map(({ status }) => status)
  const login = (token: string) => ({ token, token_type: 'email', auth_data: { password: 'secret' } })

  test('fits fields of the body, texts by patterns', async () => {
    const { ask, tool, register } = await listening()
    await register('ann@example.com')
    await register('bob@example.com')
    const rules = [
      {
        match: { operation: 'login', body: { token: 'ann@*', 'auth_data.password': 'secret' } },
        then: { status: 503 },
      },
    ]
    expect((await tool('PUT', '/__vatom/scenario', rules)).status).toBe(200)
    expect((await ask('POST', '/v1/user/login', login('ann@example.com'))).status).toBe(503)
    expect((await ask('POST', '/v1/user/login', login('bob@example.com'))).status).toBe(200)
    await tool('PUT', '/__vatom/scenario', [
      { match: { body: { 'user_tokens[0].token': 'eve@example.com' } }, then: { status: 500 } },
    ])
    const registration = (token: string) => ({ user_tokens: [{ token, token_type: 'email' }] })
    expect((await ask('POST', '/v1/users', registration('eve@example.com'))).status).toBe(500)
    expect((await ask('POST', '/v1/users', registration('joe@example.com'))).status).toBe(200)
    expect((await ask('GET', '/v1/user')).status).toBe(200)
  })

  test('fits the user by id or address, and counts only their requests', async () => {
    const world = await listening()
    const people = [await world.tool('POST', '/__vatom/users'), await world.tool('POST', '/__vatom/users')]
    const [ann, bob] = people.map(({ payload }) => payload)
    const get = (token: string) =>
      fetch(`${world.baseUrl}/v1/user`, { headers: { 'app-id': 'local', authorization: `Bearer ${token}` } })
    for (const user of [ann.user.id, ann.token]) {
      await world.tool('PUT', '/__vatom/scenario', [{ match: { user }, times: 1, then: { error: 'unknownVatom' } }])
      expect(await statuses(get(bob.access_token))).toEqual([200])
      const refused = await get(ann.access_token)
      expect({ status: refused.status, body: await refused.json() }).toMatchObject({
        status: 404,
        body: { error: 1701 },
      })
      expect(await statuses(get(ann.access_token))).toEqual([200])
    }
  })

  test('comes before a later one that looks at the body, without authorization', async () => {
    const { tool } = await listening()
    await tool('PUT', '/__vatom/scenario', [
      { match: { operation: 'login' }, times: 1, then: { status: 503 } },
      { match: { body: { token: '*' } }, then: { status: 500 } },
    ])
    expect(await statuses(tool('POST', '/v1/user/login', {}))).toEqual([503])
    expect(await statuses(tool('POST', '/v1/user/login', {}))).toEqual([403])
  })

  test('fits headers, whatever the case of their names', async () => {
    const { baseUrl, headers, tool } = await listening()
    await tool('PUT', '/__vatom/scenario', [{ match: { headers: { 'X-App-Version': '1.*' } }, then: { status: 501 } }])
    const get = (version?: string) =>
      fetch(`${baseUrl}/v1/user`, { headers: { ...headers, ...(version && { 'x-app-version': version }) } })
    expect(await statuses(get('1.4'), get('2.0'), get())).toEqual([501, 200, 200])
  })

  test('answers an error of the API by its name, or a payload, and stores nothing', async () => {
    const { ask, tool, register } = await listening()
    await tool('PUT', '/__vatom/scenario', [
      { match: { method: 'POST' }, times: 1, then: { error: 'tokenTaken', retry_after: 3 } },
      { match: { method: 'POST' }, times: 1, then: { payload: { user: { id: 'stub' } } } },
    ])
    const body = { user_tokens: [{ token: 'ann@example.com', token_type: 'email' }] }
    const refused = await ask('POST', '/v1/users', body)
    expect(refused).toMatchObject({ status: 409, body: { error: 521 } })
    expect(refused.headers['retry-after']).toBe('3')
    expect(await ask('POST', '/v1/users', body)).toMatchObject({ status: 200, payload: { user: { id: 'stub' } } })
    await register('ann@example.com')
  })

  test('is applied to a part of the requests, the same ones for the same seed', async () => {
    const drawn = async (seed: string) => {
      const { ask, tool } = await listening({ seed })
      await tool('PUT', '/__vatom/scenario', [{ probability: 0.5, then: { status: 500 } }])
      const found: number[] = []
      for (let time = 0; time < 24; time++) found.push((await ask('GET', '/v1/user')).status)
      return found.join()
    }
    const first = await drawn('one')
    expect(first).toContain('200')
    expect(first).toContain('500')
    expect(await drawn('one')).toBe(first)
    expect(await drawn('two')).not.toBe(first)
  })

  test.each([
    [{ then: { error: 'unheard' } }, 'error'],
    [{ then: { error: 'busy', status: 503 } }, 'one of status, error, payload, drop, close, message and omit'],
    [{ then: { payload: {}, drop: true } }, 'one of status, error, payload, drop, close, message and omit'],
    [{ then: { payload: 1, retry_after: 1 } }, 'a status beside retry_after, or an error'],
    [{ probability: 2, then: { drop: true } }, 'probability'],
    [{ match: { body: { a: {} } }, then: { drop: true } }, 'body'],
  ])('%j is refused', async (rule, text) => {
    const { tool } = await listening()
    const { status, body } = await tool('PUT', '/__vatom/scenario', [rule])
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toContain(text)
  })
})
