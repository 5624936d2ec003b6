import { describe, expect, test } from 'vitest'
import { template } from '../../fixtures/yaml.ts'
import { facing, transports, watchedDesk } from '../../support/desks.ts'
import { lossy } from '../../support/lossy.ts'
import { publisher } from '../../support/vatom.ts'

test('validate takes the publisher from the environment', async () => {
  const { run } = await publisher()
  const env = { VATOM_PUBLISHER: 'acme.com' }
  expect(await run(['template', 'validate', '-'], { stdin: template('acme.com::A::v1'), env })).toMatchObject({
    code: 0,
  })
  expect(await run(['template', 'validate', '-'], { stdin: template('local.vatom::A::v1'), env })).toMatchObject({
    code: 3,
  })
})

test('a publisher with capitals, as a service names it and init writes it into a workflow, is one', async () => {
  const { run } = await publisher()
  const env = { VATOM_PUBLISHER: 'Local.Vatom' }
  expect(await run(['template', 'validate', '-'], { stdin: template('$publisher::A::v1'), env })).toMatchObject({
    code: 0,
  })
})

test('the publisher of the session in capitals is that publisher for validate, plan and apply', async () => {
  for (const transport of transports) {
    const { run, file, json } = await watchedDesk(transport)
    file('catalog/a.yaml', template('$publisher::A::v1'))
    const env = { VATOM_PUBLISHER: 'LOCAL.Vatom' }
    for (const words of [
      ['validate', 'catalog'],
      ['plan', 'catalog', '--out', 'a.plan'],
      ['apply', 'a.plan'],
    ])
      expect({ words, ...(await run(words, { env })) }).toMatchObject({ words, code: 0 })
    expect(await json('template', 'list')).toMatchObject([{ name: 'local.vatom::A::v1' }])
  }
})

const others = { VATOM_PUBLISHER: 'acme.com' }

test('a session of another publisher than the variable names is refused before anything is sent; validate needs no session', async () => {
  for (const transport of transports) {
    const { run, file, changes } = await watchedDesk(transport)
    file('catalog/a.yaml', template('$publisher::A::v1'))
    const variants = [
      ['plan', 'catalog'],
      ['apply', 'catalog', '--yes'],
      ['template', 'create', 'catalog/a.yaml'],
      ['emit', '$publisher::A::v1::First'],
      ['pull', 'elsewhere'],
      ['emit', 'A'],
      ['asset', 'upload', 'catalog/a.yaml'],
      ['asset', 'delete', 'b0b', '--yes'],
      ['template', 'publish', 'local.vatom::A::v1', '--confirm', 'local.vatom::A::v1'],
      ...['template', 'variation', 'action'].map((kind) => [kind, 'delete', 'local.vatom::A::v1', '--yes']),
    ]
    for (const words of variants) {
      const { code, out, err } = await run(words, { env: others })
      expect({ words, code, out }).toEqual({ words, code: 2, out: '' })
      expect(err).toContain('VATOM_PUBLISHER is acme.com, and the session is of the publisher local.vatom')
      expect(err).toContain('env -u VATOM_PUBLISHER vatom …')
      expect(err).not.toMatch(/0 created|unexpected/i)
    }
    expect(changes()).toEqual([])
    expect(await run(['validate', 'catalog'], { env: others })).toMatchObject({ code: 0 })
  }
})

test('in a pipeline where no service is chosen, that is said, and not that the publisher is another one', async () => {
  const { run, file } = await publisher()
  file('catalog/a.yaml', template('$publisher::A::v1'))
  for (const words of [
    ['plan', 'catalog'],
    ['apply', 'catalog', '--yes'],
    ['emit', '$publisher::A::v1::First'],
  ]) {
    const { code, err } = await run(words, { env: { ...others, CI: 'true' } })
    expect({ words, code, err }).toEqual({ words, code: 2, err: expect.stringContaining('No service is chosen') })
    expect(err).not.toContain('VATOM_PUBLISHER is')
  }
})

test.each(['validate', 'plan', 'apply'])(
  '%s refuses what is no domain name, as of a variable that does not exist',
  async (word) => {
    const { run, file, changes } = await watchedDesk('network')
    file('catalog/a.yaml', template('$publisher::A::v1'))
    for (const [given, told] of [
      ['', 'VATOM_PUBLISHER is set, but empty'],
      ['bad name', 'VATOM_PUBLISHER is bad name, and no domain name'],
      ['\u212Aelvin.example', 'VATOM_PUBLISHER is \u212Aelvin.example, and no domain name'],
    ] as const) {
      const { code, out, err } = await run([word, 'catalog'], { env: { VATOM_PUBLISHER: given } })
      expect({ code, out }).toEqual({ code: 2, out: '' })
      expect(err).toContain(told)
    }
    expect(changes()).toEqual([])
  },
)

test('in a pipeline, nobody is asked to remove the variable that keeps a catalog from another publisher', async () => {
  const { service, run, file } = await publisher({ transport: 'network' })
  file('catalog/a.yaml', template('$publisher::A::v1'))
  const { env } = await lossy(service, () => 'answered')
  const { code, err } = await run(['plan', 'catalog'], { env: { ...env, ...others, CI: 'true' } })
  expect({ code, err }).toEqual({
    code: 2,
    err: expect.stringMatching(
      /^error: VATOM_PUBLISHER is acme\.com, and .*\nhint: use a session of acme\.com; each publisher needs a secret of its own/,
    ),
  })
  expect(err).not.toContain('env -u')
})

test('where VATOM_CONTEXT chose the session, the hint says so, and what is not used beside it', async () => {
  const { run, file, changes } = await watchedDesk('network')
  file('catalog/a.yaml', template('$publisher::A::v1'))
  const env = { ...others, CI: 'true', VATOM_CONTEXT: 'local', VATOM_REFRESH_TOKEN: 'x' }
  const { code, err } = await run(['plan', 'catalog'], { env })
  expect({ code, err }).toEqual({
    code: 2,
    err: expect.stringMatching(
      /^hint: VATOM_CONTEXT chooses local; set as well, and not used: VATOM_REFRESH_TOKEN; to use them, remove the first: env -u VATOM_CONTEXT vatom …$/m,
    ),
  })
  expect(err).not.toContain('secret of its own')
  expect(changes()).toEqual([])
})

test('the tokens of a pipeline say whose they are, also those that only the service can read', async () => {
  const { service, run, file, json } = await publisher({ transport: 'network' })
  file('catalog/a.yaml', template('$publisher::A::v1'))
  const { env } = await lossy(service, () => 'answered')
  expect(await run(['plan', 'catalog'], { env: { ...env, ...others } })).toMatchObject({ code: 2 })
  expect(await run(['plan', 'catalog'], { env: { ...env, VATOM_PUBLISHER: 'local.vatom' } })).toMatchObject({ code: 0 })

  const profile = JSON.stringify(await json('api', 'get', '/v1/user')).replace('local.vatom', 'rival.example')
  const opaque = await facing((_, response) => response.end(profile))
  opaque.file('catalog/a.yaml', template('$publisher::A::v1'))
  const refused = await opaque.run(['plan', 'catalog'], { env: opaque.env })
  expect(refused).toMatchObject({ code: 2, out: '' })
  expect(refused.err).toContain('VATOM_PUBLISHER is acme.com, and the session is of the publisher rival.example')
})

test('a token of a user without a publisher is named by its variable; nobody is asked to log in', async () => {
  const { run, file, json } = await publisher({ transport: 'network' })
  file('catalog/a.yaml', template('$publisher::A::v1'))
  const profile = JSON.stringify(await json('api', 'get', '/v1/user')).replace('local.vatom', '')
  const { VATOM_PUBLISHER: _, ...pipeline } = (await facing((__, response) => response.end(profile))).env
  const refused = await run(['plan', 'catalog'], { env: pipeline })
  expect(refused).toMatchObject({ code: 4, out: '' })
  expect(refused.err).toContain('The user of VATOM_ACCESS_TOKEN is not an administrator of a publisher\n')
  expect(refused.err).toContain('vatom auth token --refresh --yes prints a token for VATOM_REFRESH_TOKEN')
  expect(refused.err).not.toContain('vatom login')
})

test.each([
  ['template', 'list'],
  ['asset', 'list'],
  ['action', 'handler', 'list'],
  ['face', 'list'],
])('a user of no publisher is asked to sign in as an administrator of one: %s %s', async (...words) => {
  const { service, run } = await publisher({ transport: 'network' })
  const { baseUrl } = await service.listen({ host: '127.0.0.1', port: 0 })
  const user = ['--email', 'ann@example.com', '--password-stdin']
  await run(['user', 'register', ...user], { stdin: 'a-password' })
  const at = ['--base-url', baseUrl, '--app-id', service.appId]
  await run(['login', '--context', 'ann', ...at, ...user], { stdin: 'a-password' })
  const { code, err } = await run([...words, '--context', 'ann'])
  expect({ code, err }).toMatchObject({ code: 4, err: expect.stringContaining('administrator of a publisher') })
  expect(err).toMatch(/hint: sign in as .*: vatom (--context ann )?login/)
  expect(err).not.toContain('your publisher')
})

test('in a pipeline where nobody is named, validate compares names with no publisher, and says so', async () => {
  const { run, file } = await publisher()
  file('catalog/a.yaml', template('cafe.example::A::v1'))
  const note = 'names are not compared with your publisher domain name, which is not known: set VATOM_PUBLISHER\n'
  const alone = await run(['validate', 'catalog'], { env: { CI: 'true' } })
  expect(alone).toMatchObject({ code: 0, err: expect.stringContaining(note) })
  const given = await run(['validate', 'catalog'], { env: { CI: 'true', VATOM_PUBLISHER: 'cafe.example' } })
  expect(given).toMatchObject({ code: 0, err: expect.not.stringContaining('not compared') })
  file('catalog/a.yaml', template('$publisher::A::v1'))
  const open = await run(['validate', 'catalog'], { env: { CI: 'true' } })
  expect(open).toMatchObject({ code: 0, err: expect.not.stringContaining('not compared') })
})

describe('names of another publisher: the hint says where the one is from that they are compared with', () => {
  const cafe = template('cafe.example::A::v1')

  test.each(['validate', 'plan'])('%s on the service of this machine', async (word) => {
    const { run, file } = await publisher()
    file('catalog/a.yaml', cafe)
    const { code, err } = await run([word, 'catalog'])
    expect(code).toBe(3)
    expect(err).toMatch(
      /hint: if local\.vatom is not your publisher domain name: it is that of the service on this machine; for another, set VATOM_PUBLISHER, or sign in: vatom login\n$/,
    )
  })

  test('by VATOM_PUBLISHER', async () => {
    const { run, file } = await publisher()
    file('catalog/a.yaml', cafe)
    const { err } = await run(['validate', 'catalog'], { env: others })
    expect(err).toMatch(/hint: if acme\.com is not your publisher domain name: it is the value of VATOM_PUBLISHER\n$/)
  })

  test('by the session of a context', async () => {
    const { run, file } = await publisher({ transport: 'network' })
    file('catalog/a.yaml', cafe)
    const { err } = await run(['template', 'create', 'catalog/a.yaml'])
    expect(err).toMatch(
      /hint: if local\.vatom is not your publisher domain name: it is that of the session of \S+; for another, use its session\n$/,
    )
  })

  test('by the token of a pipeline', async () => {
    const { service, run, file } = await publisher()
    file('catalog/a.yaml', cafe)
    const { env } = await lossy(service, () => 'answered')
    const { VATOM_PUBLISHER: _, ...tokens } = env
    const { err } = await run(['validate', 'catalog'], { env: tokens })
    expect(err).toMatch(/it is that of VATOM_ACCESS_TOKEN; for another, use its session\n$/)
  })
})

test('what the service refuses to who is no publisher names other contexts, too', async () => {
  const { run, service } = await publisher({ transport: 'network' })
  const { env } = await lossy(service, () => ({ status: 403, error: 9001 }))
  const { code, err } = await run(['template', 'list'], { env })
  expect({ code, err }).toEqual({ code: 4, err: expect.stringContaining('vatom login --context NAME; or use another') })
})
