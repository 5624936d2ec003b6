import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { at } from '../../../src/contract/schema/path.ts'
import { openSqlite } from '../../../src/server/store/database/sqlite.ts'
import { action, face, red, template, variation } from '../../fixtures/yaml.ts'
import { facing, served, transports, type WatchedDesk, watchedDesk } from '../../support/desks.ts'
import {
  answers,
  apart,
  everyLeaf,
  final,
  name,
  others,
  second,
  stockOfEverything,
  takesYes,
  writes,
} from '../../support/every-command.ts'
import { newFolder } from '../../support/folders.ts'
import { outbox } from '../../support/service.ts'
import { publisher } from '../../support/vatom.ts'

const stocked = stockOfEverything()

/** Everything that a service holds and a command could change. */
async function records({ service }: WatchedDesk): Promise<unknown> {
  const headers = { 'app-id': service.appId, authorization: `Bearer ${service.localToken()}` }
  const read = async (path: string, body?: string): Promise<unknown> => {
    const answer = await service.inject({ method: body ? 'POST' : 'GET', path, headers, ...(body && { body }) })
    return JSON.parse(answer.body).payload
  }
  const fields = 'fields=name,public,meta,properties'
  const templates = (await read(`/v1/templates?${fields}`)) as { name: string }[]
  const ofTemplates = templates.flatMap(({ name: one }) =>
    ['face', 'action'].map((noun) => read(`/v1/publisher/${noun}?template=${one}`)),
  )
  return Promise.all([
    templates,
    read(`/v1/template_variations?${fields}`),
    ...ofTemplates,
    read('/v1/publisher/action_handler'),
    read('/v1/publisher/asset'),
    read('/v1/user'),
    read('/v1/user/tokens'),
    read('/v1/activity/mythreads', '{}'),
    outbox(service),
    read('/v1/vatom/discover', '{}'),
  ])
}

/** Every file of a home but those that are kept for the tool itself. */
function files(home: string): Record<string, string> {
  const names = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter(
    (file) => !/^\.(config|cache)/.test(file),
  )
  const paths = names.map((file) => join(home, file)).filter((path) => statSync(path).isFile())
  return Object.fromEntries(paths.map((path) => [relative(home, path), readFileSync(path, 'latin1')]))
}

const stateOf = async (desk: WatchedDesk) => ({ records: await records(desk), files: files(desk.home) })

const stdin = 'a-new-password\n'

describe.each(transports)('on the %s transport', (transport) => {
  const here = Object.entries(writes).filter(([, { localOnly }]) => !localOnly || transport === 'local')

  test.each(here)('%s --dry-run writes nothing, asks nothing, and says what it would do', async (command, write) => {
    const desk = await stocked(transport)
    const { words, says, would } = write
    const given = [...command.split(' '), ...(typeof words === 'function' ? await words(desk) : words)]
    const before = await stateOf(desk)
    desk.changes()

    const text = await desk.run([...given, '--dry-run'], { stdin })
    expect({
      code: text.code,
      out: text.out.replaceAll(/(on|to) (local|\S+ \(http:\S+\))(?=[\n:,])/g, '$1 PLACE'),
    }).toEqual({
      code: 0,
      out: expect.stringContaining(says),
    })
    const asked = await desk.run([...given, '--dry-run'], { stdin, tty: true, columns: 200 })
    expect({ code: asked.code, err: asked.err }).toEqual({ code: 0, err: expect.not.stringMatching(/\?[^\d]/) })
    const json = await desk.run([...given, '--dry-run', '--json'], { stdin })
    const result: unknown = JSON.parse(json.out)
    expect({ code: json.code, result }).toMatchObject({ code: 0, result: { dry_run: true } })
    if (would !== undefined) expect(at(result, 'results', 0) ?? result).toMatchObject({ would })
    if (at(result, 'results') !== undefined)
      expect(result).toMatchObject({
        results: expect.not.arrayContaining([expect.not.objectContaining({ status: would ?? 'unchanged' })]),
        summary: { failed: 0 },
      })

    const reads = ['POST /v1/vatom/discover', 'POST /v1/user/vatom/get', 'POST /v1/user/vatom/inventory']
    expect(desk.changes().filter((request) => !reads.includes(request))).toEqual([])
    expect(await stateOf(desk)).toEqual(before)

    const sure = [...(answers[command] ?? []), ...(takesYes.test(command) ? ['--yes'] : [])]
    expect(await desk.run([...given, ...sure], { stdin })).toMatchObject({ code: 0 })
    expect(await stateOf(desk)).not.toEqual(before)
  })

  test.each([
    [['template', 'create', 'stock/coupon.yaml']],
    [['variation', 'create', 'stock/red.yaml']],
    [['variation', 'create', 'lost.yaml']],
    [['variation', 'create', 'early.yaml', '--confirm', `${name}::Early`]],
    [['variation', 'create', 'over.yaml']],
    [['template', 'update', 'new.yaml']],
    [['template', 'update', 'changed/final.yaml']],
    [['template', 'publish', final, '--confirm', final]],
    [['variation', 'publish', red, '--confirm', red]],
    [['template', 'delete', final, '--yes']],
    [['template', 'delete', 'local.vatom::Coupon::v7', 'local.vatom::Spare::v1', '--yes']],
    [['variation', 'delete', `${red}der`, '--yes']],
    [['face', 'register', 'lost-face.yaml']],
    [['face', 'register', 'bare-face.yaml']],
    [['face', 'delete', '00000000-0000-4000-8000-000000000000', '--yes']],
    [['face', 'update', '00000000-0000-4000-8000-000000000000', '--gps']],
    [['action', 'register', 'stock/drop.yaml']],
    [['action', 'register', 'lost-action.yaml']],
    [['action', 'update', `${name}::Action::None`, '--wait']],
    [['action', 'delete', `${name}::Action::None`, '--yes']],
    [['action', 'handler', 'register', '--reactor', 'acme://stamp', '--url', 'https://acme.example']],
    [['action', 'handler', 'delete', 'acme://none', '--yes']],
    [['asset', 'delete', '00000000-0000-4000-8000-000000000000', '--yes']],
    [['emit', `${name}::None`]],
    [['emit', red, '--num', '11']],
    [['profile', 'set', '--language', 'zz']],
    [['user', 'register', '--email', second]],
    [['user', 'reset-password', 'nobody@example.com', '--yes']],
    [['user', 'delete', '--confirm', 'publisher@local.vatom']],
    [['user', 'token', 'add', second]],
    [['user', 'token', 'default', 'nobody@example.com']],
    [['user', 'token', 'delete', 'publisher@local.vatom', '--yes']],
    [['user', 'token', 'resend', 'publisher@local.vatom']],
    [['thread', 'send', 'nobody', 'Hello']],
    [['template', 'create', 'broken.yaml']],
  ])('%j is refused as it would be', async (words) => {
    const desk = await stocked(transport)
    desk.file('lost.yaml', variation('$publisher::None::v1::Red', '$publisher::None::v1'))
    desk.file('early.yaml', variation(`${name}::Early`, name, 'unpublished: false\n'))
    desk.file('over.yaml', variation(`${name}::Over`).replace('color', 'colour'))
    desk.file('changed/final.yaml', template('$publisher::Final::v1').replace('blue', 'green'))
    desk.file('lost-face.yaml', face('$publisher::None::v1'))
    desk.file('bare-face.yaml', face().replace('[CardImage]', '[NoImage]'))
    desk.file('lost-action.yaml', action('Drop').replace('Coupon', 'None'))
    desk.file('broken.yaml', 'template: [\n')
    desk.changes()
    const dry = await desk.run([...words, '--dry-run', '--json'])
    expect(desk.changes()).toEqual([])
    const real = await desk.run([...words, '--json'])
    expect(real.code).not.toBe(0)
    const errorOf = ({ out }: typeof real) => {
      const { code, hint } = JSON.parse(out).error as { code: string; hint: string }
      return { code, hint }
    }
    expect({ code: dry.code, error: errorOf(dry) }).toEqual({ code: real.code, error: errorOf(real) })
  })
})

/** Fields of a template with a contract on mainnet. */
const mainnet = 'eth:\n  network: mainnet\n  fields: { serial: { type: uint, value: 7 } }\n'

test('shows the body that would be sent, with no secret in it', async () => {
  const { run } = await publisher()
  const { out } = await run(['profile', 'set', '--first-name', 'Ada', '--password-stdin', '--dry-run', '--json'], {
    stdin,
  })
  expect(JSON.parse(out)).toMatchObject({
    request: { method: 'PATCH', path: '/v1/user', body: { first_name: 'Ada', password: '(hidden)' } },
  })
  expect(out).not.toContain('a-new-password')
})

test('shows in an answer whether there is a password', async () => {
  const { vatom } = await publisher()
  const { out } = await vatom('api', 'PATCH', 'v1/user', '-f', 'first_name=Ada', '--dry-run', '--json')
  expect(JSON.parse(out)).toMatchObject({ answer: { properties: { is_password_set: true } } })
})

/** The request that `vatom api … --dry-run` would send to a service without dry runs, and all that it printed. */
async function unsent(args: readonly string[], body?: string) {
  const asked: string[] = []
  const { run, env } = await facing(({ method }, response) => {
    asked.push(method ?? '')
    response.end('{"payload":{}}')
  })
  onTestFinished(() => expect(asked).not.toContainEqual(expect.not.stringMatching('GET')))
  const given = ['api', ...args, '--dry-run']
  const options = { env, ...(body !== undefined && { stdin: body }) }
  const { code, out, err } = await run([...given, '--json'], options)
  const text = await run(given, options)
  expect({ code, text: text.code }).toEqual({ code: 0, text: 0 })
  return { request: JSON.parse(out).request, printed: [out, err, text.out, text.err].join('\n') }
}

describe('api --dry-run', () => {
  test.each([
    'password',
    'new_password',
    'newPassword',
    'auth_data.password',
    'auth_data[code]',
    'authData',
    'passphrase',
    'token',
    'refresh_token',
    'access_token',
    'accessToken',
    'push_tokens',
    'client_secret',
    'pin',
    'user_pin',
    'otp',
    'code',
    'verify_code',
    'verifyCode',
    'PASSWORD',
    'authdata',
    'data[token]',
    'data[pin]',
    'data[code]',
    'data.code',
    'userPin',
    ...['pin', 'verification', 'auth', 'authorization', 'access', 'login', 'reset'].map((which) => `${which}_code`),
    'verifycode',
  ])('hides %s, in a body and in a query', async (key) => {
    const field = ['-f', `${key}=hush`, '-f', 'first_name=Ada']
    const sent = await unsent(['POST', 'v1/user', ...field])
    expect(sent.request).toEqual({ method: 'POST', path: '/v1/user', body: { [key]: '(hidden)', first_name: 'Ada' } })
    const queried = await unsent(['DELETE', 'v1/user?a=b', ...field])
    expect(queried.request).toEqual({
      method: 'DELETE',
      path: `/v1/user?a=b&${encodeURIComponent(key)}=(hidden)&first_name=Ada`,
    })
    const nested = await unsent(
      ['PATCH', 'v1/user', '--input', '-'],
      `[{"in": {"${key}": ["hush"]}, "first_name": "Ada"}]`,
    )
    expect(nested.request.body).toEqual([{ in: { [key]: '(hidden)' }, first_name: 'Ada' }])
    for (const { printed } of [sent, queried, nested]) expect(printed).not.toContain('hush')
  })

  test('hides what a path has, however its key is written', async () => {
    const { request, printed } = await unsent(['POST', 'v1/user?%zz=1&p%61ssword=hush&x=2'])
    expect(request.path).toBe('/v1/user?%zz=1&p%61ssword=(hidden)&x=2')
    expect(printed).not.toContain('hush')
  })

  test.each(['token_type', 'country_code', 'zipCode', 'pinned', 'spin', 'barcode', 'first_name'])(
    'shows %s',
    async (key) => {
      const { request } = await unsent(['POST', 'v1/user', '-f', `${key}=seen`])
      expect(request.body).toEqual({ [key]: 'seen' })
    },
  )

  test.each([
    ['a form', 'first_name=Ada&password=hush', '28 B'],
    ['broken JSON', '{"password": "hush"', '19 B'],
    ['a JSON text', '"password=hush"', '15 B'],
    ['two documents', '{"a": 1}\n{"password": "hush"}', '29 B'],
    ['what is too deep', `${'['.repeat(100_000)}"hush"${']'.repeat(100_000)}`, '195.3 KiB'],
  ])('says of %s only how much it is', async (_, body, size) => {
    const { request, printed } = await unsent(['POST', 'v1/user', '--input', '-'], body)
    expect(request.body).toBe(`(${size}, not a JSON object or array)`)
    expect(printed).not.toContain('hush')
  })
})

test('tells what the service would answer, one request after the other, and the file of a catalog as a whole', async () => {
  const { file, json, run } = await publisher()
  file('coupon.yaml', template())
  file('red.yaml', variation())
  const created = await json('template', 'create', 'coupon.yaml', '--dry-run')
  expect(at(created, 'results', 0)).toMatchObject({
    would: 'created',
    request: { method: 'POST' },
    answer: { success_message: `Template ${name} created.` },
  })
  expect(await run(['variation', 'create', 'red.yaml', '--dry-run'])).toMatchObject({ code: 1 })
  expect(await json('apply', '.', '--dry-run')).toMatchObject({ results: [{ would: 'created' }, { would: 'created' }] })
  await json('template', 'create', 'coupon.yaml')
  await json('variation', 'create', 'red.yaml')
  expect(await json('emit', red, '--num', '2', '--dry-run')).toMatchObject({ answer: { num_created: 2 } })
  expect(await json('inventory')).toMatchObject({ vatoms: [] })
  expect(
    await json('api', 'POST', 'v1/vatoms', '-f', `template_variation=${red}`, '-F', 'num=1', '--dry-run'),
  ).toMatchObject({ answer: { num_created: 1 } })
  expect(
    await run(['api', 'POST', 'v1/vatoms', '-f', `template_variation=${red}x`, '-F', 'num=1', '--dry-run']),
  ).toMatchObject({ code: 1, out: expect.stringContaining('9006') })
})

test('a document that depends on one before it is predicted with that, whatever the order of the requests', async () => {
  const { file, run } = await publisher()
  file('coupon.yaml', `${face()}---\n${template()}`)
  const predicted = await run(['apply', 'coupon.yaml', '--dry-run', '--json'])
  expect(JSON.parse(predicted.out)).toMatchObject({ results: [{ would: 'created' }, { would: 'created' }] })
  expect(await run(['template', 'list', '--json'])).toMatchObject({ out: '[]\n' })
})

test('charges that the balance does not cover are refused by a dry run, too', async () => {
  const { file, run } = await publisher({ service: { balance: 200 } })
  for (const one of ['A', 'B']) file(`${one}.yaml`, template(`$publisher::${one}::v1`, mainnet))
  const words = ['template', 'create', 'A.yaml', 'B.yaml', '--accept-charges', '--json']
  const dry = JSON.parse((await run([...words, '--dry-run'])).out)
  const real = JSON.parse((await run(words)).out)
  expect(dry).toMatchObject({ results: [{ would: 'created' }, { status: 'refused' }] })
  expect(real).toMatchObject({ results: [{ status: 'created' }, { status: 'refused' }] })
  expect(dry.results[1].message).toBe(real.results[1].message)
})

describe('of many documents', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => template(`$publisher::T${index}::v1`)).join('---\n')

  test('predicts the answer to each', async () => {
    const { file, run } = await publisher()
    file('many.yaml', many(330))
    const created = await run(['template', 'create', 'many.yaml', '--dry-run', '--json'])
    const { results, summary } = JSON.parse(created.out)
    expect({ code: created.code, summary }).toMatchObject({ code: 0, summary: { ok: 330, failed: 0 } })
    expect(results.filter((row: object) => at(row, 'answer') === undefined)).toEqual([])
    const applied = await run(['apply', 'many.yaml', '--dry-run', '--json'])
    const plan = JSON.parse(applied.out)
    expect(applied.code).toBe(0)
    expect(new Set(plan.results.map((row: object) => at(row, 'action')))).toEqual(new Set(['create']))
    expect(await run(['template', 'list', '--json'])).toMatchObject({ out: '[]\n' })
  }, 60_000)

  test('shows without answer what the service cannot predict', async () => {
    const db = join(newFolder(), 'large.db')
    const { file, run } = await publisher({ service: { db } })
    const sqlite = await openSqlite(db)
    sqlite.exec(`CREATE TABLE filler AS SELECT zeroblob(${limits.dryRunCopy}) AS bytes`)
    sqlite.close()
    const predicted = limits.dryRunRepeated + 1
    file('many.yaml', many(predicted + 9))
    const { code, out, err } = await run(['template', 'create', 'many.yaml', '--dry-run', '--json'])
    const { results } = JSON.parse(out)
    expect(code).toBe(0)
    expect(results.map((row: object) => at(row, 'would'))).toEqual(results.map(() => 'created'))
    expect(results.filter((row: object) => at(row, 'answer') !== undefined)).toHaveLength(predicted)
    const large = 'the database has more than 32 MiB, and is not copied for a longer dry run'
    expect(err.match(/predicts no more than 9 answers/g)).toHaveLength(1)
    expect(err).toContain(`the other requests are shown without answer: `)
    expect(err).toContain(`9 answers at once (${large}); to have all checked, name files`)
    const applied = await run(['apply', 'many.yaml', '--dry-run'])
    expect(applied).toMatchObject({ code: 0, err: expect.stringContaining('predicts no more than 9 answers') })
    const says = new RegExp(
      `^warning: the service does not check the rest of the plan: if it refuses a document of that, others are sent all the same; .* predicts no more than 9 changes at once \\(${large}\\); to have all checked, name files or folders with fewer changes$`,
      'm',
    )
    const plan = await run(['plan', 'many.yaml', '--json', '--out', 'many.plan'])
    expect(JSON.parse(plan.out)).toMatchObject({ checked: 9, unchecked: expect.stringContaining('no more than 9') })
    expect(plan).toMatchObject({ code: 0, err: expect.stringMatching(says) })
    for (const words of [
      ['plan', 'many.yaml'],
      ['plan', 'show', 'many.plan'],
      ['apply', 'many.yaml', '--yes'],
    ]) {
      const { code, err } = await run(words)
      expect({ words, code, err }).toEqual({ words, code: 0, err: expect.stringMatching(says) })
      expect(err).not.toContain('charges and publishing')
    }
    file('mainnet.yaml', `${many(10).replaceAll('::T', '::M')}---\n${template('$publisher::Chain::v1', mainnet)}`)
    expect((await run(['plan', 'mainnet.yaml'])).err).toContain('sent all the same, charges and publishing included; ')
    file('few.yaml', many(9).replaceAll('::T', '::F'))
    expect((await run(['plan', 'few.yaml'])).err).not.toContain('does not check')
  })
})

test.each([
  ['DELETE', 'v1/template/x', 'it is no operation of the API'],
  ['POST', 'v1/publisher/asset', 'it uploads files'],
])('api %s %s --dry-run says that the answer cannot be predicted', async (method, path, reason) => {
  const { vatom } = await publisher()
  expect(await vatom('api', method, path, '--dry-run')).toMatchObject({
    code: 0,
    out: `Would send ${method} /${path} to local\n`,
    err: expect.stringContaining(`the answer to ${method} /${path} cannot be predicted: ${reason}`),
  })
})

describe('against a service that is another', () => {
  test('sends no write to one that offers no dry runs, and says that it predicts nothing', async () => {
    const asked: string[] = []
    const { file, run, env } = await facing(({ method, url }, response) => {
      asked.push(`${method} ${url}`)
      response.setHeader('content-type', 'application/json').end('{"payload":{}}')
    })
    file('coupon.yaml', template(name))
    const { code, out, err } = await run(['emit', red, '--num', '2', '--dry-run'], { env })
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('Would emit 2 vAtoms') })
    expect(err.match(/does not support dry runs/g)).toHaveLength(1)
    expect(asked.filter((request) => !request.startsWith('GET'))).toEqual([])
  })

  test('fails where a request that was to be a dry run is not answered as one', async () => {
    const { run, env } = await facing(async (request, response) => {
      const isChange = Buffer.concat(await request.toArray()).length > '[]'.length
      if (!isChange) response.setHeader('vatom-dry-run', 'true')
      response
        .setHeader('content-type', 'application/json')
        .end('{"payload":{"num_created":1,"num_errors":0,"ids":[]}}')
    })
    const { code, err } = await run(['emit', red, '--num', '1', '--dry-run'], { env })
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('was sent as a dry run') })
  })
})

test('counts the chain writes, and takes the charges for accepted', async () => {
  const { file, vatom } = await publisher()
  file('chain.yaml', template(undefined, mainnet))
  expect(await vatom('template', 'create', 'chain.yaml', '--dry-run')).toMatchObject({
    code: 0,
    err: expect.stringContaining('2 chain writes (1 contract, 1 field) will be charged'),
  })
})

test('api --dry-run sends what only reads', async () => {
  const { json, vatom } = await publisher()
  expect(await json('api', 'POST', 'v1/vatom/discover', '-F', 'limit=1', '--dry-run')).toMatchObject({
    payload: { results: [] },
  })
  expect(await vatom('api', 'GET', 'v1/user', '--dry-run')).toMatchObject({
    code: 0,
    out: expect.stringContaining('"payload"'),
  })
})

describe('validate --fix --dry-run', () => {
  test('says what it would fix, and what is left', async () => {
    const { file, vatom, home } = await publisher()
    const before = template().replace('title:', 'titel:')
    file('coupon.yaml', before)
    const { code, out, err } = await vatom('template', 'validate', 'coupon.yaml', '--fix', '--dry-run', '--json')
    expect({ code, ...JSON.parse(out) }).toMatchObject({
      code: 0,
      dry_run: true,
      results: [{ status: 'valid', message: 'would be valid' }],
      fixed: [{ rule: 'unknown-field', before: 'titel', after: 'title' }],
    })
    expect(err).toContain('would fix[unknown-field] coupon.yaml:6:5: titel -> title')
    expect(readFileSync(join(home, 'coupon.yaml'), 'utf8')).toBe(before)
    file('tea.yaml', template('local.vatom::Tea::v1'))
    const said = await vatom('template', 'validate', 'coupon.yaml', 'tea.yaml', '--fix', '--dry-run')
    expect(said.out).toMatch(/^would be valid template \S+ \(coupon\.yaml\)\nvalid template \S+ \(tea\.yaml\)\n$/)
    expect(said.err).toMatch(/^would be valid: 1 template; valid: 1 template$/m)
    const without = await vatom('template', 'validate', 'tea.yaml', '--fix', '--dry-run')
    expect(without.out).toMatch(/^valid template/)
    file('bad.yaml', `${before}cloneable: 3\n`)
    expect(await vatom('template', 'validate', 'bad.yaml', '--fix', '--dry-run')).toMatchObject({ code: 3 })
    const piped = await vatom('template', 'validate', '-', '--fix', '--dry-run')
    expect(piped.code).toBe(3)
    const fixed = await vatom('template', 'validate', 'coupon.yaml', 'tea.yaml', '--fix')
    expect(fixed.out + fixed.err).not.toContain('would')
    expect(fixed.err).toMatch(/^valid: 2 templates$/m)
  })

  test('wants --fix', async () => {
    const { file, vatom } = await publisher()
    file('coupon.yaml', template())
    expect(await vatom('template', 'validate', 'coupon.yaml', '--dry-run')).toMatchObject({ code: 2 })
  })
})

test('init --dry-run refuses what is there', async () => {
  const { file, vatom } = await publisher()
  file('shop/shop.yaml', 'mine')
  expect(await vatom('init', 'shop', '--dry-run')).toMatchObject({
    code: 1,
    err: expect.stringContaining('exists already'),
  })
})

test('pull --dry-run shows what it would change', async () => {
  const { file, vatom, json, home } = await publisher()
  file('c/coupon.yaml', template())
  await json('template', 'create', 'c')
  file('c/coupon.yaml', template().replace('blue', 'green'))
  expect(await vatom('pull', 'c', '--dry-run')).toMatchObject({
    code: 0,
    out: `Would change template ${name} (c/coupon.yaml)\n`,
    err: expect.stringContaining('vatom.private.color: "green" -> "blue"'),
  })
  const { code, out } = await vatom('pull', 'c', '--diff')
  expect(code).toBe(0)
  expect(out).toMatch(
    /^--- a\/c\/coupon\.yaml\n\+\+\+ b\/c\/coupon\.yaml\n@@ .*\n- {4}color: green\n\+ {4}color: blue\n$/s,
  )
  expect(readFileSync(join(home, 'c/coupon.yaml'), 'utf8')).toContain('green')
})

test('pull --diff shows only the lines that change of a file from Windows, as a patch that has its line ends', async () => {
  const { file, vatom, json, home } = await publisher()
  const windows = (color: string) => `# a\ttab\n${template()}`.replace('blue', color).replaceAll('\n', '\r\n')
  file('c/coupon.yaml', windows('blue'))
  await json('template', 'create', 'c')
  file('c/coupon.yaml', windows('green'))
  const { out } = await vatom('pull', 'c', '--diff')
  expect(out.split('\n').filter((line) => /^[-+]/.test(line))).toEqual([
    '--- a/c/coupon.yaml',
    '+++ b/c/coupon.yaml',
    '-    color: green\r',
    '+    color: blue\r',
  ])
  await json('pull', 'c', '--yes')
  expect(readFileSync(join(home, 'c/coupon.yaml'), 'utf8')).toBe(windows('blue'))
})

test('logout --dry-run ends no session and forgets no token', async () => {
  const { run, vatom, changes, home } = await watchedDesk('network')
  const credentials = () => readFileSync(join(home, '.config/vatom/credentials.json'), 'utf8')
  const before = credentials()
  const { code, out } = await vatom('logout', '--dry-run')
  expect({ code, out }).toEqual({
    code: 0,
    out: expect.stringMatching(/^Would sign out of \S+ \(http:\/\/127\.0\.0\.1:\d+\)\n$/),
  })
  const json = await run(['logout', '--dry-run', '--json'])
  expect(JSON.parse(json.out)).toMatchObject({
    dry_run: true,
    would: 'deleted',
    request: { method: 'POST', path: '/v1/user/logout' },
  })
  expect(changes()).toEqual([])
  expect(credentials()).toBe(before)
  expect(await vatom('whoami')).toMatchObject({ code: 0 })
  expect(await vatom('logout')).toMatchObject({ code: 0 })
  expect(changes()).toEqual(['POST /v1/user/logout'])
  expect(await vatom('whoami')).toMatchObject({ code: 4 })
})

test.each(['ended', 'not reached'])('logout --dry-run forgets no token where the session is %s', async (what) => {
  let now = new Date('2026-03-01T12:00:00Z')
  const { login, vatom, home, service } = await served(() => now)
  await login(['--context', 'staging'])
  if (what === 'ended') now = new Date('2026-05-01T12:00:00Z')
  else await service.close()
  const tokens = () => JSON.parse(readFileSync(join(home, '.config/vatom/credentials.json'), 'utf8')).staging
  const { refresh_token } = tokens()
  expect(await vatom('logout', '--dry-run')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Would sign out of staging \(http\S+\)\n$/),
    err: expect.not.stringContaining('removed'),
  })
  expect(tokens()).toMatchObject({ refresh_token })
})

test('logout --dry-run is refused as it would be', async () => {
  const { run, vatom, env } = await facing((_, response) => response.end('{}'))
  expect(await vatom('logout', '--dry-run')).toMatchObject({ code: 2, out: '' })
  expect(await run(['logout', '--dry-run'], { env })).toMatchObject({ code: 2, out: '' })
})

test.each([
  'template list',
  'whoami',
  'discover',
  'doctor',
  'login',
  'context add x',
  'context use local',
  'context remove x',
])('%s, which writes to no service and into no file of yours, has no --dry-run', async (command) => {
  const { vatom } = await publisher()
  expect(await vatom(...command.split(' '), '--dry-run')).toMatchObject({ code: 2 })
})

test('every command either writes, and is tried here, or is known not to', async () => {
  const leaves = await everyLeaf()
  const able = leaves.filter(({ command }) => command.options.some(({ long }) => long === '--dry-run'))
  const words = able.map((leaf) => leaf.words).filter((one) => !one.endsWith('validate'))
  expect(words.sort()).toEqual([...Object.keys(writes), ...apart].sort())
  expect(leaves.map((leaf) => leaf.words).sort()).toEqual([...Object.keys(writes), ...apart, ...others].sort())
})
