import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { template } from '../../fixtures/yaml.ts'
import { served } from '../../support/desks.ts'
import { serverOf } from '../../support/servers.ts'
import { publisher } from '../../support/vatom.ts'

describe('what is stored', () => {
  test('in a folder that was there, whose mode stays as it is', async () => {
    const { login, home } = await served()
    const folder = join(home, '.config', 'vatom')
    mkdirSync(folder, { recursive: true, mode: 0o755 })
    await login()
    expect(statSync(folder).mode & 0o777).toBe(0o755)
    expect(statSync(join(folder, 'credentials.json')).mode & 0o777).toBe(0o600)
  })

  test('the names of valid files, but not in a pipeline', async () => {
    const { run, home } = await publisher()
    const env = { VATOM_BASE_URL: 'http://127.0.0.1:1', VATOM_APP_ID: 'x', VATOM_ACCESS_TOKEN: 'y' }
    expect(await run(['template', 'validate', '-'], { stdin: template(), build: 'b', env })).toMatchObject({ code: 0 })
    expect(readdirSync(home)).toEqual([])
    expect(await run(['template', 'validate', '-'], { stdin: template(), build: 'b' })).toMatchObject({ code: 0 })
    expect(readdirSync(home)).toEqual(['.cache'])
  })

  test('a token renewed while the context was signed out is not', async () => {
    const { login, vatom, home, service } = await served()
    await login(['--context', 'staging'])
    const path = join(home, '.config', 'vatom', 'credentials.json')
    const { staging } = JSON.parse(readFileSync(path, 'utf8'))
    const { url: base_url } = await serverOf(async (request, response) => {
      writeFileSync(path, '{}')
      const headers = {
        'app-id': service.appId,
        authentication: staging.refresh_token,
        authorization: String(request.headers.authorization),
      }
      response.end((await service.inject({ method: request.method ?? '', path: request.url ?? '', headers })).body)
    })
    const config = join(home, '.config', 'vatom', 'config.json')
    writeFileSync(
      config,
      JSON.stringify({ current: 'staging', contexts: { staging: { base_url, app_id: service.appId } } }),
    )
    writeFileSync(path, JSON.stringify({ staging: { refresh_token: staging.refresh_token } }))
    expect(await vatom('auth', 'token')).toMatchObject({ code: 0 })
    expect(readFileSync(path, 'utf8')).toBe('{}')
  })
})

test.each([
  ['credentials.json', 'refresh_token'],
  ['credentials.json', 'access_token'],
  ['config.json', 'app_id'],
])('a %s whose %s is damaged is named, as no request can have it', async (name, key) => {
  const { login, vatom, home } = await served()
  await login()
  const path = join(home, '.config', 'vatom', name)
  const text = readFileSync(path, 'utf8')
  for (const damage of ['\\u0000', '\\n', 'é', ' ']) {
    writeFileSync(path, text.replace(new RegExp(`("${key}": ?")`), `$1a${damage}b`))
    const { code, err } = await vatom('template', 'list')
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(`${path} is damaged`) })
    expect(err).toContain(`rm '${path}'`)
  }
})

test.each(['config.json', 'credentials.json'])(
  'a damaged %s names its path and the repair, never a stack',
  async (name) => {
    const { login, vatom, home } = await served()
    await login()
    const path = join(home, '.config', 'vatom', name)
    for (const damage of ['{"curr', '[]', '{"contexts": 5, "x": 7}']) {
      writeFileSync(path, damage)
      const { code, out, err } = await vatom('context', 'list')
      expect({ code, out }).toEqual({ code: 1, out: '' })
      expect(err).toContain(path)
      expect(err).toContain('hint: repair it')
      expect(err).not.toMatch(/\n\s+at /)
    }
    writeFileSync(path, 'eyJTOKEN')
    expect((await vatom('context', 'list', '--debug')).err).not.toContain('eyJ')
  },
)
