import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openService } from '../../../src/server/service.ts'
import { openDatabase } from '../../../src/server/store/database/open-database.ts'
import { openSqlite } from '../../../src/server/store/database/sqlite.ts'
import { migrations } from '../../../src/server/store/migrations.ts'
import { Connection } from '../../../src/server/store/query.ts'
import { openStore } from '../../../src/server/store/store.ts'
import { template, templateName } from '../../fixtures/bodies.ts'
import { action } from '../../support/acting.ts'
import { during } from '../../support/during.ts'
import { newDatabase, newFolder } from '../../support/folders.ts'
import { type Caller, made, testService } from '../../support/service.ts'

const full = (name: string) => `${templateName}::Action::${name}`
const many = 10_000
const limited = { limit_per_user: 1 }

/** A draft with limited actions, and a user. */
async function world(...names: readonly string[]) {
  const db = newDatabase()
  const { publisher, service, register } = await testService({ db })
  await service.listen({ host: '127.0.0.1', port: 0 })
  await made(publisher, ['POST', '/v1/templates', template()])
  for (const name of names) await action(publisher, templateName, name, { ...limited, reactor: 'blockv://v1/Drop' })
  return { db, publisher, service, user: await register('bob@example.com') }
}

/** Adds users, each of whom has run each of some actions. */
async function runByMany(db: string, actions: readonly string[], users = many) {
  const sqlite = await openSqlite(db)
  const columns = sqlite.prepare("SELECT name FROM pragma_table_info('users') WHERE name <> 'id'").all()
  const others = columns.map((row) => String(Object(row).name))
  const values = others.map((name) => (name === 'seeded' ? '0' : name))
  sqlite.exec(`INSERT INTO users (id, ${others}) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${users})
    SELECT 'many' || i, ${values} FROM n, (SELECT * FROM users WHERE seeded = 1)`)
  sqlite.close()
  const store = await openStore(db)
  await store.write(() => {
    for (let index = 1; index <= users; index++)
      for (const name of actions) store.actionRuns.add({ action: name, user: `many${index}` })
  })
  await store.close()
}

async function countOf(db: string, table: string): Promise<number> {
  const sqlite = await openSqlite(db)
  const row = sqlite.prepare(`SELECT count(*) AS count FROM ${table}`).get()
  sqlite.close()
  return Number(Object(row).count)
}

const dryRun = { headers: { 'Vatom-Dry-Run': 'true' } }
const change = (user: Caller) => user.call('PATCH', '/v1/user', { body: { first_name: 'Bob' } })

describe.each([
  ['a limited action', `/v1/publisher/action/${full('Drop')}`],
  ['the draft of a limited action', `/v1/templates/${templateName}`],
])('of %s that many users have run', (_, path) => {
  test('a dry run of the deletion removes no run', async () => {
    const { db, publisher } = await world('Drop')
    await runByMany(db, [full('Drop')])
    const run = vi.spyOn(Connection.prototype, 'run')
    onTestFinished(() => run.mockRestore())
    expect(await publisher.call('DELETE', path, dryRun)).toMatchObject({ status: 200 })
    const statements = run.mock.calls.map(([query]) => query.sql())
    expect(statements.some((sql) => sql.startsWith('DELETE FROM'))).toBe(true)
    expect(statements.filter((sql) => /DELETE FROM (action_runs|limited_actions)/.test(sql))).toEqual([])
    expect(await countOf(db, 'action_runs')).toBe(many)
  })

  test('the deletion lets others change something meanwhile, and leaves no run', async () => {
    const { db, publisher, user } = await world('Drop')
    await runByMany(db, [full('Drop')])
    const deleted = publisher.call('DELETE', path)
    const answers = await during(deleted, async () => (await change(user)).status)
    expect((await deleted).status).toBe(200)
    expect(answers.length).toBeGreaterThan(3)
    expect(new Set(answers)).toEqual(new Set([200]))
    expect([await countOf(db, 'action_runs'), await countOf(db, 'limited_actions')]).toEqual([0, 0])
  })
})

test('runs of an action that a service has not removed before it ended go when the next one listens, and those of others stay', async () => {
  const { db, service } = await world('Drop', 'Pickup')
  await runByMany(db, [full('Drop'), full('Pickup')], 150)
  await service.close()
  const store = await openStore(db)
  await store.write(() => store.actions.remove({ name: full('Drop'), json: '{}' }, new Date()))
  await store.close()
  expect(await countOf(db, 'action_runs')).toBe(300)
  const next = await openService({ db })
  onTestFinished(() => next.close())
  await next.listen({ host: '127.0.0.1', port: 0 })
  await expect.poll(() => countOf(db, 'action_runs')).toBe(150)
  const left = await openStore(db)
  const run = { user: 'many1' }
  expect([
    left.actionRuns.count({ ...run, action: full('Drop') }),
    left.actionRuns.count({ ...run, action: full('Pickup') }),
  ]).toEqual([0, 1])
  await left.close()
})

test('a snapshot whose left runs cannot be removed is loaded: they go later', async () => {
  const { db, service } = await world('Drop')
  await runByMany(db, [full('Drop')], 150)
  await service.close()
  const store = await openStore(db)
  await store.write(() => store.actions.remove({ name: full('Drop'), json: '{}' }, new Date()))
  await store.close()
  const said: string[] = []
  const next = await openService({ db, log: (line) => said.push(line) })
  onTestFinished(() => next.close())
  const snapshots = await next.snapshots(newFolder())
  await snapshots.save('one', { replace: false })
  const refused = vi.spyOn(Connection.prototype, 'run').mockImplementation(() => {
    throw new Error('disk full')
  })
  onTestFinished(() => refused.mockRestore())
  await snapshots.load('one')
  expect(said.join()).toContain('are removed when the service starts again: disk full')
  refused.mockRestore()
  expect(await countOf(db, 'action_runs')).toBe(150)
  await next.listen({ host: '127.0.0.1', port: 0 })
  await expect.poll(() => countOf(db, 'action_runs')).toBe(0)
})

test('a user who has run many limited actions is deleted while others are answered, and in a dry run stays', async () => {
  const { db, publisher, user } = await world()
  const sqlite = await openSqlite(db)
  sqlite.exec(`INSERT INTO actions (name, template, json) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${many})
    SELECT '${full('Drop')}' || i, '${templateName}', '{}' FROM n`)
  sqlite.close()
  const store = await openStore(db)
  await store.write(() => {
    for (let index = 1; index <= many; index++) store.actionRuns.add({ action: full(`Drop${index}`), user: user.id })
  })
  await store.close()
  const profile = async () => (await publisher.call('GET', '/v1/user')).status
  for (const [how, left] of [
    [dryRun, many],
    [{}, 0],
  ] as const) {
    const deleted = user.call('DELETE', '/v1/user', how)
    const answers = await during(deleted, profile)
    expect((await deleted).status).toBe(200)
    expect(answers.length).toBeGreaterThan(3)
    expect(await countOf(db, 'action_runs')).toBe(left)
  }
})

const userColumns =
  'id, properties, seeded, pub_fqdn, is_admin, is_merchant, activated, last_login, attempts, locked_until, when_created, when_modified'
const userValues = "'{}', 0, '', 0, 0, 0, '', 0, 0, '', ''"

test('runs of before an upgrade count after it', async () => {
  const db = newDatabase()
  const step = migrations.findIndex(({ name }) => name.includes('runs by numbers'))
  const before = await openDatabase(db, migrations.slice(0, step))
  before.exec(`INSERT INTO users (${userColumns}) VALUES ('ann', ${userValues}), ('bob', ${userValues});
    INSERT INTO templates VALUES ('t', '', 1, 0, 0, '{}', NULL, '', '', '', '', NULL);
    INSERT INTO actions (name, template, json) VALUES ('a', 't', '{}'), ('b', 't', '{}');
    INSERT INTO action_runs VALUES ('a', 'ann', 2), ('a', 'bob', 1), ('b', 'ann', 3)`)
  before.close()
  const store = await openStore(db)
  const counts = ['a', 'b'].map((name) => ['ann', 'bob'].map((user) => store.actionRuns.count({ action: name, user })))
  await store.close()
  expect(counts).toEqual([
    [2, 1],
    [3, 0],
  ])
})
