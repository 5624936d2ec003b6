import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { served } from '../../support/desks.ts'
import { makeReadOnly } from '../../support/folders.ts'

test('logout ends the session on the service and forgets it: then exit 4 and the command to run', async () => {
  const { login, vatom, service, home } = await served()
  await login(['--context', 'staging'])
  const credentials = join(home, '.config', 'vatom', 'credentials.json')
  const kept = readFileSync(credentials, 'utf8')
  const { refresh_token } = JSON.parse(kept).staging
  expect(await vatom('logout')).toMatchObject({ code: 0, out: expect.stringContaining('Signed out of staging') })
  expect(readFileSync(credentials, 'utf8')).not.toContain(refresh_token)
  const refused = await service.inject({
    method: 'POST',
    path: '/v1/access_token',
    headers: { 'app-id': service.appId, authentication: refresh_token },
  })
  expect(refused.status).toBe(403)
  expect(await vatom('template', 'list')).toMatchObject({
    code: 4,
    out: '',
    err: expect.stringContaining('vatom login --context staging'),
  })
  writeFileSync(credentials, kept)
  expect(await vatom('template', 'list')).toMatchObject({
    code: 4,
    err: expect.stringMatching(
      /^error: The context staging does not accept your session: Invalid refresh token\nhint: sign in: vatom login --context staging$/m,
    ),
  })
})

test('logout removes the session from this machine though the service does not answer, and says that it was not ended', async () => {
  const { login, vatom, home, service } = await served()
  await login(['--context', 'staging'])
  const credentials = join(home, '.config', 'vatom', 'credentials.json')
  const { refresh_token } = JSON.parse(readFileSync(credentials, 'utf8')).staging
  await service.close()
  expect(await vatom('logout')).toMatchObject({
    code: 0,
    out: expect.stringContaining('Signed out of staging'),
    err: expect.stringContaining('the service did not end it'),
  })
  expect(readFileSync(credentials, 'utf8')).not.toContain(refresh_token)
})

test('logout ends no session that it cannot forget', async ({ skip }) => {
  const { login, vatom, home } = await served()
  await login(['--context', 'staging'])
  if (!makeReadOnly(join(home, '.config', 'vatom'))) skip('root can write to every folder of this file system')
  expect(await vatom('logout')).toMatchObject({ code: 1, err: expect.stringContaining('cannot be written') })
  expect(await vatom('auth', 'token', '--refresh', '--yes')).toMatchObject({ code: 0 })
})

test('logout without a session says so, and context remove ends none', async () => {
  const { login, vatom } = await served()
  await login(['--context', 'staging'])
  await vatom('logout')
  const again = await vatom('logout')
  expect(again).toMatchObject({ code: 0, err: '' })
  expect(again.out).toMatch(/^You are not signed in to staging \(http\S+\): there is no session to end\.\n$/)
  expect(await vatom('context', 'remove', 'staging')).toEqual({
    code: 0,
    out: 'Removed staging.\n',
    err: 'local is the current context now.\n',
  })
})

describe('context remove', () => {
  /** A machine with two contexts of one service; `isAccepted` says whether that still accepts the session of the other. */
  async function withOther() {
    const desk = await served()
    await desk.login(['--context', 'other'])
    const VATOM_REFRESH_TOKEN = (await desk.vatom('auth', 'token', '--refresh', '--yes')).out.trim()
    await desk.login(['--context', 'staging'])
    const env = { VATOM_BASE_URL: desk.baseUrl, VATOM_APP_ID: desk.service.appId, VATOM_REFRESH_TOKEN }
    const isAccepted = async () => (await desk.run(['whoami'], { env })).code === 0
    return { ...desk, isAccepted }
  }

  test('ends the session on the service, whichever context is current', async () => {
    const { vatom, isAccepted } = await withOther()
    expect(await vatom('context', 'remove', 'other')).toEqual({
      code: 0,
      out: 'Removed other, and ended its session.\n',
      err: '',
    })
    expect(await isAccepted()).toBe(false)
    expect(await vatom('whoami')).toMatchObject({ code: 0, out: expect.stringContaining('staging') })
  })

  test('with --keep-session leaves the session to whoever else has its token', async () => {
    const { vatom, isAccepted } = await withOther()
    expect(await vatom('context', 'remove', 'other', '--keep-session')).toEqual({
      code: 0,
      out: 'Removed other and its stored session.\n',
      err: '',
    })
    expect(await isAccepted()).toBe(true)
  })

  test('removes the context though the service does not answer, and says that the session was not ended', async () => {
    const { vatom, json, service } = await withOther()
    await service.close()
    const { code, out, err } = await vatom('context', 'remove', 'other')
    expect({ code, out }).toEqual({ code: 0, out: 'Removed other and its stored session.\n' })
    expect(await json('context', 'remove', 'staging')).toEqual({ removed: 'staging', session: 'not_ended' })
    expect(err).toMatch(/^warning: .*: the session was removed from this machine, but the service did not end it\n$/)
    expect(await json('context', 'list')).toMatchObject([{ name: 'local' }])
  })

  test.each([
    ['ended', []],
    ['kept', ['--keep-session']],
  ])('says as data that the session was %s', async (session, flags) => {
    const { json } = await withOther()
    expect(await json('context', 'remove', 'other', ...flags)).toEqual({ removed: 'other', session })
  })

  test('ends no session that it cannot forget', async ({ skip }) => {
    const { vatom, home, isAccepted } = await withOther()
    if (!makeReadOnly(join(home, '.config', 'vatom'))) skip('root can write to every folder of this file system')
    expect(await vatom('context', 'remove', 'other')).toMatchObject({
      code: 1,
      err: expect.stringContaining('cannot be written'),
    })
    expect(await isAccepted()).toBe(true)
  })
})

test('the session of a guest, whom only the guest id opens again, is given up only if a person or --yes says so', async () => {
  const { run, vatom, json, baseUrl, service } = await served()
  const login = ['login', '--context', 'here', '--base-url', baseUrl, '--app-id', service.appId, '--guest']
  const question = 'nobody can sign in as them again'
  for (const words of [['logout'], ['context', 'remove', 'here']]) {
    await run(login)
    const { id } = JSON.parse((await run(['whoami', '--json'])).out)
    expect(await vatom(...words)).toMatchObject({ code: 2, err: expect.stringMatching(/as a guest.*\n.*--yes/) })
    expect(await run(words, { tty: true, answers: { [question]: 'n' } })).toMatchObject({ code: 1 })
    expect(await json('whoami')).toMatchObject({ id })
    expect(await vatom(...words, '--yes')).toMatchObject({ code: 0 })
    await vatom('context', 'remove', 'here', '--yes')
  }
})

test('a person is asked before another user takes the place of a guest', async () => {
  const { run, json, baseUrl, service } = await served()
  const login = ['login', '--context', 'here', '--base-url', baseUrl, '--app-id', service.appId, '--guest']
  await run(login)
  const { id } = JSON.parse((await run(['whoami', '--json'])).out)
  const asked = (answer: string) => run(login, { tty: true, answers: { 'Replace this session?': answer } })
  expect(await asked('n')).toMatchObject({ code: 1 })
  expect(await json('whoami')).toMatchObject({ id })
  expect(await asked('y')).toMatchObject({ code: 0 })
  expect(await json('whoami')).not.toMatchObject({ id })
})
