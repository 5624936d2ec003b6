import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { served } from '../../support/desks.ts'
import { publisher } from '../../support/vatom.ts'

describe('the choice of a context', () => {
  test('flags win over the environment, which wins over the current context', async () => {
    const { login, vatom, run, json } = await served()
    await login(['--context', 'staging'])
    expect((await vatom('whoami')).out).toContain('staging')
    expect((await vatom('whoami', '--context', 'local')).out).toMatch(/context +local\n/)
    expect((await run(['whoami'], { env: { VATOM_CONTEXT: 'local' } })).out).toMatch(/context +local\n/)
    expect((await run(['whoami', '--context', 'staging'], { env: { VATOM_CONTEXT: 'local' } })).out).toContain(
      'staging',
    )
    await json('context', 'use', 'local')
    expect((await vatom('whoami')).out).toMatch(/context +local\n/)
  })

  test('--context and --base-url together exit 2', async () => {
    const { vatom } = await publisher()
    expect(await vatom('whoami', '--context', 'a', '--base-url', 'https://a.example')).toMatchObject({ code: 2 })
    expect(await vatom('whoami', '--base-url', 'https://a.example')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--app-id'),
    })
    expect(await vatom('whoami', '--context', 'local', '--app-id', 'x')).toMatchObject({ code: 2 })
    expect(await vatom('whoami', '--app-id', 'x')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--base-url'),
    })
    expect(await vatom('whoami', '--context', 'nowhere')).toMatchObject({
      code: 2,
      err: expect.stringContaining('known contexts: local'),
    })
  })
})

test.each([
  [['--base-url', '', '--app-id', ''], '--base-url is empty'],
  [['--base-url', 'a b', '--app-id', 'x'], '--base-url must be an http or https address, not a b'],
])('%j is refused by its name', async (flags, message) => {
  const { vatom } = await publisher()
  const { code, out, err } = await vatom('template', 'list', ...flags)
  expect({ code, out, err }).toEqual({ code: 2, out: '', err: expect.stringContaining(`error: ${message}`) })
})

test.each([
  ['deploy:hunter2@staging.example.com', 'not …@staging.example.com', 'did you mean https://staging.example.com?'],
  ['htps://deploy:hunter2@staging.example.com/v1', 'not htps://…@staging.example.com/v1', 'for example https://'],
  ['ftp://deploy:hunter2@a.example', 'not ftp://…@a.example', 'for example https://'],
  ['https://deploy:hunter2@a.example:99999', 'not https://…@a.example:99999', 'for example https://'],
  ['deploy:hunter2/@b?@a.example:81/v1?a=b', 'not …@a.example:81/v1?…', 'did you mean https://a.example:81?'],
])('an address that is refused is shown without its user and password: %s', async (url, message, hint) => {
  const { run } = await publisher()
  const env = { VATOM_BASE_URL: url, VATOM_APP_ID: 'local', VATOM_REFRESH_TOKEN: 'r' }
  const login = ['login', '--base-url', url, '--app-id', 'local']
  const runs = [
    await run(['plan', '.', '--base-url', url]),
    await run(login),
    await run(['plan', '.'], { env }),
    await run(['doctor'], { env, columns: 200 }),
    await run(['whoami', '--json', '--debug'], { env }),
  ]
  for (const { code, out, err } of runs) {
    expect(code).toBeGreaterThan(0)
    expect(out + err).not.toMatch(/deploy|hunter2/)
    expect(out + err).toContain(`must be an http or https address, ${message}`)
    expect(out + err).toContain(hint)
  }
})

test('a timeout that is refused is named once', async () => {
  const { vatom } = await publisher()
  expect((await vatom('template', 'list', '--timeout', '0')).err).toMatch(
    /^error: --timeout must be a number of seconds above 0, and up to 86400, not 0\n/,
  )
})

test('commands of hints do not repeat the user and password of an address', async () => {
  const { vatom } = await publisher()
  const { code, err } = await vatom('emit', '--base-url', 'https://deploy:hunter2@a.example', '--app-id', 'x')
  expect(code).toBe(2)
  expect(err).toContain("hint: write: vatom --base-url 'https://…@a.example' --app-id x emit VARIATION")
  expect(err).not.toMatch(/deploy|hunter2/)
})

test.each([
  ['plan', '.', '--out'],
  ['apply', '.', '--junit'],
  ['discover', '--file'],
])('the empty name of a file is refused by its option: %j', async (...words) => {
  const { run, home } = await publisher()
  const flag = words.find((word) => word.startsWith('--')) ?? ''
  const args = words.flatMap((word) => (word === flag ? [flag, ''] : [word]))
  expect(await run(args, { cwd: home })).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining(`${flag} is empty`),
  })
})

test('of several contexts with the address of --base-url, the current one is used', async () => {
  const { login, run, json, baseUrl, service } = await served()
  await login(['--context', 'one'])
  await login(['--context', 'two'])
  const flags = ['--base-url', baseUrl, '--app-id', service.appId]
  for (const name of ['one', 'two', 'one']) {
    await json('context', 'use', name)
    expect((await run(['whoami', ...flags])).out).toMatch(new RegExp(`context +${name}\\b`))
  }
})

test('of several contexts with the address of --base-url, none of them current, one is to be named', async () => {
  const { json, run } = await publisher()
  const place = ['--base-url', 'https://api.example.com', '--app-id', 'x']
  for (const name of ['one', 'two']) await json('context', 'add', name, ...place)
  await json('context', 'use', 'local')
  const env = { VATOM_BASE_URL: 'https://api.example.com', VATOM_APP_ID: 'x' }
  const says = (flag: string) =>
    `error: 2 contexts have the address https://api.example.com: one, two\nhint: name one of them in place of ${flag}: --context one, or VATOM_CONTEXT=one\n`
  expect(await run(['whoami', ...place])).toMatchObject({ code: 2, out: '', err: says('--base-url') })
  expect(await run(['whoami'], { env })).toMatchObject({ code: 2, out: '', err: says('VATOM_BASE_URL') })
})

test('what needs no session needs only an address, also where several contexts have it', async () => {
  const { json, run, baseUrl, service } = await served()
  const place = ['--base-url', baseUrl, '--app-id', service.appId]
  for (const name of ['one', 'two']) await json('context', 'add', name, ...place)
  await json('context', 'use', 'local')
  const email = 'ann@example.com'
  for (const args of [
    ['user', 'register', '--email', email],
    ['user', 'token', 'resend', email],
    ['user', 'reset-password', email, '--yes'],
    ['api', 'GET', '__vatom/outbox'],
  ])
    expect(await run([...args, ...place])).toMatchObject({ code: 0 })
  const named = { code: 2, out: '', err: expect.stringContaining('2 contexts have the address') }
  for (const args of [
    ['template', 'list'],
    ['api', 'GET', 'v1/user'],
    // As nobody it would show less.
    ['template', 'get', 'local.vatom::Tea::v1'],
    ['validate', '.'],
    ['logout'],
  ])
    expect(await run([...args, ...place])).toMatchObject(named)
  const env = { VATOM_BASE_URL: baseUrl, VATOM_APP_ID: service.appId }
  expect(await run(['login', '--guest'], { env })).toMatchObject(named)
})

test('a token with a line break inside is refused by its name; one at its end is a slip', async () => {
  const { run, baseUrl, service } = await served()
  const { access_token } = await service.localSession()
  const env = { VATOM_BASE_URL: baseUrl, VATOM_APP_ID: service.appId }
  expect(await run(['template', 'list'], { env: { ...env, VATOM_ACCESS_TOKEN: `${access_token}\n` } })).toMatchObject({
    code: 0,
  })
  const broken = await run(['template', 'list'], { env: { ...env, VATOM_ACCESS_TOKEN: 'a\nb' } })
  expect(broken).toMatchObject({ code: 2, err: expect.stringContaining('VATOM_ACCESS_TOKEN') })
})

test('an address in a hand-edited configuration that is none is refused', async () => {
  const { login, vatom, home } = await served()
  await login(['--context', 'staging'])
  const path = join(home, '.config', 'vatom', 'config.json')
  const edited = JSON.parse(readFileSync(path, 'utf8'))
  for (const base_url of ['nope', 'javascript:1', 'http://evil.example']) {
    writeFileSync(path, JSON.stringify({ ...edited, contexts: { staging: { ...edited.contexts.staging, base_url } } }))
    expect(await vatom('template', 'list')).toMatchObject({ code: 2, err: expect.stringContaining('staging') })
  }
})
