import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { openService } from '../../src/server/service.ts'
import { openSqlite } from '../../src/server/store/database/sqlite.ts'
import { template } from '../fixtures/yaml.ts'
import { newFolder, writeFiles } from '../support/folders.ts'
import { hostWith } from '../support/host.ts'
import { Capture } from '../support/streams.ts'
import { publisher } from '../support/vatom.ts'

test('a folder of the environment that begins with ~ is below the home, as a shell would have it', async () => {
  const { run, home } = await publisher()
  const env = { VATOM_CONFIG_DIR: '~/own', XDG_DATA_HOME: '~/data', VATOM_CACHE_DIR: '~' }
  const add = ['context', 'add', 'staging', '--base-url', 'https://api.example.com', '--app-id', 'x']
  expect(await run(add, { env, cwd: 'elsewhere' })).toMatchObject({ code: 0 })
  expect(await run(['snapshot', 'save', 'one'], { env, cwd: 'elsewhere' })).toMatchObject({ code: 0 })
  for (const path of ['own/config.json', 'data/vatom/snapshots/one.json'])
    expect(existsSync(join(home, path))).toBe(true)
  expect(readdirSync(home).sort()).toEqual(['data', 'own'])
})

test('a folder of the environment that is set, but empty, is a usage error; an empty one of XDG is none', async () => {
  const { run } = await publisher()
  for (const name of ['VATOM_CONFIG_DIR', 'VATOM_DATA_DIR', 'VATOM_CACHE_DIR'])
    expect(await run(['context', 'list'], { env: { [name]: ' ' } })).toMatchObject({
      code: 2,
      err: `error: ${name} is set, but empty\nhint: name a folder there, or unset it\n`,
    })
  const env = { XDG_CONFIG_HOME: '', XDG_DATA_HOME: '', XDG_CACHE_HOME: '' }
  expect(await run(['context', 'list'], { env })).toMatchObject({ code: 0 })
})

test('a relative base directory of XDG is not used, and a warning says so', async () => {
  const { run, home } = await publisher()
  const env = { XDG_CONFIG_HOME: 'own', XDG_DATA_HOME: './data', XDG_CACHE_HOME: 'cache' }
  const add = ['context', 'add', 'staging', '--base-url', 'https://api.example.com', '--app-id', 'x']
  expect(await run(add, { env, cwd: 'elsewhere' })).toMatchObject({ code: 0 })
  const { code, err } = await run(['snapshot', 'save', 'one'], { env, cwd: 'elsewhere' })
  expect({ code, warnings: err.match(/^warning: XDG.*$/gm) }).toEqual({
    code: 0,
    warnings: [
      'warning: XDG_CONFIG_HOME is not used, because it is no absolute path: own',
      'warning: XDG_DATA_HOME is not used, because it is no absolute path: ./data',
      'warning: XDG_CACHE_HOME is not used, because it is no absolute path: cache',
    ],
  })
  for (const path of ['.config/vatom/config.json', '.local/share/vatom/snapshots/one.json'])
    expect(existsSync(join(home, path))).toBe(true)
  expect(existsSync(join(home, 'elsewhere'))).toBe(false)
})

test.each(['VATOM_CONFIG_DIR', 'VATOM_DATA_DIR', 'VATOM_CACHE_DIR'])(
  '%s with the name of a variable in the place of its value is a usage error, and no folder',
  async (name) => {
    const { run, home } = await publisher()
    for (const folder of ['$RUNNER_TEMP/vatom', '$(pwd)/vatom'])
      expect(await run(['snapshot', 'save', 'one'], { env: { [name]: folder } })).toMatchObject({
        code: 2,
        err: expect.stringContaining(`${name} begins with $, as the name of a variable whose value was not put`),
      })
    expect(readdirSync(home)).toEqual([])
    expect(await run(['snapshot', 'save', 'one'], { env: { [name]: './$kept' } })).toMatchObject({ code: 0 })
  },
)

/** A machine with a catalog, and a plan of it with the data in a folder. */
function machine() {
  const home = newFolder()
  writeFiles(home, { 'tea.yaml': template() })
  const plan = async (data: string) => {
    const stderr = new Capture()
    const host = hostWith({ ...{ stderr, cwd: home, home, openService }, env: { VATOM_DATA_DIR: data } })
    return { code: await main(['plan', '.'], host), err: stderr.text }
  }
  return { home, plan }
}

test('where the local data has an index of somebody’s own, the hint takes that out, and leaves the data', async () => {
  const { home, plan } = machine()
  const data = join(home, 'my data')
  expect(await plan(data)).toMatchObject({ code: 0 })
  const db = await openSqlite(join(data, 'local.db'))
  db.exec('CREATE INDEX mine ON users(last_login)')
  const { code, err } = await plan(data)
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringContaining(
      `hint: take it out: sqlite3 '${data}/local.db' 'DROP INDEX "mine"', or choose another folder with VATOM_DATA_DIR`,
    ),
  })
  expect(err).not.toContain('move the file away')
  db.exec('DROP INDEX mine')
  db.close()
  expect(await plan(data)).toMatchObject({ code: 0 })
})

test('a damaged database is to be moved away with its log, which has what was stored last, if it has one', async () => {
  const { home, plan } = machine()
  const hint = (advice: string) =>
    expect.stringMatching(`cannot be used: .*\nhint: ${advice}, or choose another folder with VATOM_DATA_DIR\n$`)
  await plan(join(home, 'whole'))
  const db = await openSqlite(join(home, 'whole/local.db'))
  db.exec("PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO settings VALUES ('last', '')")
  const data = join(home, 'data')
  cpSync(join(home, 'whole'), data, { recursive: true })
  db.close()
  truncateSync(join(data, 'local.db'), 5000)
  const log = readFileSync(join(data, 'local.db-wal'))
  expect(log.length).toBeGreaterThan(0)
  const names = ['local.db', 'local.db-wal', 'local.db-shm']
  expect(await plan(data)).toEqual({ code: 1, err: hint(`move ${names.join(' and ')} away together`) })
  mkdirSync(join(home, 'away'))
  for (const name of names) renameSync(join(data, name), join(home, 'away', name))
  expect(readFileSync(join(home, 'away/local.db-wal'))).toEqual(log)
  expect(await plan(data)).toMatchObject({ code: 0 })
  writeFiles(home, { 'alone/local.db': 'damaged' })
  expect(await plan(join(home, 'alone'))).toEqual({ code: 1, err: hint('move it away') })
})

test.runIf(existsSync('/sys/kernel'))(
  'where no data can be stored, the hint names another folder, which then works',
  async () => {
    const { home, plan } = machine()
    const refused = await plan('/sys/vatom')
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('/sys/vatom/local.db cannot be used: ') })
    expect(refused.err).toContain(
      'hint: let this user write to it and to its folder, or choose another folder with VATOM_DATA_DIR',
    )
    expect(await plan(join(home, 'data'))).toMatchObject({ code: 0 })
  },
)
