import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { template } from '../../fixtures/yaml.ts'
import { served } from '../../support/desks.ts'
import { testClock } from '../../support/host.ts'
import { deskOf, publisher } from '../../support/vatom.ts'

const jwt = /^[\w-]+\.[\w-]+\.[\w-]+\n$/

/** A desk that is signed in to `staging`, on a machine whose clock can be moved; and the stored refresh token. */
async function signedIn() {
  let days = 0
  const now = () => new Date(testClock().getTime() + days * 86_400_000)
  const { service, baseUrl } = await served(now)
  const desk = deskOf(service, now)
  const words = ['login', '--base-url', baseUrl, '--app-id', service.appId, '--context', 'staging', '--email']
  const login = await desk.run([...words, 'publisher@local.vatom', '--password-stdin'], { stdin: 'vatom-local\n' })
  expect(login).toMatchObject({ code: 0 })
  const file = join(desk.home, '.config/vatom/credentials.json')
  const refreshToken = (): string => JSON.parse(readFileSync(file, 'utf8')).staging.refresh_token
  const env = () => ({ VATOM_BASE_URL: baseUrl, VATOM_APP_ID: service.appId, VATOM_REFRESH_TOKEN: refreshToken() })
  const pass = (more: number) => {
    days += more
  }
  return { ...desk, service, refreshToken, env, pass }
}

describe('auth token --refresh', () => {
  test('prints the refresh token of the context, and on stderr when it ends and what ends it before', async () => {
    const { vatom, json, refreshToken } = await signedIn()
    expect(await vatom('auth', 'token', '--refresh', '--yes')).toEqual({
      code: 0,
      out: `${refreshToken()}\n`,
      err: 'It ends at 2026-03-31T12:00:00Z (in 30 days).\nvatom logout --context staging ends it at once, as does vatom context remove staging without --keep-session; signing in again does not.\n',
    })
    expect(await json('auth', 'token', '--refresh', '--yes')).toEqual({
      refresh_token: refreshToken(),
      ends_at: '2026-03-31T12:00:00.000Z',
    })
  })

  test('asks on a terminal; without one --yes is needed, and no is an answer', async () => {
    const { run, vatom, refreshToken } = await signedIn()
    expect(await vatom('auth', 'token', '--refresh')).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(/there is no terminal to ask on: .*\nhint: to answer yes, add --yes/),
    })
    const asked = (answer: string) =>
      run(['auth', 'token', '--refresh'], { tty: true, answers: { 'Print the refresh token of staging?': answer } })
    const yes = await asked('y\n')
    expect(yes).toMatchObject({ code: 0, out: `${refreshToken()}\n` })
    const no = await asked('n\n')
    expect(no).toMatchObject({ code: 1, err: expect.stringContaining('the answer was no') })
    expect(no.out + no.err).not.toContain(refreshToken())
  })

  test('gives a pipeline a session that survives signing in again, and ends with logout', async () => {
    const { vatom, run, env, service } = await signedIn()
    const pipeline = env()
    const login = ['login', '--context', 'staging', '--email', service.publisher.email, '--password-stdin']
    expect(await run(login, { stdin: 'vatom-local\n' })).toMatchObject({ code: 0 })
    const both = await Promise.all([1, 2].map(() => run(['whoami'], { env: pipeline })))
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    const second = env()
    expect(await vatom('logout')).toMatchObject({ code: 0 })
    expect(await run(['whoami'], { env: pipeline })).toMatchObject({ code: 0 })
    expect(await run(['whoami'], { env: second })).toMatchObject({
      code: 4,
      err: expect.stringContaining('hint: put a new token into VATOM_REFRESH_TOKEN'),
    })
  })

  test('prints a token that whoever has it can end: by signing in with it, and out', async () => {
    const { run, vatom, env } = await signedIn()
    const leaked = env()
    const place = ['--base-url', leaked.VATOM_BASE_URL, '--app-id', leaked.VATOM_APP_ID, '--context', 'leaked']
    const login = await run(['login', ...place, '--refresh-token-stdin'], { stdin: leaked.VATOM_REFRESH_TOKEN })
    expect(login).toMatchObject({ code: 0 })
    expect(login.err).not.toContain('warning')
    const logout = await vatom('logout', '--context', 'leaked')
    expect(logout).toMatchObject({ code: 0, out: expect.stringContaining('Signed out of leaked') })
    expect(await run(['whoami'], { env: leaked })).toMatchObject({ code: 4 })
  })

  test('is refused where no saved context has the session', async () => {
    const { run, env } = await signedIn()
    const refresh = ['auth', 'token', '--refresh', '--yes']
    const fromEnvironment = await run(refresh, { env: env() })
    expect(fromEnvironment).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('The session comes from the environment'),
    })
    expect(fromEnvironment.err).not.toContain(env().VATOM_REFRESH_TOKEN)
    expect(await (await publisher()).run(refresh)).toMatchObject({
      code: 2,
      err: expect.stringContaining('The local context needs no refresh token'),
    })
    expect(await run(['auth', 'token', '--yes'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--yes goes with --refresh'),
    })
    expect(await run(['auth', 'token'])).toMatchObject({ code: 0, out: expect.stringMatching(jwt) })
  })

  test('is what an access token in its place is told apart from', async () => {
    const { run, env } = await signedIn()
    const { out: accessToken } = await run(['auth', 'token'])
    const { code, err } = await run(['whoami'], { env: { ...env(), VATOM_REFRESH_TOKEN: accessToken.trim() } })
    expect(code).toBe(4)
    expect(err).toMatch(
      /does not accept your session: it is an access token, where a refresh token is needed\nhint: put a/,
    )
    expect(err).not.toContain(accessToken.trim())
  })

  test('is named where an access token belongs', async () => {
    const { run, env } = await signedIn()
    const { VATOM_REFRESH_TOKEN, ...place } = env()
    const { code, err } = await run(['whoami'], { env: { ...place, VATOM_ACCESS_TOKEN: VATOM_REFRESH_TOKEN } })
    expect(code).toBe(4)
    expect(err).toMatch(
      /does not accept the token in VATOM_ACCESS_TOKEN: it is a refresh token, where an access token is needed\nhint: put it into VATOM_REFRESH_TOKEN, and remove VATOM_ACCESS_TOKEN\n/,
    )
    expect(err).not.toContain(VATOM_REFRESH_TOKEN)
  })

  test.each([
    ['/run/secrets/vatom', 'it looks like the path of a file, where the text in the file is needed'],
    ['$REFRESH_TOKEN', 'it begins with $, as the name of a variable whose value was not put in its place'],
    ['"e30.e30.e30"', 'it is in quotes, which are part of its value here: write it without them'],
    ["'e30.e30.e30'", 'it is in quotes, which are part of its value here: write it without them'],
    ['***', 'it is what a pipeline shows in the place of a secret, not the secret'],
    ['[MASKED]', 'it is what a pipeline shows in the place of a secret, not the secret'],
  ])('is what %s in its place is told apart from, and so is an access token', async (value, why) => {
    const { run, env } = await signedIn()
    const { VATOM_REFRESH_TOKEN: _, ...place } = env()
    const given = await run(['whoami'], { env: { ...place, VATOM_REFRESH_TOKEN: value } })
    expect(given).toMatchObject({ code: 4, err: expect.stringContaining(`does not accept your session: ${why}`) })
    expect(given.err).not.toContain(value)
    const access = await run(['whoami'], { env: { ...place, VATOM_ACCESS_TOKEN: value } })
    expect(access).toMatchObject({
      code: 4,
      err: expect.stringContaining(`does not accept the token in VATOM_ACCESS_TOKEN: ${why}`),
    })
    expect(access.err).toContain('hint: put the token itself into VATOM_ACCESS_TOKEN, or remove it\n')
    expect(access.err).not.toContain(value)
  })

  test('is refused for a session that the service has ended', async () => {
    const { vatom, run, env } = await signedIn()
    const { VATOM_BASE_URL: url, VATOM_APP_ID: id, VATOM_REFRESH_TOKEN: token } = env()
    const { access_token } = JSON.parse((await run(['auth', 'token', '--json'])).out)
    const headers = { 'app-id': id, authorization: `Bearer ${access_token}` }
    expect((await fetch(`${url}/v1/user/logout`, { method: 'POST', headers })).status).toBe(200)
    const { code, out, err } = await vatom('auth', 'token', '--refresh', '--yes')
    expect({ code, out }).toEqual({ code: 4, out: '' })
    expect(err).not.toContain(token)
  })
})

describe('a session that ends within a week', () => {
  const left = /ends at 2026-03-31T12:00:00Z \(in 5 days\)/

  test('is a warning of plan and apply, also where a pipeline shows it', async () => {
    const { vatom, run, env, file, pass } = await signedIn()
    file('coupon.yaml', template())
    pass(22)
    expect((await vatom('plan', 'coupon.yaml')).err).not.toContain('warning')
    pass(3)
    const plain = await vatom('plan', 'coupon.yaml')
    expect(plain).toMatchObject({ code: 0, err: expect.stringMatching(left) })
    expect(plain.err).toMatch(/warning: the session of staging .*; sign in again: vatom login --context staging\n/s)
    for (const [format, shown] of [
      ['github', /^::warning title=session-end::the refresh token in VATOM_REFRESH_TOKEN ends at /m],
      ['markdown', /^<session>: warning\[session-end\]: the refresh token in VATOM_REFRESH_TOKEN ends at /m],
    ] as const) {
      const plan = await run(['plan', 'coupon.yaml', '--format', format], { env: env() })
      expect(plan).toMatchObject({ code: 0, out: expect.stringMatching(shown), err: expect.stringMatching(left) })
      expect(plan.err).toMatch(
        /replace it: vatom login --context pipeline --base-url \S+ --app-id \S+; then vatom auth token --refresh --yes\n/,
      )
    }
    const json = await run(['plan', 'coupon.yaml', '--json'], { env: env() })
    expect(JSON.parse(json.out)).toMatchObject({
      summary: { total: 1 },
      warnings: [{ rule: 'session-end', severity: 'warning', message: expect.stringMatching(left) }],
    })
    const sarif = await run(['plan', 'coupon.yaml', '--format', 'sarif'], { env: env() })
    expect(JSON.parse(sarif.out).runs[0].results).toContainEqual(
      expect.objectContaining({ ruleId: 'session-end', level: 'warning' }),
    )
    expect(await run(['plan', 'coupon.yaml', '--max-warnings', '0'], { env: env() })).toMatchObject({ code: 0 })
    expect(await run(['plan', 'coupon.yaml', '--out', 'p.plan'], { env: env() })).toMatchObject({ code: 0 })
    const applied = await run(['apply', 'p.plan'], { env: env() })
    expect(applied).toMatchObject({ code: 0, err: expect.stringMatching(left) })
    expect((await run(['apply', 'coupon.yaml', '--yes'], { env: env() })).err).toMatch(left)
  })

  test.each([
    ['plan', ['plan', 'coupon.yaml']],
    ['apply', ['apply', 'coupon.yaml', '--yes']],
  ])('is in each report of %s, and a skipped test in that of JUnit, which fails nothing', async (_, words) => {
    const { run, env, file, home, pass } = await signedIn()
    file('coupon.yaml', template())
    pass(25)
    const reported = async (...more: string[]) => (await run([...words, ...more], { env: env() })).out
    expect(await run([...words, '--junit', 'report.xml'], { env: env() })).toMatchObject({ code: 0 })
    const report = readFileSync(join(home, 'report.xml'), 'utf8')
    expect(report).toContain('tests="2" failures="0" errors="0" skipped="1"')
    expect(report).toMatch(
      /<testcase classname="vatom" name="&lt;session&gt;: warning\[session-end\]: the refresh token [^"]*\(in 5 days\)">/,
    )
    expect(report).toMatch(/<skipped message="the refresh token [^>]*>[^<]*\n {2}hint: replace it: vatom login /)
    expect(JSON.parse(await reported('--json'))).toMatchObject({ warnings: [{ rule: 'session-end' }] })
    expect(JSON.parse(await reported('--format', 'gitlab'))).toContainEqual(
      expect.objectContaining({ check_name: 'session-end', severity: 'minor' }),
    )
    expect(JSON.parse(await reported('--format', 'sarif')).runs[0].results).toContainEqual(
      expect.objectContaining({ ruleId: 'session-end', level: 'warning' }),
    )
    expect(await reported('--format', 'github')).toMatch(/^::warning title=session-end::/m)
    expect((await reported('--format', 'markdown')).match(/warning\[session-end\]/g)).toHaveLength(1)
  })

  test('is a warning of doctor, and of auth token --refresh', async () => {
    const { run, vatom, env, pass } = await signedIn()
    const session = async (more = {}) => {
      const { code, out } = await run(['doctor', '--json'], { env: more })
      return { code, ...JSON.parse(out).checks.find(({ name }: { name: string }) => name === 'session') }
    }
    expect(await session()).toMatchObject({ code: 0, status: 'ok' })
    pass(25)
    expect(await session()).toMatchObject({
      code: 0,
      status: 'warn',
      message: expect.stringMatching(/refresh token valid for 5 days$/),
      hint: 'sign in again: vatom login --context staging',
    })
    expect(await session(env())).toMatchObject({
      status: 'warn',
      hint: expect.stringContaining('auth token --refresh'),
    })
    expect((await vatom('auth', 'token', '--refresh', '--yes')).err).toMatch(left)
  })

  test('and one that has ended is an error that says how to get another', async () => {
    const { run, vatom, env, file, pass } = await signedIn()
    file('coupon.yaml', template())
    pass(31)
    expect(await vatom('plan', 'coupon.yaml')).toMatchObject({
      code: 4,
      err: expect.stringContaining('hint: sign in: vatom login --context staging'),
    })
    const plan = await run(['plan', 'coupon.yaml'], { env: env() })
    expect(plan).toMatchObject({ code: 4, err: expect.stringContaining('vatom auth token --refresh --yes prints one') })
    expect(plan.err).toContain('does not accept your session: it ended at 2026-03-31T12:00:00.000Z')
    expect(plan.err).not.toContain('warning')
  })
})

test('auth token prints a token that is valid for two minutes at least', async () => {
  const { vatom, pass } = await signedIn()
  const stored = (await vatom('auth', 'token')).out
  pass((limits.accessTokenSeconds - 130) / 86_400)
  expect((await vatom('auth', 'token')).out).toBe(stored)
  pass(20 / 86_400)
  const renewed = (await vatom('auth', 'token')).out
  expect(renewed).toMatch(jwt)
  expect(renewed).not.toBe(stored)
})
