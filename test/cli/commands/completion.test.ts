import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readCommandLine } from '../../../src/cli/command-line.ts'
import { commandRows, type Row, typed } from '../../../src/cli/completion/rows.ts'
import { createContext } from '../../../src/cli/context.ts'
import { loadCommands, words } from '../../../src/cli/words.ts'
import { template, variation } from '../../fixtures/yaml.ts'
import { facing } from '../../support/desks.ts'
import { hostWith } from '../../support/host.ts'
import { serverOf } from '../../support/servers.ts'
import { publisher } from '../../support/vatom.ts'

const shells = ['bash', 'zsh', 'fish'] as const

/** Rows of the real commands. */
async function rows(): Promise<Row[]> {
  const host = hostWith()
  const context = await createContext(host, { timeout: 1, input: false, pager: false }, readCommandLine([]))
  return commandRows(host, await loadCommands(context))
}

describe('what the commands say', () => {
  test('every word and every verb has a row, hidden ones have none', async () => {
    const found = await rows()
    const paths = found.map(({ path }) => path)
    for (const word of Object.keys(words).filter((word) => word !== '__complete')) expect(paths).toContain(word)
    for (const path of ['template create', 'action handler register', 'context use', 'auth token'])
      expect(paths).toContain(path)
    expect(JSON.stringify(found)).not.toContain('__complete')
    expect(JSON.stringify(found)).not.toContain('avatar-uri')
  })
  test('values come from choices, and from what flags and operands are called', async () => {
    const found = await rows()
    const row = (path: string) => found.find((one) => one.path === path)
    const flag = (path: string, long: string) => row(path)?.flags.find((one) => one.long === long)?.values
    expect(flag('face register', 'view-mode')).toEqual(['icon', 'engaged', 'card', 'fullscreen'])
    expect(flag('', 'context')).toBe('@contexts')
    expect(flag('', 'json')).toBe(undefined)
    expect(flag('discover', 'file')).toBe('@files')
    expect(flag('inventory', 'folder')).toBe('@nothing')
    expect(flag('variation list', 'template')).toBe('@templates')
    expect(flag('variation publish', 'confirm')).toBe('@variations')
    expect(flag('action register', 'name')).toBe('@nothing')
    expect(row('template create')).toMatchObject({ operands: ['@files'], variadic: true })
    expect(flag('variation render', 'template')).toBe('@files')
    expect(flag('preview', 'changed')).toBe('@files')
    expect(flag('preview', 'out')).toBe('@folders')
    expect(row('variation render')?.operands).toEqual([['@variations', '@files']])
    expect(row('face select')?.operands).toEqual([['@templates', '@files']])
    expect(row('template bump')?.operands).toEqual([['@templates', '@files'], '@files'])
    expect(row('face update')?.operands).toEqual(['@files'])
    expect(row('action update')?.operands).toEqual(['@files'])
    expect(row('pull')?.operands).toEqual(['@folders'])
    expect(row('template get')).toMatchObject({ operands: ['@templates'], variadic: false })
    expect(row('emit')).toMatchObject({ operands: ['@variations'] })
    expect(row('context use')).toMatchObject({ operands: ['@contexts'] })
    expect(row('context add')).toMatchObject({ operands: ['@nothing'] })
    expect(row('schema')?.operands).toEqual([['template', 'variation', 'face', 'action', 'discover', 'profile', 'api']])
    expect(row('api')?.operands[1]).toBe('@nothing')
  })
  test('a flag takes a value everywhere or nowhere: the scripts look it up by its name alone', async () => {
    const taking = new Map<string, boolean>()
    for (const { flags, path } of await rows())
      for (const flag of flags)
        for (const name of typed(flag)) {
          const takes = flag.values !== undefined
          expect({ path, name, takes: taking.get(name) ?? takes }).toEqual({ path, name, takes })
          taking.set(name, takes)
        }
  })
})

describe.each(shells)('completion %s', (shell) => {
  test('prints a script with every command, flag and choice, and under --json the same', async () => {
    const { vatom, json } = await publisher()
    const { code, out, err } = await vatom('completion', shell)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    for (const { path, words: below } of await rows()) {
      if (path !== '') expect(out).toContain(`'${path}'`)
      for (const { name } of below) expect(out).toContain(name)
    }
    for (const text of ['view-mode', 'fullscreen', 'accept-charges', 'base-url', 'github']) expect(out).toContain(text)
    expect(out).toContain('__complete')
    expect(out).not.toContain('system-properties')
    expect(await json('completion', shell)).toEqual({ shell, script: out.slice(0, -1) })
  })
})

test('completion of another shell is a usage error', async () => {
  const { vatom } = await publisher()
  expect(await vatom('completion', 'tcsh')).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('bash, zsh, fish'),
  })
})

describe('names', () => {
  /** A desk with a template and a variation. */
  async function stocked() {
    const desk = await publisher({ transport: 'network' })
    desk.file('coupon.yaml', template())
    desk.file('red.yaml', variation())
    await desk.json('template', 'create', 'coupon.yaml')
    await desk.json('variation', 'create', 'red.yaml')
    return desk
  }
  test('of templates, variations and contexts that begin as asked, each once, with $publisher if that is typed', async () => {
    const { vatom } = await stocked()
    const silent = { code: 0, err: '' }
    expect(await vatom('__complete', 'templates')).toEqual({
      ...silent,
      out: 'local.vatom::Coupon::v1\n',
    })
    expect(await vatom('__complete', 'templates', '--', '$pub')).toEqual({ ...silent, out: '$publisher::Coupon::v1\n' })
    expect(await vatom('__complete', 'templates', 'other')).toEqual({ ...silent, out: '' })
    expect(await vatom('__complete', 'variations', 'local.')).toEqual({
      ...silent,
      out: 'local.vatom::Coupon::v1::Red\n',
    })
    expect((await vatom('__complete', 'contexts')).out).toMatch(/^local\n127\.0\.0\.1:\d+\n$/)
    expect(await vatom('__complete', 'toString')).toEqual({ ...silent, out: '' })
  })
  test('begin at a part, where no whole name begins so, and at their template where several have the rest', async () => {
    const { vatom, file, json } = await stocked()
    file('tea.yaml', template().replaceAll('Coupon', 'CouponTea'))
    await json('template', 'create', 'tea.yaml')
    const offered = async (sort: string, prefix: string) => (await vatom('__complete', sort, '--', prefix)).out
    expect(await offered('templates', 'Cou')).toBe('Coupon::v1\nCouponTea::v1\n')
    expect(await offered('templates', 'Coupon::')).toBe('Coupon::v1\n')
    expect(await offered('templates', 'v')).toBe('Coupon::v1\nCouponTea::v1\n')
    expect(await offered('templates', 'V')).toBe('')
    expect(await offered('variations', 'R')).toBe('Red\n')
    expect(await offered('variations', 'v1::')).toBe('v1::Red\n')
    expect((await vatom('emit', 'v1::Red', '--dry-run')).code).toBe(0)
    file('tea-red.yaml', variation().replaceAll('Coupon', 'CouponTea'))
    file('tea-rose.yaml', variation().replaceAll('Coupon', 'CouponTea').replaceAll('Red', 'Rose'))
    await json('variation', 'create', 'tea-red.yaml', 'tea-rose.yaml')
    expect(await offered('variations', 'R')).toBe('Coupon::v1::Red\nCouponTea::v1::Red\nRose\n')
    expect(await offered('variations', 'Ro')).toBe('Rose\n')
  })
  test('are none where there is no session, no service, a refusal, or a damaged configuration', async () => {
    const { vatom, file, json } = await stocked()
    await json('context', 'add', 'away', '--base-url', 'http://127.0.0.1:9', '--app-id', 'x')
    const none = { code: 0, out: '', err: '' }
    expect(await vatom('--context', 'away', '__complete', 'templates')).toEqual(none)
    expect(await vatom('--context', 'unknown', '__complete', 'templates')).toEqual(none)
    const { run, env } = await facing((_, response) => void response.writeHead(403).end('{"error":401}'))
    expect(await run(['__complete', 'templates'], { env })).toEqual(none)
    file('.config/vatom/config.json', '{')
    expect(await vatom('__complete', 'templates')).toEqual(none)
    expect(await vatom('__complete', 'contexts')).toEqual(none)
  })
  test('of a service that does not answer are none, after about a second', async () => {
    const { url } = await serverOf()
    const { run } = await publisher()
    const env = { VATOM_BASE_URL: url, VATOM_APP_ID: 'x', VATOM_ACCESS_TOKEN: 'y' }
    const started = performance.now()
    expect(await run(['__complete', 'templates'], { env })).toEqual({ code: 0, out: '', err: '' })
    expect(performance.now() - started).toBeLessThan(3000)
  })
  test('of the local context make no database where there is none', async () => {
    const { vatom, home } = await publisher()
    expect(await vatom('__complete', 'templates')).toEqual({ code: 0, out: '', err: '' })
    expect(existsSync(join(home, '.local'))).toBe(false)
  })
  test('of the local context are found once there is one', async () => {
    const { vatom, file, json } = await publisher()
    file('.local/share/vatom/local.db', '')
    file('coupon.yaml', template())
    await json('template', 'create', 'coupon.yaml')
    expect((await vatom('__complete', 'templates', 'loc')).out).toBe('local.vatom::Coupon::v1\n')
  })
})
