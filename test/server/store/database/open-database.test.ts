import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import type { UserTokenRecord } from '../../../../src/contract/api/user-token.ts'
import { failureAnswer } from '../../../../src/server/request/answers.ts'
import { openService, type Service } from '../../../../src/server/service.ts'
import { openDatabase } from '../../../../src/server/store/database/open-database.ts'
import { atLeast, openSqlite, type Sqlite } from '../../../../src/server/store/database/sqlite.ts'
import { Writes } from '../../../../src/server/store/database/writes.ts'
import { migrations } from '../../../../src/server/store/migrations.ts'
import { template } from '../../../fixtures/bodies.ts'
import { makeReadOnly, newFolder } from '../../../support/folders.ts'
import { codeFor, send } from '../../../support/service.ts'

const file = () => join(newFolder(), 'data', 'service.db')
const value = (db: Sqlite, pragma: string) => Object.values(Object(db.prepare(`PRAGMA ${pragma}`).get()))[0]
const schemaFile = fileURLToPath(new URL('../../../../src/server/store/schema.ts', import.meta.url))

/** The source of the schema of a database, without what SQLite makes by itself. */
function schemaText(db: Sqlite): string {
  const rows = db
    .prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid")
    .all()
  const made = rows.map((row) => String(Object(row).sql)).filter((sql) => !/^CREATE TABLE "positions_/.test(sql))
  return `/** What the steps of the migrations lead to, for new databases; a test writes it with UPDATE=1. */\nexport const schema = \`\n${made.join(';\n')};\n\`\n`
}
const mode = (path: string) => statSync(path).mode & 0o777

test('only the owner may read a new database', async () => {
  const path = file()
  const db = await openDatabase(path)
  for (const suffix of ['', '-wal', '-shm']) expect([suffix, mode(path + suffix)]).toEqual([suffix, 0o600])
  expect(mode(join(path, '..'))).toBe(0o700)
  db.close()
})

test('a new database has the schema that all steps lead to', async () => {
  const objects = (db: Sqlite) =>
    db
      .prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name")
      .all()
  const stepwise = await openDatabase(':memory:', [...migrations])
  if (process.env.UPDATE) writeFileSync(schemaFile, schemaText(stepwise))
  expect(schemaText(stepwise), 'run this test with UPDATE=1').toBe(readFileSync(schemaFile, 'utf8'))
  const atOnce = await openDatabase(':memory:')
  expect(objects(atOnce)).toEqual(objects(stepwise))
  for (const db of [stepwise, atOnce]) {
    expect(value(db, 'user_version')).toBe(migrations.length)
    db.close()
  }
})

test('writes are durable, and references hold', async () => {
  const db = await openDatabase(file())
  expect(value(db, 'journal_mode')).toBe('wal')
  expect(value(db, 'synchronous')).toBe(2)
  expect(value(db, 'foreign_keys')).toBe(1)
  db.close()
})

test('opening again changes nothing: tokens and records stay good', async () => {
  const path = file()
  const first = await openService({ db: path })
  const headers = { authorization: `Bearer ${(await first.localSession()).access_token}` }
  await send(first, 'POST', '/v1/templates', { body: template(), headers })
  await first.close()
  const second = await openService({ db: path })
  onTestFinished(() => second.close())
  expect(await send(second, 'GET', '/v1/templates/local.vatom::Coupon::v1', { headers })).toMatchObject({ status: 200 })
})

test('another publisher or e-mail can be named when opening again', async () => {
  const path = file()
  await (await openService({ db: path })).close()
  const renamed = await openService({ db: path, email: 'Me@Local.vatom' })
  expect(renamed.publisher).toMatchObject({ fqdn: 'local.vatom', email: 'me@local.vatom' })
  await renamed.close()
  const other = await openService({ db: path, publishers: ['acme.example'] })
  expect(other.publisher).toMatchObject({ fqdn: 'acme.example', email: 'publisher@acme.example' })
  await other.close()
  await expect(openService({ db: path, publishers: ['acme.example'], email: 'me@local.vatom' })).rejects.toMatchObject({
    code: 'email_taken',
  })
})

test('opened again without a publisher, it has those that it was made with, in that order, with their addresses', async () => {
  const path = file()
  await (await openService({ db: path, publishers: ['tea.example', 'acme.example'], email: 'me@tea.example' })).close()
  const again = await openService({ db: path })
  expect(again.publishers).toEqual([
    { fqdn: 'tea.example', email: 'me@tea.example' },
    { fqdn: 'acme.example', email: 'publisher@acme.example' },
  ])
  expect([again.publisher.fqdn, again.addedPublishers]).toEqual(['tea.example', []])
  await again.close()
  const more = await openService({ db: path, publishers: ['acme.example', 'local.vatom'] })
  onTestFinished(() => more.close())
  expect([more.publisher.fqdn, more.addedPublishers]).toEqual(['acme.example', ['local.vatom']])
})

test('an address that the publisher has in place of the seeded one stays, and that is added again', async () => {
  const path = file()
  const own = { token: 'clara@example.com', token_type: 'email' }
  const first = await openService({ db: path })
  const headers = { authorization: `Bearer ${(await first.localSession()).access_token}` }
  const call = async (method: string, target: string, body: object) =>
    (await send(first, method, target, { headers, body })).payload
  const { id } = await call('POST', '/v1/user/tokens', { ...own, is_primary: false })
  await call('POST', '/v1/user/verify_token', { ...own, verify_code: await codeFor(first, own.token) })
  await call('PUT', `/v1/user/tokens/${id}/default`, {})
  const tokens = async (service: Service) => {
    const { payload } = await send(service, 'GET', '/v1/user/tokens', { headers })
    return payload.map(({ properties }: UserTokenRecord) => [properties.token, properties.is_default])
  }
  const [seeded] = (await send(first, 'GET', '/v1/user/tokens', { headers })).payload.filter(
    ({ properties }: UserTokenRecord) => properties.token !== own.token,
  )
  await call('DELETE', `/v1/user/tokens/${seeded.id}`, {})
  expect(await tokens(first)).toEqual([[own.token, true]])
  await first.close()
  const second = await openService({ db: path })
  onTestFinished(() => second.close())
  expect((await tokens(second)).sort()).toEqual([
    [own.token, true],
    ['publisher@local.vatom', false],
  ])
})

test('a newer database is refused and stays untouched', async () => {
  const path = file()
  const db = await openDatabase(path)
  db.exec(`PRAGMA user_version = ${migrations.length + 1}; PRAGMA journal_mode = DELETE`)
  db.close()
  const before = readFileSync(path)
  await expect(openService({ db: path })).rejects.toMatchObject({
    code: 'db_newer',
    message: expect.stringContaining(path),
    hint: expect.any(String),
  })
  expect(readFileSync(path).equals(before)).toBe(true)
})

test('what is no database of this service is refused and stays untouched', async () => {
  const dir = newFolder()
  const text = join(dir, 'text.db')
  writeFileSync(text, 'not a database, only some text '.repeat(100))
  const foreign = join(dir, 'foreign.db')
  const other = await openSqlite(foreign)
  other.exec('CREATE TABLE theirs (a)')
  other.close()
  for (const path of [text, foreign, dir, join(text, 'below')]) {
    const before = path === dir || path.endsWith('below') ? undefined : readFileSync(path)
    await expect(openService({ db: path })).rejects.toMatchObject({ code: 'db_unusable' })
    if (before) expect(readFileSync(path).equals(before)).toBe(true)
  }
})

const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i < 0'

test.each([
  ['a trigger more', `CREATE TRIGGER t AFTER INSERT ON users BEGIN ${endless}; END`, 'has what .*: the trigger t'],
  ['a view for a table', `DROP TABLE threads; CREATE VIEW threads AS ${endless}`, 'has the view threads not as .*'],
  ['an index more', "CREATE INDEX slow ON users (properties LIKE '%a%b')", 'has what .*: the index slow'],
  ['a virtual table more', 'CREATE VIRTUAL TABLE more USING rtree(id, a, b)', 'has what .*: the table more'],
  [
    'another table',
    "ALTER TABLE users ADD COLUMN a INTEGER GENERATED ALWAYS AS (properties LIKE '%a')",
    'has the table users not as this service has made it: it has the column a',
  ],
  ['an index less', 'DROP INDEX users_by_age', 'lacks what .*: the index users_by_age'],
  ['a table less', 'DROP TABLE held_vatoms', 'lacks what .*: the table held_vatoms'],
])('a database with %s, unlike what this service has made, is refused and stays as it is', async (_, sql, message) => {
  for (const steps of [migrations, migrations.slice(0, -1)]) {
    const path = file()
    const db = await openDatabase(path, steps)
    db.exec(`${sql}; PRAGMA journal_mode = DELETE`)
    db.close()
    const before = readFileSync(path)
    await expect(openDatabase(path)).rejects.toMatchObject({
      code: 'db_unusable',
      message: expect.stringMatching(new RegExp(`^${path} .*${message}$`)),
    })
    expect(readFileSync(path).equals(before)).toBe(true)
  }
})

test.each([
  ['CREATE INDEX mine ON users(last_login)', 'DROP INDEX "mine"'],
  ['CREATE VIEW "my ""view" AS SELECT 1', 'DROP VIEW "my ""view"'],
  ['ALTER TABLE users ADD COLUMN note TEXT', 'ALTER TABLE "users" DROP COLUMN "note"'],
  ['ALTER TABLE users ADD COLUMN passwordälter TEXT', 'ALTER TABLE "users" DROP COLUMN "passwordälter"'],
  ['ALTER TABLE users ADD COLUMN größe INT', 'ALTER TABLE "users" DROP COLUMN "größe"'],
  ['ALTER TABLE users ADD COLUMN "a""b" TEXT', 'ALTER TABLE "users" DROP COLUMN "a""b"'],
  ['ALTER TABLE users ADD COLUMN [a, b] TEXT', 'ALTER TABLE "users" DROP COLUMN "a, b"'],
  [
    "ALTER TABLE users ADD COLUMN a TEXT DEFAULT ', b'; ALTER TABLE users ADD COLUMN b TEXT AS (a)",
    'ALTER TABLE "users" DROP COLUMN "b"; ALTER TABLE "users" DROP COLUMN "a"',
  ],
] as const)('the hint for a database changed by %s keeps its data', async (sql, undo) => {
  const path = file()
  const db = await openDatabase(path)
  const columns = (one: Sqlite) => one.prepare('SELECT name FROM pragma_table_xinfo(?)').all('users')
  const before = columns(db)
  db.exec("INSERT INTO settings VALUES ('a', 'b')")
  db.exec(sql)
  db.close()
  await expect(openDatabase(path)).rejects.toMatchObject({
    hint: `take it out: sqlite3 ${path} '${undo}'; or name another file, or an earlier copy of this one`,
    remedy: `take it out: sqlite3 ${path} '${undo}'`,
  })
  const other = await openSqlite(path)
  other.exec(undo)
  other.close()
  const again = await openDatabase(path)
  expect(again.prepare("SELECT value FROM settings WHERE key = 'a'").get()).toEqual({ value: 'b' })
  expect(columns(again)).toEqual(before)
  again.close()
})

test.each([
  ['DROP INDEX users_by_age'],
  [`DROP TABLE threads; CREATE VIEW threads AS ${endless}`],
  ['ALTER TABLE users RENAME COLUMN properties TO a'],
  ['ALTER TABLE users ADD COLUMN note TEXT; ALTER TABLE users RENAME COLUMN properties TO a'],
  ['ALTER TABLE users DROP COLUMN avatar; ALTER TABLE users ADD COLUMN avatar TEXT DEFAULT 1'],
  ['ALTER TABLE templates RENAME COLUMN eos TO a; ALTER TABLE templates ADD COLUMN eos TEXT'],
  ['DROP INDEX users_by_age; CREATE TABLE users_by_age (a)'],
])('where no statement makes it whole, as after %s, none is named', async (sql) => {
  const path = file()
  const db = await openDatabase(path)
  db.exec(sql)
  db.close()
  await expect(openDatabase(path)).rejects.toMatchObject({
    message: expect.not.stringContaining('it has the column'),
    hint: 'name another file, or an earlier copy of this one',
    remedy: undefined,
  })
})

test('a database of each version is brought up to date, also with the statistics of SQLite', async () => {
  for (let version = 1; version <= migrations.length; version++) {
    const path = file()
    const db = await openDatabase(path, migrations.slice(0, version))
    db.exec('ANALYZE; VACUUM')
    db.close()
    const upgraded = await openDatabase(path)
    expect(value(upgraded, 'user_version')).toBe(migrations.length)
    upgraded.exec("INSERT INTO settings VALUES ('a', 'b'); ANALYZE; VACUUM")
    upgraded.close()
    ;(await openDatabase(path)).close()
  }
})

test('a database that cannot be written to is refused', async ({ skip }) => {
  const path = file()
  await (await openService({ db: path })).close()
  if (!makeReadOnly(path)) skip('root can write to every file of this file system')
  await expect(openService({ db: path })).rejects.toMatchObject({
    code: 'db_unusable',
    message: expect.stringContaining(path),
  })
})

test.runIf(existsSync('/proc/self'))('a folder that the system does not let be made is refused', () =>
  expect(openService({ db: '/proc/none/data/service.db' })).rejects.toMatchObject({
    code: 'db_unusable',
    message: expect.stringContaining('/proc/none/data/service.db cannot be used: '),
  }),
)

test('a database that may not be written is refused, with what to do', async () => {
  const steps = [{ name: 'refused', sql: 'PRAGMA query_only = 1; CREATE TABLE later (a)' }]
  await expect(openDatabase(file(), steps)).rejects.toMatchObject({
    code: 'db_unusable',
    hint: 'name another file, or let this user write to it and to its folder',
    cause: { errcode: 8 },
  })
})

test('a damaged database is refused', async () => {
  const path = file()
  await (await openService({ db: path })).close()
  const db = await openSqlite(path)
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
  const bytes = readFileSync(path)
  // The first page, with the schema, stays whole.
  writeFileSync(path, bytes.fill(0xff, 4096))
  await expect(openService({ db: path })).rejects.toMatchObject({
    code: 'db_unusable',
    message: expect.stringMatching(/malformed/),
  })
})

test('a full disk is answered with 503 and one line in the log', async () => {
  const db = await openDatabase(file())
  onTestFinished(() => db.close())
  db.exec(`PRAGMA max_page_count = ${value(db, 'page_count')}`)
  const writes = new Writes(db)
  const set = (key: string, text: string) =>
    writes.run(() => db.prepare('INSERT INTO settings VALUES (?, ?)').run(key, text))
  const full = await set('large', 'x'.repeat(100_000)).catch((error: unknown) => error)
  const lines: string[] = []
  const { status, body } = failureAnswer(
    { compat: 'spec', outdated: new Map(), log: (line) => lines.push(line) },
    full,
    'id',
  )
  expect([status, JSON.parse(body)]).toEqual([
    503,
    { request_id: 'id', error: 9017, message: 'The database cannot be read or written: its disk is full' },
  ])
  expect(lines).toEqual(['id storage: database or disk is full'])
  await expect(set('small', 'x')).resolves.toBeDefined()
})

/** As where SQLite ends the transaction by itself on a full disk: to roll it back fails. */
const fillsUp =
  'ROLLBACK; PRAGMA max_page_count = 1; CREATE TABLE later (a); INSERT INTO later VALUES (zeroblob(1000000))'

test.each([
  ['made', []],
  ['migrated', migrations],
])('a disk that is full while a database is %s is named, and what to do', async (_, steps) => {
  const path = file()
  if (steps.length > 0) (await openDatabase(path)).close()
  await expect(openDatabase(path, [...steps, { name: 'full', sql: fillsUp }])).rejects.toMatchObject({
    code: 'db_unusable',
    message: `${path} cannot be used: database or disk is full`,
    hint: 'name another file, or make room on its disk',
    cause: { errcode: 13 },
  })
})

test('an upgrade backs up first', async () => {
  const path = file()
  const db = await openDatabase(path)
  db.prepare('INSERT INTO settings VALUES (?, ?)').run('colour', 'red')
  db.close()
  const step = { name: 'another table', sql: 'CREATE TABLE later (a); DELETE FROM settings' }
  const upgraded = await openDatabase(path, [...migrations, step])
  expect(value(upgraded, 'user_version')).toBe(migrations.length + 1)
  upgraded.close()
  const copy = `${path}.v${migrations.length}.bak`
  expect(mode(copy)).toBe(0o600)
  const kept = await openSqlite(copy)
  expect(kept.prepare('SELECT value FROM settings').get()).toMatchObject({ value: 'red' })
  kept.close()
})

test('an upgrade that ends while it backs up leaves no damaged copy, and the next one makes a whole one', async () => {
  const path = file()
  const db = await openDatabase(path)
  db.exec("INSERT INTO settings VALUES ('colour', 'red'); PRAGMA wal_checkpoint(TRUNCATE)")
  db.close()
  const later = [...migrations, { name: 'another table', sql: 'CREATE TABLE later (a)' }]
  const bytes = readFileSync(path)
  writeFileSync(path, Buffer.from(bytes).fill(0xff, 4096))
  await expect(openDatabase(path, later)).rejects.toMatchObject({ message: expect.stringMatching(/malformed/) })
  writeFileSync(path, bytes)
  const copy = `${path}.v${migrations.length}.bak`
  for (const left of ['-999999999', '-999999999-journal']) writeFileSync(copy + left, 'left by a killed process')
  writeFileSync(`${copy}-mine`, '')
  const upgraded = await openDatabase(path, later)
  upgraded.close()
  const beside = readdirSync(dirname(path)).filter((name) => name.includes('.bak'))
  expect(beside.sort()).toEqual([basename(copy), `${basename(copy)}-mine`])
  const whole = await openSqlite(copy)
  onTestFinished(() => whole.close())
  expect(whole.prepare('SELECT value FROM settings').get()).toMatchObject({ value: 'red' })
})

test('an upgrade completes the child policies of vAtoms that were emitted before', async () => {
  const path = file()
  const before = migrations.findIndex(({ name }) => name === 'whole entries of child policies in vatoms')
  const old = await openDatabase(path, migrations.slice(0, before))
  const texts = ['id', 'owner', 'author', 'publisher_fqdn', 'template', 'template_variation', 'parent_id', 'category']
  const insert = `INSERT INTO vatoms (${texts}, visibility_type, in_contract, acquirable, public, created, json)
    VALUES (${texts.map(() => '?')}, 'owner', 0, 0, 0, 0, ?)`
  const entries = [
    { template_variation: 'b', count: 2 },
    { template_variation: 'a', creation_policy: { auto_create_count: 3, enforce_policy_count_max: true } },
  ]
  const records = [{ 'vAtom::vAtomType': { title: '"a"', child_policy: entries } }, { 'vAtom::vAtomType': {} }]
  for (const [index, record] of records.entries())
    old.prepare(insert).run(...texts.map((name) => `${name}${index}`), JSON.stringify(record))
  old.close()
  const db = await openDatabase(path)
  onTestFinished(() => db.close())
  const stored = db.prepare('SELECT json FROM vatoms ORDER BY id').all()
  const [folder, other] = stored.map((row) => JSON.parse(String(Object(row).json)))
  expect(other).toEqual({ 'vAtom::vAtomType': {} })
  expect(folder['vAtom::vAtomType'].title).toBe('"a"')
  const bounds = { auto_create: 'create_new', auto_create_count_random: false, policy_count_min: 0 }
  expect(folder['vAtom::vAtomType'].child_policy).toEqual([
    {
      template_variation: 'b',
      count: 2,
      creation_policy: {
        ...bounds,
        auto_create_count: 2,
        policy_count_max: 2,
        enforce_policy_count_min: false,
        enforce_policy_count_max: false,
      },
    },
    {
      template_variation: 'a',
      count: 3,
      creation_policy: {
        ...bounds,
        auto_create_count: 3,
        policy_count_max: 3,
        enforce_policy_count_min: false,
        enforce_policy_count_max: true,
      },
    },
  ])
})

test('an upgrade stores which variations the child policies of others name', async () => {
  const path = file()
  const before = migrations.findIndex(({ name }) => name === 'variations by those that their child_policy names')
  const old = await openDatabase(path, migrations.slice(0, before))
  old.exec("INSERT INTO templates VALUES ('T', 'p', 1, 0, 0, '{}', null, '', '', '', '', null)")
  const insert = `INSERT INTO variations (name, template, publisher_fqdn, unpublished, public, auto_create_on_acquire,
    overrides, resolved, created_by, when_created, modified_by, when_modified) VALUES (?, 'T', 'p', 1, 0, 0, '{}', ?, '', '', '', '')`
  const definedFolder = 'vAtom::vAtomType::DefinedFolderContainerType'
  const child_policy = [{ template_variation: 'a' }, { template_variation: 'b' }, { template_variation: 'a' }, {}, 'c']
  for (const [name, type] of Object.entries({
    one: { root_type: definedFolder, child_policy },
    none: { root_type: definedFolder },
    other: { root_type: 'vAtom::vAtomType::FolderContainerType', child_policy },
    two: { root_type: definedFolder, child_policy: [{ template_variation: 'a' }] },
  }))
    old.prepare(insert).run(name, JSON.stringify({ 'vAtom::vAtomType': type }))
  old.close()
  const db = await openDatabase(path)
  onTestFinished(() => db.close())
  const named = db.prepare("SELECT child || ' in ' || parent AS named FROM variation_children ORDER BY named").all()
  expect(named.map((row) => Object(row).named)).toEqual(['a in one', 'a in two', 'b in one'])
})

test('an upgrade stores of which template, and whether drafts, the variations are whose child policies name others', async () => {
  const path = file()
  const before = migrations.findIndex(({ name }) => name.startsWith('published and draft variations apart'))
  const old = await openDatabase(path, migrations.slice(0, before))
  const definedFolder = 'vAtom::vAtomType::DefinedFolderContainerType'
  const type = { root_type: definedFolder, child_policy: [{ template_variation: 'a' }] }
  old.exec("INSERT INTO templates VALUES ('T', 'p', 0, 0, 0, '{}', null, '', '', '', '', null)")
  const insert = `INSERT INTO variations (name, template, publisher_fqdn, unpublished, public, auto_create_on_acquire,
    overrides, resolved, created_by, when_created, modified_by, when_modified) VALUES (?, 'T', 'p', ?, 0, 0, '{}', ?, '', '', '', '')`
  for (const [name, unpublished] of Object.entries({ draft: 1, published: 0 }))
    old.prepare(insert).run(name, unpublished, JSON.stringify({ 'vAtom::vAtomType': type }))
  old.close()
  const db = await openDatabase(path)
  onTestFinished(() => db.close())
  expect(db.prepare('SELECT * FROM variation_children ORDER BY unpublished').all()).toEqual([
    { child: 'a', unpublished: 0, template: 'T', parent: 'published' },
    { child: 'a', unpublished: 1, template: 'T', parent: 'draft' },
  ])
})

test('an upgrade that fails leaves the database as it was', async () => {
  const path = file()
  ;(await openDatabase(path)).close()
  const broken = { name: 'broken', sql: 'CREATE TABLE later (a); SELECT nonsense' }
  await expect(openDatabase(path, [...migrations, broken])).rejects.toThrow(/nonsense/)
  const db = await openDatabase(path)
  expect(value(db, 'user_version')).toBe(migrations.length)
  expect(db.prepare("SELECT name FROM sqlite_schema WHERE name = 'later'").all()).toEqual([])
  db.close()
})

test('a database that another process holds is waited for', async () => {
  const path = file()
  const service = await openService({ db: path })
  onTestFinished(() => service.close())
  const other = await openSqlite(path)
  onTestFinished(() => other.close())
  other.exec('BEGIN IMMEDIATE')
  const headers = { authorization: `Bearer ${service.localToken()}` }
  const created = send(service, 'POST', '/v1/templates', { body: template(), headers })
  expect(await send(service, 'GET', '/v1/user', { headers })).toMatchObject({ status: 200 })
  other.exec('ROLLBACK')
  expect(await created).toMatchObject({ status: 200 })
})

test('after that it is busy, and the queue goes on', async () => {
  const path = file()
  const [db, other] = [await openDatabase(path), await openDatabase(path)]
  onTestFinished(() => {
    for (const one of [db, other]) one.close()
  })
  db.exec('PRAGMA busy_timeout = 0')
  const writes = new Writes(db, 1)
  other.exec('BEGIN IMMEDIATE')
  await expect(writes.run(() => 1)).rejects.toMatchObject({ kind: 'busy', status: 503 })
  other.exec('ROLLBACK')
  expect(await writes.run(() => 2)).toBe(2)
})

test('versions are compared part by part', () => {
  expect(
    ['22.13.0', '22.14', '23.0.1', '22.12.9', '9.99.9', undefined].map((version) => atLeast(version, [22, 13])),
  ).toEqual([true, true, true, false, false, false])
})
