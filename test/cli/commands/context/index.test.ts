import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { limits } from '../../../../src/contract/limits.ts'
import { served } from '../../../support/desks.ts'
import { testClock } from '../../../support/host.ts'
import { serverOf } from '../../../support/servers.ts'
import { type Desk, publisher } from '../../../support/vatom.ts'

test('a narrow terminal shows which context is current broken between words', async () => {
  const { run } = await publisher()
  expect((await run(['context', 'use', 'local'], { tty: true, columns: 24 })).out).toBe(
    'local is the current\ncontext now.\n',
  )
})

test('context add, use and remove', async () => {
  const { vatom, json } = await publisher()
  expect(
    await vatom('context', 'add', 'prod', '--base-url', 'https://api.example.com/base/', '--app-id', 'x'),
  ).toMatchObject({ code: 0 })
  expect(await vatom('context', 'add', 'prod', '--base-url', 'https://b.example', '--app-id', 'x')).toMatchObject({
    code: 2,
  })
  expect(await vatom('context', 'add', 'local', '--base-url', 'https://b.example', '--app-id', 'x')).toMatchObject({
    code: 2,
  })
  expect(await vatom('context', 'use', 'prod')).toMatchObject({ code: 0 })
  expect(await json('context', 'list')).toMatchObject([
    { name: 'local' },
    { name: 'prod', base_url: 'https://api.example.com/base', current: true, signed_in: false },
  ])
  expect(await vatom('template', 'list')).toMatchObject({
    code: 4,
    err: expect.stringContaining('vatom login --context prod'),
  })
  expect(await vatom('context', 'add', 'other', '--base-url', 'https://b.example', '--app-id', 'x')).toMatchObject({
    code: 0,
  })
  expect((await vatom('context', 'remove', 'other')).err).toBe('')
  expect(await vatom('context', 'remove', 'prod')).toMatchObject({
    code: 0,
    err: 'local is the current context now.\n',
  })
  expect(await vatom('context', 'use', 'prod')).toMatchObject({ code: 2 })
  expect(await json('context', 'list')).toMatchObject([{ name: 'local', current: true }])
})

describe('where a variable chooses the service in place of the current context', () => {
  const at = (name: string) => ({ base_url: `https://${name}.example`, app_id: 'x' })
  const variables = {
    'VATOM_CONTEXT=cem': { VATOM_CONTEXT: 'cem' },
    VATOM_BASE_URL: { VATOM_BASE_URL: at('cem').base_url, VATOM_APP_ID: 'x' },
  }
  const removed = { 'VATOM_CONTEXT=cem': '-u VATOM_CONTEXT', VATOM_BASE_URL: '-u VATOM_BASE_URL -u VATOM_APP_ID' }

  async function desk() {
    const { run } = await publisher()
    await run(['context', 'add', 'cem', '--base-url', at('cem').base_url, '--app-id', 'x'])
    await run(['context', 'add', 'dora', '--base-url', at('dora').base_url, '--app-id', 'x'])
    return { run }
  }

  test.each(['VATOM_CONTEXT=cem', 'VATOM_BASE_URL'] as const)('%s: use, list and remove say so', async (variable) => {
    const { run } = await desk()
    const env = variables[variable]
    const note = (name: string) =>
      `${variable} is set, and is used in place of the current context; for ${name}: --context ${name}, or env ${removed[variable]} vatom …\n`
    const used = await run(['context', 'use', 'dora'], { env })
    expect(used).toEqual({ code: 0, out: 'dora is the current context now.\n', err: note('dora') })
    expect(await run(['context', 'list'], { env })).toMatchObject({ code: 0, err: note('dora') })
    expect(await run(['context', 'list'], { env: { ...env, CI: 'true' } })).toMatchObject({ err: note('dora') })
    expect((await run(['whoami'], { env })).err).toContain('vatom login --context cem')
    expect(await run(['context', 'remove', 'dora'], { env })).toMatchObject({
      code: 0,
      err: `local is the current context now.\n${note('local')}`,
    })
  })

  test('nothing is said where the variables choose the same', async () => {
    const { run } = await desk()
    for (const env of [...Object.values(variables), {}])
      for (const words of [
        ['context', 'use', 'cem'],
        ['context', 'list'],
      ])
        expect(await run(words, { env })).toMatchObject({ code: 0, err: '' })
  })

  test('login says so', async () => {
    const { login, run, baseUrl } = await served()
    await login(['--context', 'staging'])
    await run(['context', 'add', 'cem', '--base-url', at('cem').base_url, '--app-id', 'x'])
    const words = ['login', '--context', 'staging', '--email', 'publisher@local.vatom', '--password-stdin']
    const signedIn = await run(words, { stdin: 'vatom-local', env: variables['VATOM_CONTEXT=cem'] })
    expect(signedIn).toEqual({
      code: 0,
      out: `Signed in to staging (${baseUrl}) for local.vatom. staging is the current context now.\n`,
      err: 'VATOM_CONTEXT=cem is set, and is used in place of the current context; for staging: --context staging, or env -u VATOM_CONTEXT vatom …\n',
    })
  })
})

test('context list names the columns that a narrow terminal has no room for', async () => {
  const { run, json } = await publisher()
  await json('context', 'add', 'prod', '--base-url', 'https://api.example.com', '--app-id', 'one-application')
  const { out, err } = await run(['--no-color', 'context', 'list'], { tty: true, columns: 40 })
  expect(out).toMatch(/^ +NAME +ADDRESS\n/)
  expect(err).toBe('No room for APP ID, SESSION: use a wider\nterminal, or add --json\n')
  expect((await run(['context', 'list'], { tty: true, columns: 120 })).err).toBe('')
})

test('context use without a name lets a person choose', async () => {
  const { run, json } = await publisher()
  await json('context', 'add', 'prod', '--base-url', 'https://b.example', '--app-id', 'x')
  await json('context', 'use', 'prod')
  const { code, out } = await run(['context', 'use'], { tty: true, answers: { 'Which context?': '' } })
  expect({ code, out }).toEqual({ code: 0, out: 'local is the current context now.\n' })
})

describe('context list says of a session', () => {
  /** What the list says of the only saved context. */
  const listed = async ({ json }: Pick<Desk, 'json'>) => Object(await json('context', 'list'))[1]
  /** Ends the session of the context on its service, as another machine could. */
  async function endElsewhere({ service, vatom }: Desk) {
    const headers = { 'app-id': service.appId, authorization: `Bearer ${(await vatom('auth', 'token')).out.trim()}` }
    expect(await service.inject({ method: 'POST', path: '/v1/user/logout', headers })).toMatchObject({ status: 200 })
  }

  test('that its service has refused it, until the next login', async () => {
    const desk = await served()
    await desk.login(['--context', 'staging'])
    await endElsewhere(desk)
    expect(await listed(desk)).toMatchObject({ signed_in: true, session: 'signed in' })
    expect(await desk.vatom('whoami')).toMatchObject({ code: 4 })
    expect(await listed(desk)).toMatchObject({ signed_in: false, session: 'refused' })
    expect((await desk.vatom('context', 'list')).out).toMatch(/\tstaging\t.*\trefused$/m)
    await desk.login(['--context', 'staging'])
    expect(await listed(desk)).toMatchObject({ signed_in: true, session: 'signed in' })
  })

  test('that it is signed in once its service accepts again what another one in its place refused', async () => {
    const desk = await served()
    await desk.login(['--context', 'staging'])
    const credentials = join(desk.home, '.config/vatom/credentials.json')
    const { staging } = JSON.parse(readFileSync(credentials, 'utf8'))
    writeFileSync(credentials, JSON.stringify({ staging: { ...staging, refused: true } }))
    expect(await listed(desk)).toMatchObject({ signed_in: false, session: 'refused' })
    expect(await desk.vatom('whoami')).toMatchObject({ code: 0 })
    expect(await listed(desk)).toMatchObject({ signed_in: true, session: 'signed in' })
  })

  test('that it has ended', async () => {
    let now = testClock()
    const desk = await served(() => now)
    await desk.login()
    now = new Date(now.getTime() + limits.refreshTokenSeconds * 1000)
    expect(await listed(desk)).toMatchObject({ signed_in: false, session: 'ended' })
  })

  test('nothing new where something on the way refuses it', async () => {
    const desk = await served()
    await desk.login(['--context', 'staging'])
    const { url: base_url } = await serverOf((_, response) => response.writeHead(403).end('{"message":"Forbidden"}'))
    for (const name of ['config', 'credentials']) {
      const path = join(desk.home, `.config/vatom/${name}.json`)
      writeFileSync(path, readFileSync(path, 'utf8').replace(desk.baseUrl, base_url))
    }
    expect(await desk.vatom('whoami')).toMatchObject({ code: 4 })
    expect(await listed(desk)).toMatchObject({ base_url, session: 'signed in' })
  })
})

test('contexts that are added at once are all saved', async () => {
  const { vatom, json } = await publisher()
  const names = Array.from({ length: 8 }, (_, index) => `c${index}`)
  const added = await Promise.all(
    names.map((name) => vatom('context', 'add', name, '--base-url', 'https://a.example', '--app-id', 'x')),
  )
  expect(added.map(({ code }) => code)).toEqual(names.map(() => 0))
  const listed = (await json('context', 'list')) as { name: string }[]
  expect(listed.map(({ name }) => name).sort()).toEqual([...names, 'local'])
})

test.each(['__proto__', '', ' ', 'a\u0007b', 'local'])('a context cannot be named %j', async (name) => {
  const { run, baseUrl } = await served()
  const place = ['--base-url', baseUrl, '--app-id', 'local']
  expect(await run(['context', 'add', name, ...place])).toMatchObject({ code: 2 })
  const login = ['login', '--context', name, ...place, '--email', 'publisher@local.vatom', '--password-stdin']
  expect(await run(login, { stdin: 'vatom-local' })).toMatchObject({ code: 2 })
})

test.each([
  ['context', ['add', '日本', '--base-url', 'https://a.example', '--app-id', 'x']],
  ['snapshot', ['save', '春']],
])('the name of a %s is refused in words that say which letters it can have', async (noun, words) => {
  const { vatom } = await publisher()
  expect(await vatom(noun, ...words)).toMatchObject({
    code: 2,
    err: expect.stringContaining(`error: A ${noun} name can only have letters from A to Z, digits and . _`),
  })
})
