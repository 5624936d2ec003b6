import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Service } from '../../../src/server/service.ts'
import { template } from '../../fixtures/bodies.ts'
import { writeFiles } from '../../support/folders.ts'
import { asked, type Look, serving } from '../../support/serving.ts'
import { publisher } from '../../support/vatom.ts'

/** What a served service charges for a contract and a field, and what is left then; it ends at once. */
async function served(...flags: string[]) {
  let seen: unknown
  await serving().vatom(['serve', '--memory', '--port', '0', ...flags], async (service, { baseUrl }) => {
    seen = await charges(baseUrl, service.localToken())
  })
  return seen
}

async function charges(baseUrl: string, token: string) {
  const headers = { 'app-id': 'local', authorization: `Bearer ${token}` }
  const eth = { network: 'mainnet', fields: { a: { type: 'uint', value: 1 } } }
  const body = JSON.stringify(template({ template: 'local.vatom::A::v1', eth }))
  const { status } = await fetch(`${baseUrl}/v1/templates`, { method: 'POST', headers, body })
  const [ledger, balance] = await Promise.all(
    ['ledger', 'balance'].map(
      async (route) => Object(await (await fetch(`${baseUrl}/__vatom/${route}`)).json()).payload,
    ),
  )
  return { status, units: ledger.map(({ units }: { units: number }) => units), granted: balance[0].granted }
}

test.each([
  [[], { status: 200, units: [100, 10], granted: 1_000_000 }],
  [['--contract-units', '7'], { status: 200, units: [7, 10], granted: 1_000_000 }],
  [['--field-units', '3', '--balance', '103'], { status: 200, units: [100, 3], granted: 103 }],
  [['--contract-units', '0', '--field-units', '0', '--balance', '0'], { status: 200, units: [0, 0], granted: 0 }],
  [['--balance', '109'], { status: 400, units: [], granted: 109 }],
])('serve %j sets the tariff and the balance', async (flags, seen) => {
  expect(await served(...flags)).toEqual(seen)
})

test('serve --calls-per-minute sets how often one address can make a guest', async () => {
  const statuses = async (...flags: string[]) => {
    const seen: number[] = []
    await serving().vatom(['serve', '--memory', '--port', '0', ...flags], async ({ appId }, { baseUrl }) => {
      const init = { method: 'POST', headers: { 'app-id': appId } }
      for (let n = 0; n < 3; n++) seen.push((await fetch(`${baseUrl}/v1/user/guest`, init)).status)
    })
    return seen
  }
  // The minute of the clock may end in between: then the calls are counted anew.
  expect(await statuses('--calls-per-minute', '1')).toContain(429)
  expect(await statuses('--calls-per-minute', '0')).toEqual([200, 200, 200])
  expect(await statuses()).toEqual([200, 200, 200])
})

test('serve prints every publisher, and the address that each signs in with', async () => {
  const flags = ['serve', '--memory', '--port', '0', '--publisher', 'a.example', 'b.example']
  const { vatom } = serving()
  expect((await vatom(flags)).err).toContain(
    '\npublishers publisher@a.example, publisher@b.example, password vatom-local\n',
  )
  const { out } = await vatom([...flags, '--json', '--email', 'me@a.example'])
  expect(JSON.parse(out)).toMatchObject({
    publisher: { fqdn: 'a.example', email: 'me@a.example' },
    publishers: [
      { fqdn: 'a.example', email: 'me@a.example' },
      { fqdn: 'b.example', email: 'publisher@b.example' },
    ],
  })
})

test('serve --trust-local says who gets access, also with --quiet', async () => {
  const flags = ['serve', '--memory', '--port', '0', '--quiet', '--trust-local', '172.17.0.0/16', 'fd00::1']
  const { vatom, opened } = serving()
  const { err } = await vatom(flags)
  expect(err.split('\n').slice(0, 2)).toEqual(
    ['172.17.0.0/16', 'fd00::1/128'].map(
      (network) =>
        `warning: every machine of ${network} can read sign-in codes and change users, clock and data of this service`,
    ),
  )
  expect(opened).toMatchObject([
    {
      trustedNetworks: [
        { address: '172.17.0.0', prefix: 16 },
        { address: 'fd00::1', prefix: 128 },
      ],
    },
  ])
})

test('serve --trust-proxy names the proxies', async () => {
  const { vatom, opened } = serving()
  await vatom(['serve', '--memory', '--port', '0', '--quiet', '--trust-proxy', '127.0.0.1', '10.0.0.0/8'])
  const trustedProxies = [
    { address: '127.0.0.1', prefix: 32 },
    { address: '10.0.0.0', prefix: 8 },
  ]
  expect(opened).toMatchObject([{ trustedProxies }])
})

test.each([
  ['--trust-local', 'bridge'],
  ['--trust-local', '10.0.0.0/33'],
  ['--trust-proxy', 'nginx'],
])('serve %s %s is refused', async (flag, network) => {
  const { vatom } = await publisher()
  expect(await vatom('serve', '--memory', flag, network)).toMatchObject({
    code: 2,
    err: expect.stringMatching(/must be an address or a network, for example 172\.17\.0\.0\/16\n$/),
  })
})

test('serve shows where events are sent', async () => {
  const { vatom } = serving()
  const { err } = await vatom(['serve', '--memory', '--port', '0'])
  expect(err).toMatch(
    /^vAtom service at http:\/\/127\.0\.0\.1:(\d+), app id local\npublisher publisher@local\.vatom, password vatom-local\nevents at ws:\/\/127\.0\.0\.1:\1\/ws; Ctrl-C stops it\n$/,
  )
})

test.each(['--contract-units', '--field-units', '--balance', '--calls-per-minute'])(
  'serve %s takes whole numbers from 0 up',
  async (flag) => {
    const { vatom } = await publisher()
    for (const value of ['-1', '1.5', 'many', '', '99999999999999999999'])
      expect(await vatom('serve', '--memory', flag, value)).toMatchObject({
        code: 2,
        out: '',
        err: expect.stringContaining(flag),
      })
  },
)

test('serve --help has the charges under a heading of their own', async () => {
  const { vatom } = await publisher()
  const { out } = await vatom('serve', '--help')
  const [, group = ''] = out.split('Charges for chain writes on mainnet, in platform units:\n')
  const options = group.split('\n\n')[0]?.match(/--[\w-]+/g)
  expect(options).toEqual(['--contract-units', '--field-units', '--balance'])
})

test('--db :memory: makes no file: it is --memory', async () => {
  const { vatom, opened, home } = serving()
  expect(await vatom(['serve', '--db', ':memory:', '--port', '0'])).toMatchObject({ code: 0 })
  expect(opened).toMatchObject([{ db: ':memory:' }])
  expect(readdirSync(home)).not.toContain(':memory:')
})

describe('the log of serve', () => {
  /** What serve prints on stderr for a request of a user, one that nobody has signed in for, and a code that is sent. */
  async function logged(...flags: string[]): Promise<string[]> {
    const { vatom } = serving()
    const look: Look = async ({ appId, localToken }, { baseUrl }) => {
      const headers = { 'app-id': appId, authorization: `Bearer ${localToken()}`, 'x-request-id': 'mine:1' }
      await fetch(`${baseUrl}/v1/user?secret=s3cret`, { headers })
      await fetch(`${baseUrl}/v1/user`, { headers: { 'app-id': appId } })
      const body = JSON.stringify({ user_tokens: [{ token: 'ann@a.example', token_type: 'email' }] })
      await fetch(`${baseUrl}/v1/users`, { method: 'POST', headers: { 'app-id': appId }, body })
    }
    const { code, err } = await vatom(['serve', '--memory', '--port', '0', ...flags], look)
    expect(code).toBe(0)
    return err.split('\n').slice(0, -1)
  }

  test('as JSON has a line for the start, each request, each message and the end, and no secrets', async () => {
    const lines = await logged('--log', 'json', '--trust-local', '10.0.0.0/8')
    const events = lines.map((line) => JSON.parse(line))
    expect(events).toMatchObject([
      { level: 'warn', event: 'note', message: expect.stringContaining('10.0.0.0/8') },
      { event: 'start', base_url: expect.any(String), app_id: 'local', db: null, publisher: 'local.vatom' },
      { event: 'request', request_id: 'mine:1', method: 'GET', path: '/v1/user', operation: 'getProfile', status: 200 },
      { event: 'request', path: '/v1/user', operation: 'getProfile', status: 403 },
      { event: 'request', operation: 'registerUser', status: 200 },
      { event: 'message', token_type: 'email' },
      { level: 'info', event: 'stop', time: '2026-03-01T12:00:00.000Z' },
    ])
    expect(events[2]).toMatchObject({ duration_ms: expect.any(Number), user_id: expect.any(String), level: 'info' })
    expect(events[3]).not.toHaveProperty('user_id')
    expect(lines.join()).not.toMatch(/s3cret|ann@a|vatom-local|eyJ|127\.0\.0\.1(?!:\d+\/?(ws)?")|console_url/)
  })

  const wrong = `template: local.vatom::Tea
vatom:
  vAtom::vAtomType:
    titel: Tea
    root_type: vAtom::vAtomType
`
  const files = { 'wrong.yaml': wrong, 'rules.json': '[{"then":{"latncy_ms":1}}]' }

  test.each([
    ['problems of documents', '--memory --seed wrong.yaml', 3, ['note', 'note'], /wrong\.yaml:4:\d+\n.*\n.*\n.*titel/],
    ['those of a scenario', '--memory --scenario rules.json', 3, ['note', 'note'], /latncy_ms.*\n.*rules\.json/],
    ['what options contradict each other', '--db a.db --random-seed one', 2, ['error'], /services in memory/],
    ['why it cannot listen', '--memory --host 0.0.0.0', 1, ['stop', 'error'], /with the default password/],
  ])('as JSON has %s in one line', async (_what, flags, code, events, message) => {
    const { vatom, home } = serving({ tty: true })
    writeFiles(home, files)
    const run = await vatom(['serve', '--log', 'json', ...flags.split(' ')])
    const lines = run.err.split('\n').slice(0, -1)
    const logged = lines.map((line) => JSON.parse(line))
    expect({ code: run.code, events: logged.map(({ event }) => event) }).toEqual({ code, events })
    expect(logged.map((line) => line.message).join('\n')).toMatch(message)
  })

  test.each(['text', 'json'])(
    'as %s warns where a password that was set takes the place of the variable',
    async (log) => {
      const { vatom } = serving()
      const start = (look: Look, password: string) =>
        vatom(['serve', '--db', 'a.db', '--port', '0', '--log', log], look, { VATOM_SERVE_PASSWORD: password })
      const set = async (service: Service) =>
        void (await asked(service, 'PATCH', '/v1/user', { password: 'of-my-own' }))
      const { err } = await start(set, 'former')
      expect(err).not.toContain('VATOM_SERVE_PASSWORD')
      const again = await start(async () => {}, 'next-one')
      const warning =
        /VATOM_SERVE_PASSWORD is not used for publishers that .* a pin: local\.vatom; .* run: vatom profile set --password-stdin/
      expect(again).toMatchObject({ code: 0, err: expect.stringMatching(warning) })
      expect(again.err).not.toContain('next-one')
      if (log === 'json') expect(again.err).toMatch(/"level":"warn","event":"note","message":"VATOM_SERVE_PASSWORD/)
      expect((await vatom(['serve', '--db', 'a.db', '--port', '0'])).err).not.toContain('VATOM_SERVE_PASSWORD')
    },
  )

  test('as JSON beside --json has the failure, which is also the result', async () => {
    const { vatom } = serving()
    const { code, out, err } = await vatom(['serve', '--json', '--db', 'a.db', '--random-seed', 'one', '--log', 'json'])
    const { error } = JSON.parse(out)
    expect({ code, error }).toMatchObject({ code: 2, error: { code: 'usage', hint: 'add --memory, or leave it out' } })
    expect(JSON.parse(err)).toMatchObject({ level: 'error', event: 'error', ...error })
  })

  test('is text by default, nothing with --log none, and nothing with --quiet unless it is asked for', async () => {
    const announced = ['vAtom service at', 'publisher ', 'events at'].map((begin) => expect.stringContaining(begin))
    const requests = [
      expect.stringMatching(/^GET \/v1\/user 200 [\d.]+ms mine:1$/),
      ...Array(3).fill(expect.any(String)),
    ]
    expect(await logged()).toEqual([...announced, ...requests])
    expect(await logged('--log', 'none')).toEqual(announced)
    expect(await logged('--quiet')).toEqual(announced)
    expect(await logged('--quiet', '--log', 'text')).toEqual([...announced, ...requests])
  })
})
