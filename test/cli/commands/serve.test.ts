import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { Host } from '../../../src/cli/host.ts'
import type { Listening, Service } from '../../../src/server/service.ts'
import * as bodies from '../../fixtures/bodies.ts'
import { action, face, template, variation } from '../../fixtures/yaml.ts'
import { pageText } from '../../support/pages.ts'
import { hasIpv6 } from '../../support/servers.ts'
import { asked, serving } from '../../support/serving.ts'

const name = 'local.vatom::Coupon::v1'
const names = async (service: Service, path: string) =>
  (Object(await asked(service, 'GET', path)) as { name: string }[]).map((one) => one.name)

describe('serve -- COMMAND', () => {
  test('runs it against a service in memory on a free port, told by the environment', async () => {
    const { vatom, programs, opened, home } = serving()
    const outer = { PATH: '/bin', VATOM_CONTEXT: 'live', VATOM_ACCESS_TOKEN: 'x', VATOM_BASE_URL: 'http://elsewhere' }
    let profile: unknown
    const { code, out, err } = await vatom(
      ['serve', '--', 'run', '--me', '-x', '--', 'serve', '--json', '--quiet'],
      async (service, { baseUrl }) => {
        const env = programs[0]?.env ?? {}
        expect(env.VATOM_BASE_URL).toBe(baseUrl)
        const headers = { 'app-id': env.VATOM_APP_ID ?? '', authentication: env.VATOM_REFRESH_TOKEN ?? '' }
        const renewed = await fetch(`${baseUrl}/v1/access_token`, { method: 'POST', headers })
        const { payload } = Object(await renewed.json())
        const signedIn = { 'app-id': service.appId, authorization: `Bearer ${payload.access_token}` }
        profile = await (await fetch(`${baseUrl}/v1/user`, { headers: signedIn })).json()
      },
      outer,
    )
    expect({ code, out }).toEqual({ code: 0, out: '' })
    expect(err).toMatch(/^vAtom service at http:\/\/127\.0\.0\.1:\d+ for run\n$/)
    expect(profile).toMatchObject({ payload: { system_properties: { pub_fqdn: 'local.vatom' } } })
    expect(programs).toMatchObject([
      {
        command: ['run', '--me', '-x', '--', 'serve', '--json', '--quiet'],
        env: { PATH: '/bin', VATOM_APP_ID: 'local', VATOM_PUBLISHER: 'local.vatom' },
      },
    ])
    expect(programs[0]?.env).not.toHaveProperty('VATOM_CONTEXT')
    expect(programs[0]?.env).not.toHaveProperty('VATOM_ACCESS_TOKEN')
    expect(opened).toMatchObject([{ db: ':memory:' }])
    expect(readdirSync(home)).toEqual([])
  })

  test.each([
    [{}, '127.0.0.1', '127.0.0.1'],
    [{ NO_PROXY: '' }, '127.0.0.1', '127.0.0.1'],
    [{ NO_PROXY: 'intern.example' }, 'intern.example,127.0.0.1', 'intern.example,127.0.0.1'],
    [{ NO_PROXY: 'a.example', no_proxy: 'b.example' }, 'a.example,127.0.0.1', 'b.example,127.0.0.1'],
    [{ no_proxy: '*' }, '*', '*'],
  ])('lets it reach the service without a proxy, with %j before', async (before, NO_PROXY, no_proxy) => {
    const { vatom, programs } = serving()
    const proxy = { HTTP_PROXY: 'http://proxy.example:3128' }
    await vatom(['serve', '--', 'x'], undefined, { ...proxy, ...before })
    expect(programs).toMatchObject([{ env: { ...proxy, NO_PROXY, no_proxy } }])
  })

  test.runIf(hasIpv6)('names an IPv6 address without brackets there, as programs compare it', async () => {
    const { vatom, programs } = serving()
    await vatom(['serve', '--host', '::1', '--', 'x'])
    expect(programs).toMatchObject([{ env: { NO_PROXY: '::1', no_proxy: '::1' } }])
  })

  test.each([0, 1, 6, 130, 143])('ends with its exit code: %i', async (code) => {
    const { vatom } = serving()
    expect(await vatom(['serve', '--json', '--', 'x'], undefined, {}, code)).toMatchObject({ code, out: '' })
  })

  test('--quiet says nothing of its own; without it requests are not told either', async () => {
    const { vatom } = serving()
    const look = async (service: Service) => void (await asked(service, 'GET', '/v1/user'))
    expect(await vatom(['serve', '--quiet', '--', 'x'], look)).toEqual({ code: 0, out: '', err: '' })
    expect((await vatom(['serve', '--', 'x'], look)).err).not.toContain('/v1/user')
  })

  test('takes the options of serve', async () => {
    const { vatom, home, opened, programs } = serving()
    const flags = ['--db', 'own.db', '--publisher', 'acme.example', '--compat', 'sdk', '--balance', '5']
    await vatom(['serve', ...flags, '--', 'x'], async (service) => {
      expect(service.publisher.email).toBe('publisher@acme.example')
    })
    expect(opened).toMatchObject([{ db: join(home, 'own.db'), compat: 'sdk', balance: 5 }])
    expect(programs[0]?.env.VATOM_PUBLISHER).toBe('acme.example')
  })

  test('its publisher is the one that the environment names, whose catalog it can be seeded from', async () => {
    const { vatom, file, programs } = serving()
    file('coupon.yaml', template('shop.example::Coupon::v1'))
    const env = { VATOM_PUBLISHER: 'shop.example' }
    const words = ['serve', '--seed', 'coupon.yaml', '--', 'x']
    await vatom(words, undefined, env)
    await vatom(['serve', '--publisher', 'acme.example', '--', 'x'], undefined, env)
    expect(programs.map(({ env }) => env.VATOM_PUBLISHER)).toEqual(['shop.example', 'acme.example'])
    expect(await vatom(['serve', '--', 'x'], undefined, { VATOM_PUBLISHER: '' })).toMatchObject({ code: 2 })
  })

  test('its password has the spaces of its variable, and no line break', async () => {
    const { vatom, opened } = serving()
    await vatom(['serve', '--', 'x'], undefined, { VATOM_SERVE_PASSWORD: ' se cret \r\n' })
    expect(opened).toMatchObject([{ password: ' se cret ' }])
  })

  test('what it did is in the journal, and nothing else', async () => {
    const { vatom, file } = serving()
    file('coupon.yaml', template())
    await vatom(['serve', '--seed', 'coupon.yaml', '--', 'x'], async (service, { baseUrl }) => {
      await asked(service, 'GET', '/v1/user')
      const { payload } = Object(await (await fetch(`${baseUrl}/__vatom/journal`)).json())
      expect(payload).toMatchObject([{ method: 'GET', path: '/v1/user', status: 200 }])
    })
  })

  test.each([
    [['serve', 'npm', 'test'], 'serve takes no argument npm'],
    [['serve', 'npm', '--', 'test'], 'serve takes no argument npm'],
    [['serve', '--'], 'A command is missing'],
    [['serve', '--seed', '-', '--', 'x'], 'standard input'],
  ])('%j exits 2', async (args, message) => {
    const { vatom, opened } = serving()
    const { code, out, err } = await vatom(args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(message)
    expect(err).toContain('hint: ')
    expect(opened).toEqual([])
  })

  test('a password or --debug behind -- is the command’s own affair', async () => {
    const { vatom } = serving()
    const { code, err } = await vatom(['serve', '--wrong', '--', 'x', '--debug', '--password=hunter2'])
    expect(code).toBe(2)
    expect(err).not.toMatch(/\n\s+at |hunter2/)
  })
})

test('serve says that another one serves the same data, where that has the port', async () => {
  const { vatom, file } = serving()
  let second: unknown
  const first = await vatom(['serve', '--port', '0'], async (_, { baseUrl }) => {
    const port = new URL(baseUrl).port
    const other = await vatom(['serve', '--port', port, '--db', file('other.db', '')])
    expect(other).toMatchObject({ code: 1, err: expect.stringContaining(`port ${port} on 127.0.0.1 is taken\n`) })
    second = { ...(await vatom(['serve', '--port', port])), baseUrl }
  })
  expect(first.code).toBe(0)
  expect(second).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      /error: the data of the local context is served at http:\/\/127\.0\.0\.1:\d+ already\nhint: to see it there: vatom console; /,
    ),
  })
})

describe('messages to users', () => {
  const look = async (_service: Service, { baseUrl }: { readonly baseUrl: string }) => {
    const headers = { 'app-id': 'local' }
    const body = JSON.stringify({ user_tokens: [{ token: 'ann@example.com', token_type: 'email' }] })
    await fetch(`${baseUrl}/v1/users`, { method: 'POST', headers, body })
    // The answer to this one comes after the lines of the one before.
    await fetch(`${baseUrl}/v1/user/logout`, { method: 'POST', headers })
  }
  const message = /^message to ann@example\.com \(email\): verification_code \d{6}$/gm

  test('are a line each on stderr, and none on stdout', async () => {
    const { out, err } = await serving().vatom(['serve', '--memory', '--port', '0'], look)
    expect([out, err.match(message)]).toEqual(['', [expect.any(String)]])
  })
  test.each([[['--quiet']], [['--', 'x']]])('are not said with %j', async (more) => {
    const { err } = await serving().vatom(['serve', '--memory', '--port', '0', ...more], look)
    expect(err).not.toContain('ann@example.com')
  })
})

describe('serve --seed', () => {
  const look = async (service: Service) => {
    const found = {
      templates: await names(service, '/v1/templates'),
      variations: await names(service, '/v1/template_variations'),
      faces: Object(await asked(service, 'GET', `/v1/publisher/face?template=${name}`)).length,
      actions: Object(await asked(service, 'GET', `/v1/publisher/action?template=${name}`)).length,
    }
    return found
  }

  test('creates documents of all kinds before it listens, whatever order they come in', async () => {
    const { vatom, file } = serving()
    file('catalog/a.yaml', `${face()}---\n${variation()}---\n${action()}`)
    file('catalog/deep/z.json', JSON.stringify(bodies.template({ template: '$publisher::Other::v1' })))
    file('catalog/z.yaml', template())
    let found: unknown
    const { code, err } = await vatom(['serve', '--memory', '--port', '0', '--seed', 'catalog'], async (service) => {
      found = await look(service)
      expect(Object(await asked(service, 'POST', '/v1/vatom/discover', {})).count).toBe(0)
    })
    expect({ code, found }).toEqual({
      code: 0,
      found: { templates: [name, 'local.vatom::Other::v1'], variations: [`${name}::Red`], faces: 1, actions: 1 },
    })
    expect(err).toContain('seeded 2 templates, 1 variation, 1 face, 1 action\n')
    expect(err).not.toContain('POST /v1/templates')
  })

  test('takes files, folders and globs, and more than one', async () => {
    const { vatom, file } = serving()
    file('one.yaml', template())
    file('more/two.yaml', variation())
    file('face.yaml', face())
    let found: unknown
    await vatom(['serve', '--memory', '--port', '0', '--seed', 'one.yaml', 'more', '*e.yaml'], async (service) => {
      found = await look(service)
    })
    expect(found).toMatchObject({ templates: [name], variations: [`${name}::Red`], faces: 1 })
  })

  test('records which catalog owns what it creates, so that a plan finds nothing to do', async () => {
    const { vatom, file } = serving()
    file('shop/all.yaml', [template(), variation(), face(), action()].join('---\n'))
    file('shop/vatom.yaml', 'catalog: shop\n')
    const plan = async (service: Service, { baseUrl }: Listening) => {
      const { refresh_token } = await service.localSession()
      const env = { VATOM_BASE_URL: baseUrl, VATOM_APP_ID: service.appId, VATOM_REFRESH_TOKEN: refresh_token }
      expect(await vatom(['plan', 'shop', '--exit-code', '--json'], undefined, env)).toMatchObject({ code: 0 })
    }
    const found = await vatom(['serve', '--memory', '--port', '0', '--seed', 'shop'], plan)
    expect(found).toMatchObject({ code: 0 })
  })

  test('creates what it can where the service stores no labels', async () => {
    const { vatom, file } = serving()
    file('shop/all.yaml', [template(), variation(), face()].join('---\n'))
    file('shop/vatom.yaml', 'catalog: shop\n')
    const { code, err } = await vatom(['serve', '--memory', '--port', '0', '--strict-spec', '--seed', 'shop'])
    expect({ code, err }).toMatchObject({
      code: 0,
      err: expect.stringContaining('seeded 1 template, 1 variation, 1 face\n'),
    })
  })

  test('says what it publishes', async () => {
    const { vatom, file } = serving()
    const published = template().replace('unpublished: true', 'unpublished: false')
    file('all.yaml', [published, variation(), face()].join('---\n'))
    const { err } = await vatom(['serve', '--memory', '--port', '0', '--seed', 'all.yaml'])
    expect(err).toContain('seeded 1 template, 1 variation, 1 face; published, which is final: 1 template\n')
  })

  test.each([[['--db', 'own.db']], [[]]])(
    'asks before it charges data that lasts for what does not exist yet: %j',
    async (db: readonly string[]) => {
      const { vatom, file } = serving()
      const eth = { network: 'mainnet', fields: { points: { type: 'uint', value: 7 } } }
      const ofOwn = { network: 'mainnet', fields: { points: { type: 'uint', value: 8 } } }
      const documents = [bodies.template({ eth }), bodies.variation({ eth: ofOwn })]
      file('all.yaml', documents.map((one) => JSON.stringify(one)).join('\n---\n'))
      const seeded = ['serve', ...db, '--port', '0', '--seed', 'all.yaml']
      const refused = await vatom(seeded)
      expect(refused).toMatchObject({ code: 2, out: '', err: expect.stringContaining('--accept-charges') })
      expect(refused.err).toContain('eth on mainnet: 4 chain writes (2 contracts, 2 fields) will be charged')
      expect(refused.err).not.toContain('seeded')
      expect((await vatom([...seeded, '--accept-charges'])).err).toContain('seeded 1 template, 1 variation')
      const again = await vatom(seeded)
      expect(again).toMatchObject({ code: 0, err: expect.not.stringContaining('charged') })
      const inMemory = await vatom(['serve', '--memory', '--port', '0', '--seed', 'all.yaml'])
      expect(inMemory).toMatchObject({ code: 0, err: expect.not.stringContaining('charged') })
    },
  )

  test('asks about the charges for a variation of a template that exists by what is stored of that', async () => {
    const { vatom, file } = serving()
    const ethOf = (...names: string[]) => ({
      network: 'mainnet',
      fields: Object.fromEntries(names.map((name) => [name, { type: 'uint', value: 7 }])),
    })
    const seed = (...documents: object[]) => {
      file('all.yaml', documents.map((one) => JSON.stringify(one)).join('\n---\n'))
      return ['serve', '--db', 'own.db', '--port', '0', '--seed', 'all.yaml']
    }
    await vatom([...seed(bodies.template({ eth: ethOf('points') })), '--accept-charges'])
    const changed = bodies.template({ eth: ethOf('points', 'level') })
    const { err } = await vatom(seed(changed, bodies.variation({ eth: ethOf('points') })))
    expect(err).toContain('eth on mainnet: 2 chain writes (1 contract, 1 field) will be charged')
  })

  test('says that the data of the local context gets a publisher that it had not', async () => {
    const { vatom } = serving()
    const serve = (...publishers: string[]) => vatom(['serve', '--port', '0', '--publisher', ...publishers])
    expect((await serve('local.vatom')).err).not.toMatch(/new database|added/)
    expect((await serve('thrid.example')).err).toMatch(/local\.db had no publisher thrid\.example before: added\n/)
    expect((await serve('thrid.example')).err).not.toContain('added')
  })

  test('says that a database is new, once', async () => {
    const { vatom, home } = serving()
    const { err } = await vatom(['serve', '--db', 'own.db', '--port', '0'])
    expect(err).toContain(`${join(home, 'own.db')} is a new database\n`)
    for (const flags of [['--db', 'own.db'], ['--memory']])
      expect((await vatom(['serve', ...flags, '--port', '0'])).err).not.toContain('new database')
  })

  test('a database that is there is served with its publishers, whose documents are created, and no other', async () => {
    const { vatom, file, home, opened } = serving()
    const db = ['--db', 'own.db', '--port', '0']
    await vatom(['serve', ...db, '--publisher', 'tea.example', 'acme.example', '--email', 'Me@tea.example'])
    file('all.yaml', template())
    const publishers: unknown[] = []
    const templates: unknown[] = []
    const look = async (service: Service) => {
      publishers.push(service.publishers)
      templates.push(await names(service, '/v1/templates'))
    }
    const { out, err } = await vatom(['serve', ...db, '--seed', 'all.yaml'], look)
    await vatom(['serve', ...db], look)
    const both = [
      { fqdn: 'tea.example', email: 'me@tea.example' },
      { fqdn: 'acme.example', email: 'publisher@acme.example' },
    ]
    expect(publishers).toEqual([both, both])
    expect(templates).toEqual([['tea.example::Coupon::v1'], ['tea.example::Coupon::v1']])
    expect(out + err).not.toMatch(/local\.vatom|before: added|new database/)
    const added = await vatom(['serve', ...db, '--publisher', 'acme.example', 'bakery.example'])
    expect(added.err).toContain(`${join(home, 'own.db')} had no publisher bakery.example before: added\n`)
    expect(opened.filter(({ db }) => db !== join(home, 'own.db'))).toEqual([])
  })

  test('nothing of a database changes where the documents of --seed are refused', async () => {
    const { vatom, file } = serving()
    const db = ['--db', 'own.db', '--port', '0']
    await vatom(['serve', ...db, '--publisher', 'tea.example', '--email', 'me@tea.example'])
    file('bad.yaml', 'template: [')
    const refused = await vatom(['serve', ...db, '--email', 'other@tea.example', '--seed', 'bad.yaml'])
    expect(refused).toMatchObject({ code: 3, err: expect.stringContaining('nothing is served') })
    const emails: string[] = []
    await vatom(['serve', ...db], async ({ publisher }) => void emails.push(publisher.email))
    expect(emails).toEqual(['me@tea.example'])
  })

  test('an empty file is a new database, which documents of --seed that are refused leave empty', async () => {
    const { vatom, file, home } = serving()
    file('bad.yaml', 'template: [')
    file('own.db', '')
    const flags = ['serve', '--db', 'own.db', '--port', '0', '--email', 'me@tea.example']
    expect(await vatom([...flags, '--seed', 'bad.yaml'])).toMatchObject({ code: 3 })
    expect(statSync(join(home, 'own.db')).size).toBe(0)
    const emails: string[] = []
    const { err } = await vatom(flags, async ({ publisher }) => void emails.push(publisher.email))
    expect(emails).toEqual(['me@tea.example'])
    expect(err).toContain(`${join(home, 'own.db')} is a new database\n`)
  })

  test('the data of the local context keeps the address that its publisher was given last', async () => {
    const { vatom } = serving()
    const emails: string[] = []
    for (const flags of [['--email', 'me@tea.example'], []])
      await vatom(['serve', '--port', '0', ...flags], async ({ publisher }) => void emails.push(publisher.email))
    expect(emails).toEqual(['me@tea.example', 'me@tea.example'])
  })

  test('leaves alone what is there, and says so', async () => {
    const { vatom, file } = serving()
    file('all.yaml', [template(), variation(), face(), face(undefined, 'card'), action()].join('---\n'))
    const args = ['serve', '--db', 'own.db', '--port', '0', '--seed', 'all.yaml']
    expect((await vatom(args)).err).toContain('seeded 1 template, 1 variation, 2 faces, 1 action\n')
    file('all.yaml', [template(), variation(), face(), face(undefined, 'engaged'), action()].join('---\n'))
    let found: unknown
    const { code, err } = await vatom(args, async (service) => {
      found = await look(service)
    })
    expect(code).toBe(0)
    expect(err).toContain('seeded 1 face\n')
    expect(err).toContain(
      `left unchanged, because they exist: template ${name}, variation ${name}::Red, action ${name}::Action::Transfer, face ${name} icon, generic, high, native://image\n`,
    )
    expect(found).toMatchObject({ faces: 3, actions: 1 })
  })

  test('publishes what says unpublished: false, template before variation', async () => {
    const { vatom, file } = serving()
    const final = (text: string) => `${text.replace('unpublished: true\n', '')}unpublished: false\n`
    file('a.yaml', final(variation()))
    file('b.yaml', final(template()))
    await vatom(['serve', '--memory', '--port', '0', '--seed', '.'], async (service) => {
      expect(await asked(service, 'GET', `/v1/templates/${name}`)).toMatchObject({ properties: { unpublished: false } })
      expect(await asked(service, 'GET', `/v1/template_variations/${name}::Red`)).toMatchObject({
        properties: { unpublished: false },
      })
    })
  })

  test('belongs to the first publisher', async () => {
    const { vatom, file } = serving()
    file('a.yaml', template())
    let found: unknown
    const flags = ['--publisher', 'acme.example', 'other.example']
    await vatom(['serve', '--memory', '--port', '0', ...flags, '--seed', 'a.yaml'], async (service) => {
      found = await names(service, '/v1/templates')
    })
    expect(found).toEqual(['acme.example::Coupon::v1'])
  })

  test('with an invalid document nothing is opened or served: exit 3', async () => {
    const { vatom, file, opened, programs, home } = serving()
    file('good.yaml', template())
    file('bad.yaml', variation().replace('title:', 'titel:'))
    for (const args of [
      ['serve', '--db', 'own.db'],
      ['serve', '--db', 'own.db', '--', 'x'],
    ]) {
      const { code, out, err } = await vatom([...args.slice(0, 3), '--seed', 'good.yaml', 'bad.yaml', ...args.slice(3)])
      expect({ code, out }).toEqual({ code: 3, out: '' })
      expect(err).toContain('bad.yaml:5:5')
      expect(err).toContain('nothing is served')
    }
    const { code, out } = await vatom(['serve', '--memory', '--json', '--seed', 'good.yaml', 'bad.yaml'])
    expect(code).toBe(3)
    expect(JSON.parse(out)).toMatchObject({
      results: [
        { file: 'good.yaml', kind: 'template', status: 'not_sent' },
        { file: 'bad.yaml', kind: 'variation', status: 'invalid', problems: [{ rule: 'unknown-field', line: 5 }] },
      ],
      error: { code: 'invalid_documents' },
    })
    expect([opened, programs, existsSync(join(home, 'own.db'))]).toEqual([[], [], false])
  })

  test.each([
    ['missing.yaml', 'no such file'],
    ['empty.yaml', 'only comments'],
    ['broken.yaml', 'broken.yaml:1:4'],
    ['none', 'contains no .yaml'],
  ])('%s is told once: exit 3', async (path, message) => {
    const { vatom, file } = serving()
    file('empty.yaml', '# nothing\n')
    file('broken.yaml', 'a: [\n')
    file('none/readme.txt', '')
    const { code, err } = await vatom(['serve', '--memory', '--seed', path])
    expect(code).toBe(3)
    expect(err).toContain(message)
    expect(err.split(message)).toHaveLength(2)
  })

  test.each([
    [['--memory'], {}, 'local.vatom'],
    [['--memory', '--publisher', 'acme.example'], {}, 'acme.example'],
    [['--memory'], { VATOM_PUBLISHER: 'tea.example' }, 'tea.example'],
    [['--memory', '--publisher', 'acme.example'], { VATOM_PUBLISHER: 'tea.example' }, 'acme.example'],
    [[], {}, 'local.vatom'],
  ])(
    'names of another publisher than that of serve %j with %j: the hint says how it is named',
    async (flags, env, fqdn) => {
      const { vatom, file } = serving()
      const harbour = { base_url: 'https://harbour.example', app_id: 'app', publisher: 'harbour.example' }
      file('.config/vatom/config.json', JSON.stringify({ current: 'harbour', contexts: { harbour } }))
      file('a.yaml', template('shop.example::Coupon::v1'))
      const { code, err } = await vatom(['serve', ...flags, '--seed', 'a.yaml'], undefined, env)
      expect(code).toBe(3)
      expect(err).toContain(`must begin with ${fqdn}::`)
      expect(err).toMatch(
        new RegExp(
          `hint: if ${fqdn} is not your publisher domain name: it is that of the service which --seed is for; for another, name it first: vatom serve --publisher NAME\\n$`,
        ),
      )
      expect(err).not.toMatch(/session|harbour|vatom login|VATOM_PUBLISHER/)
    },
  )

  test.each([
    ['in a pipeline', { CI: 'true' }],
    ['where another service is chosen', { VATOM_BASE_URL: 'https://api.example.com', VATOM_APP_ID: 'x' }],
  ])('the address of an asset of a service on this machine is right, also %s', async (_where, env) => {
    const { vatom, file } = serving()
    const asset = (host: string) => `${host}/assets/0b1b1b1b-1111-4111-8111-111111111111/card.png`
    const seed = async (host: string) => {
      file('a.yaml', template().replace('https://example.com/card.png', asset(host)))
      return vatom(['serve', '--seed', 'a.yaml', '--', 'x'], undefined, env)
    }
    const quiet = { code: 0, err: expect.not.stringContaining('private-address') }
    expect(await seed('http://127.0.0.1:4200')).toMatchObject(quiet)
    expect((await seed('http://10.0.0.1')).err).toContain('warning[private-address]')
  })

  test('the documents are held against each other', async () => {
    const { vatom, file } = serving()
    file('a.yaml', template())
    file('f.yaml', face().replace('[CardImage]', '[Missing]'))
    const { code, err } = await vatom(['serve', '--memory', '--seed', 'a.yaml', 'f.yaml'])
    expect(code).toBe(3)
    expect(err).toContain('f.yaml')
    expect(err).toContain('Missing')
  })

  test('what the service refuses is named with its file: exit 1, and nothing is served', async () => {
    const { vatom, file, programs } = serving()
    file('v.yaml', variation())
    const { code, err } = await vatom(['serve', '--seed', 'v.yaml', '--', 'x'])
    expect(code).toBe(1)
    expect(err).toContain(`v.yaml: the variation ${name}::Red was refused: `)
    expect(programs).toEqual([])
  })

  test('the first problem of a refused document is printed once', async () => {
    const { vatom, file } = serving()
    file('a.yaml', template())
    file('f.yaml', face().replace('[CardImage]', '[Missing]'))
    const seed = (path: string) => vatom(['serve', '--db', 'own.db', '--port', '0', '--seed', path])
    expect(await seed('a.yaml')).toMatchObject({ code: 0 })
    const { code, err } = await seed('f.yaml')
    expect(code).toBe(1)
    expect(err.split('Missing')).toHaveLength(2)
  })
})

describe('serve --scenario', () => {
  const status = async (url: string) => (await fetch(`${url}/v1/user`)).status

  test.each([
    ['s.yaml', '- { match: { path: /v1/user }, times: 1, then: { status: 503 } }\n'],
    ['s.json', '[{ "times": 1, "then": { "status": 503 } }]'],
  ])('%s is in force from the first request', async (name, text) => {
    const { vatom, file } = serving()
    file(name, text)
    const seen: number[] = []
    await vatom(['serve', '--memory', '--port', '0', '--scenario', name], async (_, { baseUrl }) => {
      seen.push(await status(baseUrl), await status(baseUrl))
    })
    expect(seen).toEqual([503, 403])
  })

  test('the one of the manual is as it says', async () => {
    const { vatom, file } = serving()
    const [, text = ''] = /<<'YAML'\n(- match: .*?)YAML/s.exec(pageText('src/docs/testing.md')) ?? []
    file('s.yaml', text)
    const seen: number[] = []
    const login = async (url: string) => (await fetch(`${url}/v1/user/login`, { method: 'POST' })).status
    const { code } = await vatom(
      ['serve', '--memory', '--port', '0', '--scenario', 's.yaml'],
      async (_, { baseUrl }) => {
        seen.push(await login(baseUrl), await login(baseUrl), await login(baseUrl), await status(baseUrl))
        await expect(fetch(`${baseUrl}/assets/x`)).rejects.toThrow()
      },
    )
    expect({ code, seen }).toEqual({ code: 0, seen: [503, 503, 403, 403] })
  })

  test.each([
    ['- then: { status: 418 }\n', ['s.yaml:1:19', 'must be one of 400']],
    ['- match: { operaton: login }\n  then: { drop: true }\n', ['s.yaml:1:12', 'did you mean operation?']],
    ['then: { drop: true }\n', ['s.yaml:1:1', 'a list']],
    ['- then: {}\n', ['s.yaml:1:3', 'latency_ms, status, error, payload or drop']],
    ['- then: { latency_ms: 60001 }\n', ['s.yaml:1:23', 'at most 60000']],
  ])('%j exits 3 with its place', async (text, messages) => {
    const { vatom, file, opened } = serving()
    file('s.yaml', text)
    const { code, err } = await vatom(['serve', '--memory', '--scenario', 's.yaml'])
    expect(code).toBe(3)
    for (const message of messages) expect(err).toContain(message)
    expect(err).not.toContain('--fix')
    expect(opened).toEqual([])
  })
})

describe('a service in memory', () => {
  /** What the ready line of a service says, and what a request with its token is answered while it runs. */
  async function ready(flags: readonly string[], env: Host['env'] = {}) {
    let status: number | undefined
    const { vatom } = serving()
    const { code, out } = await vatom(
      ['serve', '--port', '0', '--json', ...flags],
      async (_service, { baseUrl }) => {
        status = (await fetch(`${baseUrl}/__vatom/reset`, { method: 'POST' })).status
      },
      env,
    )
    expect(code).toBe(0)
    return { status, ...JSON.parse(out) }
  }

  test('can be reset, and its ready line has tokens of the publisher', async () => {
    const { status, refresh_token, access_token } = await ready(['--memory'])
    expect(status).toBe(200)
    for (const token of [refresh_token, access_token]) expect(token).toMatch(/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/)
  })

  test('does not start with an empty password', async () => {
    const { vatom } = serving()
    const started = vi.fn()
    expect(await vatom(['serve', '--memory', '--port', '0'], started, { VATOM_SERVE_PASSWORD: '' })).toMatchObject({
      code: 2,
      err: expect.stringContaining('VATOM_SERVE_PASSWORD is set, but empty'),
    })
    expect(started).not.toHaveBeenCalled()
  })

  test('has none in its ready line where a password was set, nor has one with a database', async () => {
    expect(await ready(['--memory'], { VATOM_SERVE_PASSWORD: 'tea' })).not.toHaveProperty('refresh_token')
    const stored = await ready(['--db', 'a.db'])
    expect(stored).not.toHaveProperty('refresh_token')
    expect(stored.status).toBe(403)
  })

  test('makes the same ids with the same --random-seed, which others do not take', async () => {
    const idWith = async (seed: string) => {
      let id: unknown
      await serving().vatom(['serve', '--port', '0', '--memory', '--random-seed', seed], async (service) => {
        id = Object(await asked(service, 'GET', '/v1/user')).id
      })
      return id
    }
    expect(await idWith('one')).toBe(await idWith('one'))
    expect(await idWith('two')).not.toBe(await idWith('one'))
    expect(await serving().vatom(['serve', '--db', 'a.db', '--random-seed', 'one'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--random-seed is for services in memory'),
    })
  })
})

test('the rules that the help shows as JSON are those that PUT /__vatom/scenario takes', async () => {
  const { vatom } = serving()
  const help = (await vatom(['serve', '--help'])).out
  const [json = ''] = help.match(/^ {2}\[.*\]$/m) ?? []
  const [yaml = ''] = help.match(/^ {2}- \{.*\}$/m) ?? []
  const statuses: number[] = []
  await vatom(['serve', '--memory', '--port', '0'], async (_service, { baseUrl }) => {
    for (const body of [json, yaml])
      statuses.push((await fetch(`${baseUrl}/__vatom/scenario`, { method: 'PUT', body })).status)
  })
  expect(statuses).toEqual([200, 400])
})

describe('the data of the local context', () => {
  test('have the publisher of that context, unless another is named', async () => {
    const { vatom } = serving()
    const found: string[] = []
    const look = async ({ publisher }: Service) => void found.push(publisher.fqdn)
    await vatom(['serve', '--port', '0', '--publisher', 'tea.example'], look)
    await vatom(['serve', '--port', '0'], look)
    expect(found).toEqual(['tea.example', 'local.vatom'])
    expect(JSON.parse((await vatom(['whoami', '--json'])).out)).toMatchObject({
      system_properties: { pub_fqdn: 'local.vatom' },
    })
  })

  test('are served, with a note, where other commands cannot be told where', async () => {
    const { vatom, file } = serving()
    file('.local/share/vatom/serving', 'no folder')
    file('.config/vatom', 'no folder')
    const look = vi.fn(async (service: Service) => Object(await asked(service, 'GET', '/v1/user')).system_properties)
    const { code, err } = await vatom(['serve', '--port', '0', '--publisher', 'tea.example'], look)
    expect(err).toMatch(
      /^.*vatom\/serving\/\d+\.json cannot be written: E.*; other commands find this service only with --base-url http:\/\/127\.0\.0\.1:\d+ --app-id local$/m,
    )
    expect(code).toBe(0)
    expect(await look.mock.results[0]?.value).toMatchObject({ pub_fqdn: 'tea.example' })
  })
})
