import { expect, test } from 'vitest'
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
    ] as const) {
      const { code, out, err } = await run([word, 'catalog'], { env: { VATOM_PUBLISHER: given } })
      expect({ code, out }).toEqual({ code: 2, out: '' })
      expect(err).toContain(told)
    }
    expect(changes()).toEqual([])
  },
)

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
