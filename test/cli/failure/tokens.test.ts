import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { withoutTokens } from '../../../src/contract/tokens.ts'
import { serverOf } from '../../support/servers.ts'
import { publisher } from '../../support/vatom.ts'

const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'
const template = 'template: $publisher::Tea::v1\nunpublished: true\nvatom: {}\n'

test.each([
  ['VATOM_BASE_URL', 'whoami'],
  ['VATOM_BASE_URL', 'plan', '.', '--json'],
  ['VATOM_BASE_URL', 'doctor', '--json'],
  ['VATOM_PUBLISHER', 'validate', '.', '--format', 'github'],
  ['VATOM_CONTEXT', 'apply', '.', '--yes', '--json'],
  ['VATOM_CONTEXT', 'whoami', '--debug'],
  ['VATOM_DATA_DIR', 'plan', '.'],
  ['VATOM_CONFIG_DIR', 'doctor'],
  ['VATOM_CACHE_DIR', 'doctor'],
])('a token in %s is not shown, and the variable is named: %s %s', async (variable, ...args) => {
  const { run, home, file } = await publisher()
  file('tea.yaml', template)
  const { code, out, err } = await run(args, { env: { [variable]: token } })
  expect(code).not.toBe(0)
  expect(out + err).not.toContain('eyJ')
  for (const part of [variable, 'looks like a token', 'VATOM_REFRESH_TOKEN']) expect(out + err).toContain(part)
  expect(readdirSync(home)).not.toContain(token)
})

test.each([['whoami'], ['plan', '.', '--json'], ['doctor', '--json']])(
  'a token in the path of VATOM_BASE_URL is not shown: %s',
  async (...args) => {
    const { run, file, service } = await publisher()
    file('tea.yaml', template)
    const { baseUrl } = await service.listen({ host: '127.0.0.1', port: 0 })
    const env = { VATOM_BASE_URL: `${baseUrl}/${token}/`, VATOM_APP_ID: 'local', VATOM_REFRESH_TOKEN: 'r' }
    const { code, out, err } = await run(args, { env })
    expect(code).not.toBe(0)
    expect(out + err).not.toContain('eyJ')
    for (const part of ['VATOM_BASE_URL', 'looks like a token', 'VATOM_REFRESH_TOKEN'])
      expect(out + err).toContain(part)
  },
)

test.each([
  ['a user and a password', `https://joe:s3cret@h.example/${token}`],
  ['a query', `https://h.example/?key=s3cret&t=${token}`],
])('nothing is shown of an address with %s and a token', async (_what, address) => {
  const { run } = await publisher()
  const { code, out, err } = await run(['whoami'], { env: { VATOM_BASE_URL: address, VATOM_APP_ID: 'local' } })
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain('VATOM_BASE_URL must not have a user, a query or a fragment')
  expect(err).not.toMatch(/s3cret|eyJ/)
})

test.each([
  [['context', 'use', token]],
  [['template', 'get', token]],
  [[token]],
  [['whoami', token]],
  [['plan', token]],
  [['show', token]],
  [['validate', 'tea.yaml', '--within', token]],
  [['template', 'create', token]],
  [['validate', '--fix', token]],
  [['whoami', '--timeout', token]],
  [['plan', `--${token}`]],
  [['whoami', '--base-url', token, '--app-id', 'x']],
  [['whoami', '--base-url', 'http://127.0.0.1:1', '--app-id', token]],
  [['context', 'add', 'staging', '--base-url', 'http://127.0.0.1:1', '--app-id', token]],
])('a token as an argument is not repeated: %j', async (args) => {
  const { code, out, err } = await (await publisher()).run([...args, '--json'])
  expect(code).not.toBe(0)
  expect(out + err).not.toContain('eyJ')
  expect(err).toContain('looks like a token')
})

test.each(['github', 'gitlab', 'sarif', 'markdown'])(
  'a token as a file is not repeated in the format %s',
  async (format) => {
    const { code, out, err } = await (await publisher()).run(['validate', token, '--format', format])
    expect(code).toBe(3)
    expect(out + err).not.toContain('eyJ')
    expect(out).toContain('looks')
  },
)

test('a token as an argument is not repeated by a command to try', async () => {
  const { code, err } = await (await publisher()).run(['vatom', 'show', token])
  expect(code).toBe(2)
  expect(err).not.toContain('eyJ')
  expect(err).toContain('hint: a token of a session belongs in the variable VATOM_REFRESH_TOKEN')
})

test.each([
  ['encrypted', 'eyJhbGciOiJSU0EifQ.a2V5.aXY.Y2lwaGVy.dGFn'],
  ['encrypted without a key', 'eyJhbGciOiJkaXIifQ..aXY.Y2lwaGVy.dGFn'],
  ['without a signature', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.'],
])('a token that is %s is hidden as a whole', (_what, text) => {
  for (const before of ['', '--', 'token=', '?token%3D', 'Bearer%20'])
    expect(withoutTokens(`"${before}${text}"`)).toBe(`"${before}(it looks like a token, and is not shown)"`)
})

test.each(['eyJ', 'eyJ.', '%20eyJ'])(
  'a long message of a service with much of %s is soon shown',
  async (part) => {
    const message = part.repeat(1_000_000 / part.length)
    const { url } = await serverOf((_request, response) => {
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error: 1, message }))
    })
    const began = performance.now()
    const { code } = await (await publisher()).run(['whoami', '--base-url', url, '--app-id', 'x'], {
      env: { VATOM_ACCESS_TOKEN: token },
    })
    expect(code).toBe(1)
    expect(performance.now() - began).toBeLessThan(5_000)
  },
  60_000,
)

test('a long random word is taken for a token, and no name, hash, id or path is', () => {
  expect(withoutTokens('not q8Zt3LxV9bNc2RfKd7Wm5YpGh4Js6TuA.')).toBe('not (it looks like a token, and is not shown).')
  for (const text of [
    'SummerCampaign2024PromotionalCouponForTeaLovers',
    'com.example::Tea7b3Xc9Qw2Lp5Zt8Rn4Vm6Ks1Jd0::v1',
    '/tmp/q8Zt3LxV9bNc2RfKd7Wm5YpGh4Js6TuA/tea.yaml',
    'd7a8fbb307d7809469ca9abcb0082e4f8d5651e46d3cdb762d02d0bf37c9e592',
    '21f86eee-4829-4e07-b9d5-9f9f8b1d7ac0',
  ])
    expect(withoutTokens(text)).toBe(text)
})

test('of a token that is given as a file the hint says where it belongs', async () => {
  const { vatom, service } = await publisher()
  for (const verb of ['validate', 'plan'])
    expect((await vatom(verb, service.localToken())).err).toContain(
      'hint: a token of a session belongs in the variable VATOM_REFRESH_TOKEN',
    )
})
