import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { served } from '../../support/desks.ts'
import { serverOf } from '../../support/servers.ts'

/** A context `prod` of a service that notes the tokens it gets, and what gives `prod` another service and signs in there. */
async function moving() {
  const tokens: unknown[] = []
  const { url: oldUrl } = await serverOf(({ headers }, response) => {
    tokens.push(headers.authorization ?? headers.authentication)
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":401,"message":"no"}')
  })
  const desk = await served()
  const { vatom, baseUrl, service, home } = desk
  await vatom('context', 'add', 'prod', '--base-url', oldUrl, '--app-id', 'x')
  await vatom('context', 'use', 'prod')
  const stored = (name: string) => join(home, '.config', 'vatom', `${name}.json`)
  const before = readFileSync(stored('config'), 'utf8')
  const moveProd = () => desk.login(['--context', 'prod'])
  /** Leaves what `login` leaves that is killed before it stores the address. */
  const moveHalf = async () => {
    await moveProd()
    writeFileSync(stored('config'), before)
  }
  const other = `--base-url ${baseUrl} --app-id ${service.appId}`
  const reason = `You are not signed in to prod (${oldUrl}, App-Id x): its stored session is of ${baseUrl}, App-Id local`
  return { ...desk, tokens, moveProd, moveHalf, reason, other, stored }
}

describe('tokens of another service than the context has', () => {
  test('are not sent where login was killed before it stored the new address, which is said', async () => {
    const { vatom, json, moveHalf, moveProd, tokens, reason, other } = await moving()
    await moveHalf()
    for (const words of [
      ['template', 'list'],
      ['auth', 'token'],
      ['auth', 'token', '--refresh', '--yes'],
    ])
      expect(await vatom(...words)).toEqual({
        code: 4,
        out: '',
        err: `error: ${reason}\nhint: sign in: vatom login --context prod; for that other service: vatom login --context prod ${other}; if you have just signed in, run this command again\n`,
      })
    expect(tokens).toEqual([])
    expect(await json('context', 'list')).toMatchObject([{}, { name: 'prod', session: 'signed out', signed_in: false }])
    await moveProd()
    expect(await vatom('template', 'list')).toMatchObject({ code: 0 })
  })

  test('are not sent by a command that began before login gave the context another service', async () => {
    const { run, vatom, moveProd, tokens, reason } = await moving()
    const signingIn = async () => {
      await moveProd()
      return 'y'
    }
    const words = ['user', 'reset-password', '00000000-0000-4000-8000-000000000000']
    expect(await run(words, { tty: true, columns: 300, answers: { 'a one-time pin': signingIn } })).toMatchObject({
      code: 4,
      err: expect.stringContaining(reason),
    })
    expect(tokens).toEqual([])
    expect(await vatom('whoami')).toMatchObject({ code: 0 })
  })

  test('are not sent where only the application id is another', async () => {
    const { login, vatom, home, baseUrl } = await served()
    await login(['--context', 'prod'])
    const path = join(home, '.config', 'vatom', 'config.json')
    writeFileSync(path, readFileSync(path, 'utf8').replace(/("app_id":\s*)"local"/, '$1"other"'))
    expect(await vatom('whoami')).toMatchObject({
      code: 4,
      err: expect.stringContaining(`(${baseUrl}, App-Id other): its stored session is of ${baseUrl}, App-Id local`),
    })
  })

  test.each([
    [['logout'], 'Signed out of prod'],
    [['context', 'remove', 'prod'], 'Removed prod and its stored session.'],
  ])('are deleted by %j, which says that their session goes on', async (words, out) => {
    const { vatom, moveHalf, tokens, reason, stored } = await moving()
    await moveHalf()
    expect(await vatom(...words)).toEqual({
      code: 0,
      out: expect.stringContaining(out),
      err: expect.stringContaining(
        `warning: ${reason}: the session was removed from this machine, but the service did not end it\n`,
      ),
    })
    expect(tokens).toEqual([])
    expect(readFileSync(stored('credentials'), 'utf8')).not.toContain('refresh_token')
  })
})

test('a session that an earlier version stored is used, and is of its service alone from its next token on', async () => {
  let now = new Date('2026-03-01T12:00:00Z')
  const { login, vatom, home, baseUrl } = await served(() => now)
  await login(['--context', 'prod'])
  const path = join(home, '.config', 'vatom', 'credentials.json')
  const stored = () => JSON.parse(readFileSync(path, 'utf8')).prod
  const { service, ...old } = stored()
  writeFileSync(path, JSON.stringify({ prod: old }))
  expect(await vatom('whoami')).toMatchObject({ code: 0 })
  expect(stored()).toEqual(old)
  now = new Date('2026-03-01T12:10:00Z')
  expect(await vatom('whoami')).toMatchObject({ code: 0 })
  expect(stored()).toMatchObject({ refresh_token: old.refresh_token, service })
  expect(service).toEqual({ base_url: baseUrl, app_id: 'local' })
})

test('a context whose address somebody has written in another way keeps its session', async () => {
  const { run, login, vatom, json, home, baseUrl } = await served()
  await login(['--context', 'prod'])
  const path = join(home, '.config', 'vatom', 'config.json')
  writeFileSync(path, readFileSync(path, 'utf8').replace(baseUrl, `${baseUrl}/v1/`))
  expect(await vatom('whoami')).toMatchObject({ code: 0 })
  expect(await json('context', 'list')).toMatchObject([{}, { session: 'signed in' }])
  const words = ['login', '--context', 'prod', '--email', 'publisher@local.vatom', '--password-stdin']
  expect(await run(words, { stdin: 'vatom-local' })).toMatchObject({ code: 0 })
  expect(await vatom('whoami')).toMatchObject({ code: 0 })
})
