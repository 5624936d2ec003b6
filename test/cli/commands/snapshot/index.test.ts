import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dirsOf } from '../../../../src/cli/dirs.ts'
import { recordServing } from '../../../../src/cli/service/running.ts'
import { template } from '../../../fixtures/yaml.ts'
import { served } from '../../../support/desks.ts'
import { newFolder } from '../../../support/folders.ts'
import { serverOf } from '../../../support/servers.ts'
import { publisher } from '../../../support/vatom.ts'

const name = 'local.vatom::Coupon::v1'

/** A desk with one template on its local service. */
async function stocked() {
  const desk = await publisher()
  desk.file('coupon.yaml', template())
  await desk.json('template', 'create', 'coupon.yaml')
  return {
    ...desk,
    names: async () => ((await desk.json('template', 'list')) as { name: string }[]).map((one) => one.name),
  }
}

describe('snapshot', () => {
  test('save, list, load and delete, as text', async () => {
    const { vatom, names } = await stocked()
    expect(await vatom('snapshot', 'save', 'one')).toEqual({ code: 0, out: 'Saved one: 1 template\n', err: '' })
    expect(await vatom('snapshot', 'list')).toEqual({
      code: 0,
      out: 'one\t2026-03-01T12:00:00Z\t1\t0\t0\t0\t0\n',
      err: '',
    })
    await vatom('template', 'delete', name, '--yes')
    const loaded = await vatom('snapshot', 'load', 'one', '--yes')
    expect(loaded).toMatchObject({ code: 0, out: 'Loaded one: 1 template\n' })
    const again = await vatom('snapshot', 'load', 'one', '--yes')
    expect(again).toMatchObject({ code: 0, out: 'Loaded one: 1 template\nIt replaced 1 template\n' })
    expect(loaded.err).toMatch(/^context local: this machine only, /)
    expect(await names()).toEqual([name])
    expect(await vatom('snapshot', 'delete', 'one', '--yes')).toMatchObject({
      code: 0,
      out: 'Deleted the snapshot one\n',
    })
    expect(await vatom('snapshot', 'list')).toEqual({ code: 0, out: '', err: 'No snapshots.\n' })
    expect(await names()).toEqual([name])
  })

  test('and under --json', async () => {
    const { json } = await stocked()
    const one = {
      name: 'one',
      when_saved: '2026-03-01T12:00:00Z',
      templates: 1,
      variations: 0,
      vatoms: 0,
      assets: 0,
      users: 0,
    }
    expect(await json('snapshot', 'save', 'one')).toEqual(one)
    expect(await json('snapshot', 'list')).toEqual([one])
    const replaced = { templates: 1, variations: 0, vatoms: 0, assets: 0, users: 0 }
    expect(await json('snapshot', 'load', 'one', '--yes')).toEqual({ ...one, replaced })
    expect(await json('snapshot', 'delete', 'one', '--yes')).toEqual(one)
    expect(await json('snapshot', 'list')).toEqual([])
  })

  test.each(['local', 'network'] as const)(
    'load names the assets of which no whole file is left: %s',
    async (transport) => {
      const temporary = join(newFolder(), 'snapshots')
      const { vatom, json, file, home } = await publisher({ transport, service: { temporary } })
      file('logo.txt', 'a logo')
      await json('asset', 'upload', 'logo.txt')
      await json('snapshot', 'save', 'one')
      const shelf = transport === 'local' ? join(home, '.local/share/vatom/snapshots') : temporary
      const names = readdirSync(shelf, { recursive: true }).map(String)
      const copy = names.find((name) => /\/assets\/[\da-f-]{36}$/.test(name)) ?? ''
      const id = basename(copy)
      writeFileSync(join(shelf, copy), '')
      const { code, out, err } = await vatom('snapshot', 'load', 'one', '--yes')
      expect({ code, out }).toEqual({ code: 0, out: 'Loaded one: 1 asset\nIt replaced 1 asset\n' })
      expect(err).toContain(`no whole file is left of 1 asset: logo.txt (${id}); put them back from a backup`)
      expect(await json('snapshot', 'load', 'one', '--yes')).toMatchObject({
        damaged_assets: [{ id, name: 'logo.txt' }],
      })
    },
  )

  test('on a terminal the list has a head', async () => {
    const { run, vatom } = await stocked()
    await vatom('snapshot', 'save', 'one')
    const { out } = await run(['snapshot', 'list', '--no-color'], { tty: true })
    expect(out.split('\n').map((line) => line.split(/ {2,}/))).toMatchObject([
      ['NAME', 'SAVED', 'TEMPLATES', 'VARIATIONS', 'VATOMS', 'ASSETS', 'USERS'],
      ['one', '2026-03-01T12:00:00Z', '1', '0', '0', '0', '0'],
      [''],
    ])
  })

  test('lies in the data directory', async () => {
    const { run, home, json } = await stocked()
    await json('snapshot', 'save', 'one')
    expect(existsSync(join(home, '.local/share/vatom/snapshots/one.json'))).toBe(true)
    await run(['snapshot', 'save', 'two'], { env: { VATOM_DATA_DIR: join(home, 'elsewhere') } })
    expect(existsSync(join(home, 'elsewhere/snapshots/two.json'))).toBe(true)
  })

  test('a name that is taken wants --force', async () => {
    const { vatom, json } = await stocked()
    await json('snapshot', 'save', 'one')
    await vatom('template', 'delete', name, '--yes')
    expect(await vatom('snapshot', 'save', 'one')).toMatchObject({ code: 1, err: expect.stringContaining('--force') })
    expect(await json('snapshot', 'list')).toMatchObject([{ templates: 1 }])
    expect(await vatom('snapshot', 'save', 'one', '--force')).toMatchObject({
      code: 0,
      out: 'Saved one\n',
    })
    expect(await json('snapshot', 'list')).toMatchObject([{ templates: 0 }])
  })

  test('load says what it replaces by what, and offers to save a snapshot of that first', async () => {
    const { run, vatom, json, file } = await stocked()
    await json('snapshot', 'save', 'one')
    file('other.yaml', template('$publisher::Other::v1'))
    await json('template', 'create', 'other.yaml')
    const change =
      'all data of the local context (2 templates) by the snapshot one of 2026-03-01T12:00:00Z (1 template)'
    expect((await vatom('snapshot', 'load', 'one')).err).toContain(`Replace ${change}?`)
    expect((await vatom('snapshot', 'load', 'one', '--dry-run')).out).toContain(`Would replace ${change}\n`)
    const before = 'before-load-2026-03-01T12-00-00'
    const answers = { 'Save a snapshot of 2 templates first?': '', [`Replace ${change}?`]: 'y' }
    const { code, err } = await run(['snapshot', 'load', 'one'], { tty: true, columns: 200, answers })
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining(`vatom snapshot load ${before}\n`) })
    expect(await json('template', 'list')).toHaveLength(1)
    expect(await vatom('snapshot', 'load', before, '--yes', '--snapshot', 'again')).toMatchObject({ code: 0 })
    expect(await json('template', 'list')).toHaveLength(2)
    expect(await json('snapshot', 'list')).toMatchObject([{ name: 'again' }, { name: before }, { name: 'one' }])
  })

  test('load and delete do nothing if what the question named changes while it stands', async () => {
    const { run, vatom, json, file, names } = await stocked()
    await json('snapshot', 'save', 'one')
    file('tea.yaml', template('$publisher::Tea::v1'))
    const createTea = async () => {
      await json('template', 'create', 'tea.yaml')
      return 'y'
    }
    const saveAgain = async () => {
      await json('snapshot', 'save', 'one', '--force')
      return 'y'
    }
    const skip = { 'Save a snapshot': '\u001b[B' }
    const loaded = await run(['snapshot', 'load', 'one'], { tty: true, answers: { ...skip, 'Replace all': createTea } })
    expect(loaded).toMatchObject({ code: 1, err: expect.stringContaining('the data has changed since the question') })
    expect(await names()).toHaveLength(2)
    for (const [verb, question] of [
      ['load', 'Replace all'],
      ['delete', 'Delete the snapshot'],
    ] as const) {
      const { code, err } = await run(['snapshot', verb, 'one'], {
        tty: true,
        answers: { ...skip, [question]: saveAgain },
      })
      expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('the snapshot one has changed since') })
      await vatom('template', 'delete', 'local.vatom::Tea::v1', '--yes')
    }
    expect(await json('snapshot', 'list')).toHaveLength(1)
  })

  test('load says that codes and pins of its users are no longer valid', async () => {
    const { vatom, json } = await stocked()
    await json('snapshot', 'save', 'without')
    await json('user', 'register', '--email', 'eve@example.com')
    await json('snapshot', 'save', 'with')
    const { code, err } = await vatom('snapshot', 'load', 'with', '--yes')
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringMatching(/^Codes and pins .* no longer valid; .*: vatom user reset-password USER$/m),
    })
    expect((await vatom('snapshot', 'load', 'without', '--yes')).err).not.toContain('pins')
  })

  test('an unknown one is exit 1, with the nearest', async () => {
    const { vatom, json, names } = await stocked()
    await json('snapshot', 'save', 'before-launch')
    for (const words of [['load'], ['delete'], ['load', '--yes'], ['delete', '--yes']]) {
      const { code, err } = await vatom('snapshot', ...words, 'before-lunch')
      expect(code).toBe(1)
      expect(err).toContain('error: There is no snapshot named before-lunch\nhint: did you mean before-launch?\n')
    }
    expect(await names()).toEqual([name])
  })

  test.each([['../one'], ['a/b'], ['.hidden'], ['-x'], [''], ['a b'], ['x'.repeat(65)], ['..']])(
    'the name %j is exit 2',
    async (given) => {
      const { run, home } = await publisher()
      for (const words of [['save'], ['load', '--yes'], ['delete', '--yes']])
        expect(await run(['snapshot', ...words, '--', given])).toMatchObject({
          code: 2,
          out: '',
          err: expect.stringContaining(given === '' ? 'The name is empty' : 'letters from A to Z, digits'),
        })
      expect(existsSync(join(home, '.local'))).toBe(false)
    },
  )
})

describe('reset', () => {
  test('empties the local context', async () => {
    const { vatom, names, json } = await stocked()
    const { code, out, err } = await vatom('reset', '--yes')
    expect({ code, out }).toEqual({ code: 0, out: 'Deleted all data of the local context: 1 template.\n' })
    expect(err).toContain('context local')
    expect(await names()).toEqual([])
    expect(await json('reset', '--yes')).toEqual({
      reset: expect.stringMatching(/local\.db$/),
      deleted: { templates: 0, variations: 0, vatoms: 0, assets: 0, users: 0 },
    })
    expect(await vatom('whoami')).toMatchObject({ code: 0 })
  })
})

test.each([
  ['snapshot', 'save', 'two'],
  ['snapshot', 'load', 'one', '--yes'],
  ['reset', '--yes'],
])('the result of %s %s is broken between words on a narrow terminal', async (...args) => {
  const { json, run } = await stocked()
  await json('user', 'register', '--email', 'eve@example.com')
  await json('snapshot', 'save', 'one')
  const { code, out } = await run(args, { tty: true, columns: 30 })
  expect(code).toBe(0)
  expect(
    out
      .trimEnd()
      .split('\n')
      .filter((line) => line.length > 30),
  ).toEqual([])
})

describe('delete of several snapshots', () => {
  const saved = async () => {
    const desk = await stocked()
    for (const one of ['one', 'two']) await desk.json('snapshot', 'save', one)
    return desk
  }

  test('deletes each', async () => {
    const { vatom, json } = await saved()
    expect(await vatom('snapshot', 'delete', 'one', 'two', '--yes')).toMatchObject({
      code: 0,
      out: 'Deleted the snapshot one\nDeleted the snapshot two\n',
    })
    expect(await json('snapshot', 'list')).toEqual([])
  })
  test('asks about all of them, and deletes none if one does not exist', async () => {
    const { vatom, json } = await saved()
    expect((await vatom('snapshot', 'delete', 'one', 'two')).err).toMatch(
      /Delete 2 snapshots: one of \S+, two of \S+\?/,
    )
    expect(await vatom('snapshot', 'delete', 'one', 'two', '--dry-run')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Would delete 2 snapshots: one of \S+, two of \S+\n$/),
    })
    expect(await vatom('snapshot', 'delete', 'one', 'three', '--yes')).toMatchObject({ code: 1, out: '' })
    expect(await json('snapshot', 'list')).toHaveLength(2)
    expect(await json('snapshot', 'delete', 'one', 'two', '--yes')).toMatchObject([{ name: 'one' }, { name: 'two' }])
  })
})

test.each([[['snapshot', 'load', 'one']], [['snapshot', 'delete', 'one']], [['reset']]])(
  '%j without --yes and without anybody to ask is exit 2, and nothing is done',
  async (args) => {
    const { vatom, names, json } = await stocked()
    await json('snapshot', 'save', 'one')
    expect(await vatom(...args)).toMatchObject({ code: 2, out: '', err: expect.stringContaining('--yes') })
    expect(await names()).toEqual([name])
    expect(await json('snapshot', 'list')).toHaveLength(1)
  },
)

test.each([
  [['snapshot', 'save', 'one']],
  [['snapshot', 'load', 'one', '--yes']],
  [['snapshot', 'list']],
  [['snapshot', 'delete', 'one', '--yes']],
  [['reset', '--yes']],
])('%j on another context is exit 2; no hint names a command that changes other data', async (args) => {
  const { vatom, run, home } = await publisher({ transport: 'network' })
  const { code, out, err } = await vatom(...args)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toMatch(/only for the data of the local context, or .*, but this command uses .*; nothing was done$/m)
  expect(err).toContain(
    'hint: where it is a vatom serve --db FILE, stop the service, then copy, or remove, FILE, the folder FILE.assets and, where there is one, FILE-wal; to see which service a command uses: vatom whoami\n',
  )
  expect(err).not.toContain('--context local')
  expect(existsSync(join(home, '.local'))).toBe(false)
  await run(['snapshot', 'save', 'one', '--context', 'local', '--force'])
  const forced = args[1] === 'save' ? [...args, '--force'] : args
  expect(await vatom(...forced, '--context', 'local')).toMatchObject({ code: 0 })
  const env = { VATOM_BASE_URL: 'http://127.0.0.1:9', VATOM_APP_ID: 'x', VATOM_ACCESS_TOKEN: 'x' }
  expect(await run(args, { env })).toMatchObject({ code: 5, err: expect.stringContaining('http://127.0.0.1:9') })
})

test('where the service is no vatom serve, the hint says nothing of its files', async () => {
  const { run } = await publisher()
  const { url } = await serverOf((_request, response) => response.writeHead(404).end('{"error":404}'))
  const { code, err } = await run(['reset', '--yes', '--base-url', url, '--app-id', 'local'])
  expect({ code, err }).toEqual({
    code: 2,
    err: expect.stringMatching(/^hint: see which service a command uses: vatom .*whoami$/m),
  })
  expect(err).not.toContain('FILE')
})

test('on a context that serves the data of the local one, the hint names that', async () => {
  const { vatom, login, home, baseUrl, service } = await served()
  expect(await login()).toMatchObject({ code: 0 })
  recordServing({ baseUrl, appId: service.appId }, dirsOf({ env: {}, home, cwd: home }))
  expect(await vatom('reset', '--yes')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^hint: .* serves the data of the local context: add --context local$/m),
  })
})

test.each([
  ['list', ['snapshot', 'list'], 'GET /__vatom/snapshots'],
  ['save', ['snapshot', 'save', 'one'], 'PUT /__vatom/snapshots/one'],
  ['load', ['snapshot', 'load', 'one', '--yes'], 'GET /__vatom/data'],
  ['delete', ['snapshot', 'delete', 'one', '--yes'], 'GET /__vatom/snapshots/one'],
  ['reset', ['reset', '--yes'], 'GET /__vatom/data'],
])('%s says so where a service answers something else than the API declares', async (_, command, request) => {
  const { run } = await publisher()
  const { url } = await serverOf((_request, response) => response.end('{"payload":{"temporary":true,"name":1}}'))
  expect(await run([...command, '--base-url', url, '--app-id', 'local'])).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining(`error: ${request} did not answer what the API declares\n`),
  })
})

describe('on a temporary service', () => {
  async function temporaryDesk() {
    const folder = join(newFolder(), 'snapshots')
    const desk = await publisher({ transport: 'network', service: { temporary: folder } })
    desk.file('coupon.yaml', template())
    await desk.json('template', 'create', 'coupon.yaml')
    return { ...desk, folder }
  }

  test('reset and snapshots work with its data, and not with those of the local context', async () => {
    const { vatom, json, home } = await temporaryDesk()
    expect(await json('snapshot', 'save', 'one')).toMatchObject({ name: 'one', templates: 1 })
    const again = await vatom('snapshot', 'save', 'one')
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('hint: replace it with --force') })
    expect(await json('snapshot', 'save', 'one', '--force')).toMatchObject({ name: 'one' })
    expect(await vatom('reset', '--yes', '--dry-run')).toMatchObject({ code: 0 })
    expect(await json('template', 'list')).toHaveLength(1)
    const { code, out } = await vatom('reset', '--yes')
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(
        /^Deleted all data of the temporary service .*http:\/\/127\.0\.0\.1:\d+.*: 1 template\.$/m,
      ),
    })
    expect(await json('template', 'list')).toEqual([])
    expect(await json('snapshot', 'load', 'one', '--yes')).toMatchObject({ templates: 1 })
    expect(await json('template', 'list')).toHaveLength(1)
    expect(await json('snapshot', 'delete', 'one', '--yes')).toMatchObject({ name: 'one' })
    expect(await json('snapshot', 'list')).toEqual([])
    expect(await vatom('snapshot', 'load', 'one', '--yes')).toMatchObject({
      code: 1,
      err: expect.stringContaining('vatom snapshot list'),
    })
    expect(existsSync(join(home, '.local'))).toBe(false)
  })

  test('a lasting service refuses requests to replace its data', async () => {
    const { service, vatom } = await publisher({ transport: 'network' })
    const { baseUrl } = await service.listen({ host: '127.0.0.1', port: 0 })
    for (const [method, path] of [
      ['DELETE', 'data'],
      ['PUT', 'data'],
      ['GET', 'snapshots'],
      ['PUT', 'snapshots/one'],
      ['DELETE', 'snapshots/one'],
    ] as const)
      expect((await fetch(`${baseUrl}/__vatom/${path}`, { method })).status, path).toBe(403)
    expect(await vatom('template', 'list')).toMatchObject({ code: 0 })
  })
})
