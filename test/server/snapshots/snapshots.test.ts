import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { definedFolder } from '../../../src/contract/values.ts'
import { timestamp } from '../../../src/server/domain/clock.ts'
import { publishInventory } from '../../../src/server/domain/events.ts'
import { openService, type Service } from '../../../src/server/service.ts'
import { copyTo } from '../../../src/server/snapshots/copy.ts'
import { openSqlite } from '../../../src/server/store/database/sqlite.ts'
import { Writes } from '../../../src/server/store/database/writes.ts'
import { migrations } from '../../../src/server/store/migrations.ts'
import { atOnce } from '../../../src/server/store/slices.ts'
import { openStore } from '../../../src/server/store/store.ts'
import { trashUser } from '../../../src/server/store/vatoms/vatoms.ts'
import { action, actionName, face, template, templateName, variation } from '../../fixtures/bodies.ts'
import { smallFile } from '../../fixtures/files.ts'
import { failRemoval } from '../../support/file-calls.ts'
import { assetFiles, newDatabase, newFolder } from '../../support/folders.ts'
import { openFiles } from '../../support/open-files.ts'
import { emitted, made, testService } from '../../support/service.ts'

/** Watches what is to be written from now on: resolves once so many writes were asked for. */
function watchWrites() {
  const run = vi.spyOn(Writes.prototype, 'run')
  onTestFinished(() => run.mockRestore())
  return (count: number) => vi.waitFor(() => expect(run.mock.calls.length).toBe(count), { timeout: 5000, interval: 5 })
}

/** A service on disk with its shelf of snapshots. */
async function world(db = newDatabase()) {
  const service = await testService({ db })
  const shelf = join(db, '..', 'snapshots')
  return { ...service, db, shelf, snapshots: await service.service.snapshots(shelf) }
}
type World = Awaited<ReturnType<typeof world>>

/** Something of every kind. */
async function stock({ publisher, db, clock }: World) {
  const eth = { network: 'mainnet', fields: { a: { type: 'uint', value: 1 } } }
  const folder = { root_type: definedFolder, child_policy: [{ template_variation: 'local.vatom::Emitted' }] }
  await made(
    publisher,
    ['POST', '/v1/templates', template({ eth }, folder)],
    ['POST', '/v1/template_variations', variation()],
    ['POST', '/v1/publisher/face', face()],
    ['POST', '/v1/publisher/action', action()],
    ['POST', '/v1/publisher/action_handler', { reactor: 'acme://v1/Do', url: 'https://acme.example/do' }],
    ['POST', '/v1/user/message', { id: publisher.id, message: 'Remember.' }],
  )
  const [id = ''] = await emitted(publisher, 'local.vatom::Emitted', 3)
  await dropped(db, id, clock())
  const { payload } = await publisher.call('POST', '/v1/publisher/asset', { files: [smallFile('a.txt', 'first')] })
  return payload[0] as { readonly id: string }
}

/** Drops a vAtom, of which its owner is told, holds it, and counts a run of an action. */
async function dropped(db: string, id: string, now: Date): Promise<void> {
  const store = await openStore(db)
  await store.write(() => {
    atOnce(store.vatoms.place(id, { lon: 8.5417, lat: 47.3769 }, timestamp(now)))
    const vatom = store.vatoms.byId(id)
    if (vatom) publishInventory({ store, now }, 'Drop', '', vatom)
    store.messages.add({ user_id: vatom?.owner ?? '', thread: ':', created: 0, json: '{}' })
    store.catalogLabels.replace({
      kind: 'action',
      key: actionName,
      publisher_fqdn: 'local.vatom',
      catalog: 'cafe',
      revision: '1',
    })
    const run = { action: actionName, user: vatom?.owner ?? '' }
    store.actionRuns.add(run)
    store.reservedRuns.add({ ...run, service: 'one', number: 1 })
    store.heldVatoms.put({ user_id: vatom?.owner ?? '', vatom_id: id, token_type: 'email', token: 'a@b.example' })
    store.heirs.put({ user_id: vatom?.owner ?? '', token_type: 'email', token: 'a@b.example', heir: trashUser })
  })
  await store.close()
}

/** A connection that holds the database, as that of another process, until its transaction is ended. */
async function holding({ db }: World) {
  const holder = await openSqlite(db)
  onTestFinished(() => holder.close())
  holder.exec('BEGIN IMMEDIATE')
  return holder
}

/** A load of a snapshot that waits for such a connection, in the middle. */
async function heldLoad(one: World) {
  const holder = await holding(one)
  const waiting = watchWrites()
  const loaded = one.snapshots.load('a')
  await waiting(1)
  return { holder, loaded }
}

/** Every row of every table but those that a snapshot leaves alone, or has none of. */
async function rows(db: string): Promise<Record<string, unknown[]>> {
  const sqlite = await openSqlite(db)
  const listed = "schema = 'main' AND type <> 'shadow' AND name NOT LIKE 'sqlite%'"
  const names = sqlite.prepare(`SELECT name FROM pragma_table_list WHERE ${listed} ORDER BY name`).all()
  const left = ['sessions', 'settings', 'codes', 'code_tries', 'outbox', 'events', 'reserved_runs', 'login_failures']
  const tables = names.map((row) => String(Object(row).name)).filter((name) => !left.includes(name))
  const found = tables.map((name) => [name, sqlite.prepare(`SELECT * FROM "${name}"`).all()] as const)
  sqlite.close()
  return Object.fromEntries(found)
}
/** Whether the database itself keeps a ledger that has rows from being shortened. */
async function isAppendOnly(path: string): Promise<boolean> {
  const db = await openSqlite(path)
  try {
    db.exec('DELETE FROM ledger')
    return false
  } catch (error) {
    return String(error).includes('append-only')
  } finally {
    db.close()
  }
}

describe('a snapshot', () => {
  test('counts no vAtom that is trashed', async () => {
    const { publisher, snapshots } = await world()
    const [first] = await emitted(publisher, 'local.vatom::Tea', 3)
    expect(await publisher.call('POST', '/v1/user/vatom/trash', { body: { 'this.id': first } })).toMatchObject({
      status: 200,
    })
    expect(await snapshots.save('a', { replace: false })).toMatchObject({ vatoms: 2 })
  })

  test('holds everything, to the last row and byte, and brings it back', async () => {
    const one = await world()
    const asset = await stock(one)
    const before = await rows(one.db)
    for (const [table, found] of Object.entries(before)) expect([table, found.length > 0]).toEqual([table, true])
    expect(await one.snapshots.save('a', { replace: false })).toEqual({
      name: 'a',
      when_saved: '2027-03-01T12:00:00Z',
      templates: 2,
      variations: 2,
      vatoms: 3,
      assets: 1,
      users: 0,
    })
    await one.service.reset()
    expect(existsSync(join(`${one.db}.assets`, asset.id))).toBe(false)
    expect(await one.snapshots.load('a')).toMatchObject({ name: 'a', vatoms: 3 })
    expect(await rows(one.db)).toEqual(before)
    expect(readFileSync(join(`${one.db}.assets`, asset.id), 'utf8')).toBe('first')
    expect(statSync(join(`${one.db}.assets`, asset.id)).mode & 0o777).toBe(0o600)
  })

  test('takes the place of what was made since, assets and all', async () => {
    const one = await world()
    const kept = await stock(one)
    await one.snapshots.save('a', { replace: false })
    const before = await rows(one.db)
    await made(one.publisher, ['POST', '/v1/templates', template({ template: 'local.vatom::Later' })])
    await one.register('later@example.com')
    const { payload } = await one.publisher.call('POST', '/v1/publisher/asset', {
      files: [smallFile('b.txt', 'later')],
    })
    await one.publisher.call('DELETE', `/v1/publisher/asset/${kept.id}`)
    await one.snapshots.load('a')
    expect(await rows(one.db)).toEqual(before)
    expect(assetFiles(`${one.db}.assets`)).toEqual([kept.id])
    expect(payload[0].id).not.toBe(kept.id)
  })

  test('of a service in memory is one, too', async () => {
    const { service, publisher } = await testService()
    const snapshots = await service.snapshots(newFolder())
    await made(publisher, ['POST', '/v1/templates', template()])
    const { payload } = await publisher.call('POST', '/v1/publisher/asset', { files: [smallFile()] })
    await snapshots.save('a', { replace: false })
    await service.reset()
    expect((await publisher.call('GET', '/v1/templates')).payload).toEqual([])
    await snapshots.load('a')
    expect((await publisher.call('GET', '/v1/templates')).payload).toHaveLength(1)
    expect((await publisher.call('GET', '/v1/publisher/asset')).payload).toMatchObject([{ id: payload[0].id }])
  })

  test('leaves the ledger append-only, and numbers going on', async () => {
    const one = await world()
    await stock(one)
    await one.snapshots.save('a', { replace: false })
    await one.snapshots.load('a')
    expect(await isAppendOnly(one.db)).toBe(true)
    const eth = { network: 'testnet', fields: { a: { type: 'uint', value: 2 } } }
    await made(one.publisher, ['POST', '/v1/templates', template({ template: 'local.vatom::Next', eth })])
    const ledger = (await rows(one.db)).ledger ?? []
    expect(ledger.map((row) => Object(row).seq)).toEqual([1, 2, 3, 4])
  })

  test('has no session, event, code that was sent, place of a wrong password, nor secret that tokens are signed with', async () => {
    const one = await world()
    await one.register('ann@example.com')
    const { refresh_token } = await one.service.localSession()
    const wrong = { token: 'publisher@local.vatom', token_type: 'email', auth_data: { password: 'wrong' } }
    expect(await one.send('POST', '/v1/user/login', { body: wrong })).toMatchObject({ status: 403 })
    await emitted(one.publisher, 'local.vatom::Emitted', 1)
    await one.snapshots.save('a', { replace: false })
    const [name = ''] = readdirSync(one.shelf).filter((entry) => !entry.endsWith('.json'))
    const copy = join(one.shelf, name, 'service.db')
    const db = await openSqlite(copy)
    for (const table of ['sessions', 'events', 'codes', 'outbox', 'login_failures'])
      expect(db.prepare(`SELECT * FROM ${table}`).all()).toEqual([])
    const kept = [{ key: 'seeded_email local.vatom', value: 'publisher@local.vatom' }]
    expect(db.prepare('SELECT * FROM settings').all()).toEqual(kept)
    db.close()
    const original = await openSqlite(one.db)
    expect(original.prepare('SELECT * FROM login_failures').all()).toHaveLength(1)
    const secret = String(Object(original.prepare("SELECT value FROM settings WHERE key = 'token_secret'").get()).value)
    const hash = String(Object(original.prepare('SELECT refresh_hash FROM sessions').get()).refresh_hash)
    original.close()
    const bytes = readFileSync(copy)
    for (const text of [secret, hash, refresh_token]) expect(bytes.includes(text)).toBe(false)
  })

  test('only its owner may read it', async () => {
    const one = await world()
    await stock(one)
    await one.snapshots.save('a', { replace: false })
    const modes = readdirSync(one.shelf, { recursive: true, encoding: 'utf8' }).map((name) => {
      const { mode } = statSync(join(one.shelf, name))
      return mode & 0o077
    })
    expect(new Set([statSync(one.shelf).mode & 0o077, ...modes])).toEqual(new Set([0]))
    expect(modes.length).toBeGreaterThan(4)
  })

  test('is not changed by what happens to the original, nor by being loaded', async () => {
    const one = await world()
    const asset = await stock(one)
    await one.snapshots.save('a', { replace: false })
    await one.publisher.call('DELETE', `/v1/publisher/asset/${asset.id}`)
    const bytes = () =>
      readdirSync(one.shelf, { recursive: true, encoding: 'utf8' })
        .filter((name) => statSync(join(one.shelf, name)).isFile())
        .map((name) => [name, readFileSync(join(one.shelf, name), 'base64')])
    const before = bytes()
    await one.snapshots.load('a')
    expect(bytes()).toEqual(before)
  })
})

describe('users and sessions', () => {
  test('a session goes on through load and reset, as long as its user is there', async () => {
    const one = await world()
    const publisher = await one.service.localSession()
    const ada = await one.register('ada@example.com')
    await one.snapshots.save('a', { replace: false })
    const bob = await one.register('bob@example.com')
    const own = one.as('', publisher.access_token)
    const seen = async () => {
      const answers = await Promise.all([own, ada, bob].map((caller) => caller.call('GET', '/v1/user')))
      return answers.map(({ status }) => status)
    }
    expect(await seen()).toEqual([200, 200, 200])
    await one.snapshots.load('a')
    expect(await seen()).toEqual([200, 200, 403])
    await one.service.reset()
    expect(await seen()).toEqual([200, 403, 403])
    await one.snapshots.load('a')
    expect(await seen()).toEqual([200, 403, 403])
    expect(one.service.localToken()).toEqual(expect.any(String))
  })

  test('a session that was ended stays ended', async () => {
    const one = await world()
    const { access_token, refresh_token } = await one.service.localSession()
    const own = one.as('', access_token)
    await one.snapshots.save('a', { replace: false })
    await own.call('POST', '/v1/user/logout')
    await one.snapshots.load('a')
    expect(await own.call('GET', '/v1/user')).toMatchObject({ status: 403 })
    const headers = { authentication: refresh_token }
    expect(await one.send('POST', '/v1/access_token', { headers })).toMatchObject({ status: 403 })
  })

  test('profiles, passwords and lockouts come back as they were', async () => {
    const one = await world()
    const login = (password: string) =>
      one.send('POST', '/v1/user/login', {
        body: { token: 'publisher@local.vatom', token_type: 'email', auth_data: { password } },
      })
    await made(one.publisher, ['PATCH', '/v1/user', { first_name: 'Ada', password: 'first' }])
    await one.snapshots.save('a', { replace: false })
    await made(one.publisher, ['PATCH', '/v1/user', { first_name: 'Bob', password: 'second' }])
    for (let n = 0; n < 5; n++) await login('wrong')
    await one.snapshots.load('a')
    expect(await login('first')).toMatchObject({
      status: 200,
      payload: { user: { properties: { first_name: 'Ada' } } },
    })
    await one.service.reset()
    expect(await login('vatom-local')).toMatchObject({
      status: 200,
      payload: {
        user: { properties: { first_name: '' }, system_properties: { pub_fqdn: 'local.vatom', is_admin: true } },
      },
    })
  })

  test('one of another database can be loaded: its publisher is this one from then on', async () => {
    const [one, two] = [await world(), await world()]
    await made(one.publisher, ['POST', '/v1/templates', template()])
    await one.snapshots.save('a', { replace: false })
    const theirs = await two.service.snapshots(one.shelf)
    await theirs.load('a')
    const as = two.as('', two.service.localToken())
    expect(await as.call('GET', '/v1/user')).toMatchObject({ status: 200, payload: { id: one.publisher.id } })
    const { access_token } = await two.service.localSession()
    expect((await two.as('', access_token).call('GET', '/v1/templates')).payload).toHaveLength(1)
    expect(await two.publisher.call('GET', '/v1/user')).toMatchObject({ status: 403 })
  })
})

describe('reset', () => {
  test('leaves the publishers as they began, and nothing else', async () => {
    const db = newDatabase()
    const one = await testService({ db, publishers: ['local.vatom', 'acme.example'] })
    const id = one.publisher.id
    await one.register('ada@example.com')
    await made(one.publisher, ['PATCH', '/v1/user', { first_name: 'Ada' }], ['POST', '/v1/templates', template()])
    one.advance(60)
    await one.service.reset()
    const { users = [], user_tokens = [], ...others } = await rows(db)
    expect(users).toMatchObject([
      {
        id,
        pub_fqdn: 'local.vatom',
        is_admin: 1,
        password: null,
        properties: '{}',
        when_created: '2027-03-01T12:01:00Z',
      },
      { pub_fqdn: 'acme.example', seeded: 1 },
    ])
    expect(user_tokens.map((row) => Object(row).token).sort()).toEqual([
      'publisher@acme.example',
      'publisher@local.vatom',
    ])
    for (const [table, left] of Object.entries(others)) expect([table, left]).toEqual([table, []])
    await made(one.publisher, ['POST', '/v1/templates', template()])
  })

  test('the balance is whole again', async () => {
    const one = await world()
    const eth = { network: 'mainnet', fields: { a: { type: 'uint', value: 1 } } }
    await made(one.publisher, ['POST', '/v1/templates', template({ eth })])
    await one.service.reset()
    const { baseUrl } = await one.service.listen({ host: '127.0.0.1', port: 0 })
    const { payload } = Object(await (await fetch(`${baseUrl}/__vatom/balance`)).json())
    expect(payload).toMatchObject([{ charged: 0, balance: 1_000_000 }])
    await made(one.publisher, ['POST', '/v1/templates', template({ eth })])
    expect(await isAppendOnly(one.db)).toBe(true)
  })
})

describe('beside another process on the same database', () => {
  const beside = async (one: World): Promise<Service> => {
    const other = await openService({ db: one.db, scryptCost: 16 })
    onTestFinished(() => other.close())
    return other
  }

  test('a service that runs sees what was loaded, and goes on', async () => {
    const one = await world()
    const asset = await stock(one)
    await one.snapshots.save('a', { replace: false })
    const { baseUrl } = await one.service.listen({ host: '127.0.0.1', port: 0 })
    const tool = await beside(one)
    await tool.reset()
    expect((await one.publisher.call('GET', '/v1/templates')).payload).toEqual([])
    expect((await fetch(`${baseUrl}/assets/${asset.id}`)).status).toBe(404)
    await (await tool.snapshots(one.shelf)).load('a')
    expect((await one.publisher.call('GET', '/v1/templates')).payload).toHaveLength(2)
    expect((await one.publisher.call('POST', '/v1/vatom/discover', { body: {} })).payload.count).toBe(3)
    expect(await (await fetch(`${baseUrl}/assets/${asset.id}`)).text()).toBe('first')
    await made(one.publisher, ['PATCH', `/v1/templates/${templateName}`, { public: true }])
    await emitted(one.publisher, 'local.vatom::After', 2)
  })

  test('writes wait while one is loaded, and none is lost or half there', async () => {
    const one = await world()
    await stock(one)
    await one.snapshots.save('a', { replace: false })
    const tool = await (await beside(one)).snapshots(one.shelf)
    const create = async (n: number) =>
      (await one.publisher.call('POST', '/v1/templates', { body: template({ template: `local.vatom::N${n}` }) })).status
    const statuses: number[] = []
    for (let n = 0; n < 20; n++) {
      const [status] = await Promise.all([create(n), n % 5 === 4 ? tool.load('a') : undefined])
      statuses.push(status)
    }
    expect(new Set(statuses)).toEqual(new Set([200]))
    const db = await openSqlite(one.db)
    expect(db.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    expect(db.prepare('PRAGMA foreign_key_check').all()).toEqual([])
    db.close()
  })

  test('an asset that is deleted as one is loaded keeps its file', async () => {
    const one = await world()
    const asset = await stock(one)
    await one.snapshots.save('a', { replace: false })
    const holder = await holding(one)
    const waiting = watchWrites()
    // Both wait, so that they share a transaction: deleted first, restored next, and then the file would go.
    const deleted = one.publisher.call('DELETE', `/v1/publisher/asset/${asset.id}`)
    await waiting(1)
    const loaded = one.snapshots.load('a')
    await waiting(2)
    holder.exec('ROLLBACK')
    expect(await deleted).toMatchObject({ status: 200 })
    await loaded
    expect((await one.publisher.call('GET', '/v1/publisher/asset')).payload).toMatchObject([{ id: asset.id }])
    expect(assetFiles(`${one.db}.assets`)).toEqual([asset.id])
  })

  test('several are loaded at once, each with the files of its assets', async () => {
    const one = await world()
    await stock(one)
    await one.snapshots.save('a', { replace: false })
    await made(one.publisher, ['POST', '/v1/templates', template({ template: 'local.vatom::Later' })])
    await one.snapshots.save('b', { replace: false })
    await one.service.reset()
    const names = ['a', 'b', 'a', 'b']
    const loaded = await Promise.all(names.map((name) => one.snapshots.load(name)))
    expect(loaded).toMatchObject(names.map((name) => ({ name, assets: 1 })))
    const [asset] = (await one.publisher.call('GET', '/v1/publisher/asset')).payload
    expect(assetFiles(`${one.db}.assets`)).toEqual([asset.id])
  })

  test('a file that another process removes as one is loaded is brought', async () => {
    const one = await world()
    const asset = await stock(one)
    await one.snapshots.save('a', { replace: false })
    const { holder, loaded } = await heldLoad(one)
    rmSync(join(`${one.db}.assets`, asset.id))
    holder.exec('ROLLBACK')
    await loaded
    expect(assetFiles(`${one.db}.assets`)).toEqual([asset.id])
  })

  const removals: readonly (readonly [string, (one: World) => Promise<unknown>])[] = [
    ['deleted', (one) => one.snapshots.remove('a')],
    ['replaced', (one) => one.snapshots.save('a', { replace: true })],
  ]

  test.each(removals)('one that is %s before its assets are taken is not loaded at all', async (_, remove) => {
    const one = await world()
    const asset = await stock(one)
    await one.snapshots.save('a', { replace: false })
    const { holder, loaded } = await heldLoad(one)
    await remove(one)
    holder.prepare('DELETE FROM assets WHERE id = ?').run(asset.id)
    rmSync(join(`${one.db}.assets`, asset.id))
    holder.exec('COMMIT')
    const before = await rows(one.db)
    await expect(loaded).rejects.toMatchObject({
      code: 'snapshot_unknown',
      message: 'The snapshot a was deleted or replaced while it was being loaded: nothing was changed',
    })
    expect(await rows(one.db)).toEqual(before)
    expect(assetFiles(`${one.db}.assets`)).toEqual([])
  })

  test.each(removals)('one that is %s once its assets are taken is loaded whole', async (_, remove) => {
    const one = await world()
    const asset = await stock(one)
    await one.snapshots.save('a', { replace: false })
    await one.service.reset()
    const { holder, loaded } = await heldLoad(one)
    await remove(one)
    holder.exec('ROLLBACK')
    expect(await loaded).toMatchObject({ name: 'a', vatoms: 3, assets: 1 })
    expect((await one.publisher.call('GET', '/v1/publisher/asset')).payload).toMatchObject([{ id: asset.id }])
    expect(readFileSync(join(`${one.db}.assets`, asset.id), 'utf8')).toBe('first')
  })

  test('one that holds the database is waited for to load, and not to save', async () => {
    const one = await world()
    await made(one.publisher, ['POST', '/v1/templates', template()])
    await one.snapshots.save('a', { replace: false })
    await made(one.publisher, ['POST', '/v1/templates', template({ template: 'local.vatom::Later' })])
    const holder = await holding(one)
    expect(await one.snapshots.save('b', { replace: false })).toMatchObject({ templates: 2 })
    const loading = one.snapshots.load('a')
    expect((await one.publisher.call('GET', '/v1/templates')).payload).toHaveLength(2)
    holder.exec('ROLLBACK')
    await loading
    expect((await one.publisher.call('GET', '/v1/templates')).payload).toHaveLength(1)
  })
})

describe('the shelf', () => {
  test('lists by name, and refuses a second of one name unless it is to replace it', async () => {
    const one = await world()
    expect(await one.snapshots.list()).toEqual([])
    expect(existsSync(one.shelf)).toBe(false)
    await one.snapshots.save('b', { replace: false })
    await one.snapshots.save('a', { replace: true })
    expect((await one.snapshots.list()).map(({ name }) => name)).toEqual(['a', 'b'])
    await made(one.publisher, ['POST', '/v1/templates', template()])
    await expect(one.snapshots.save('a', { replace: false })).rejects.toMatchObject({ code: 'snapshot_exists' })
    expect((await one.snapshots.list())[0]).toMatchObject({ templates: 0 })
    await one.snapshots.save('a', { replace: true })
    expect((await one.snapshots.list())[0]).toMatchObject({ templates: 1 })
    expect(readdirSync(one.shelf)).toHaveLength(4)
    await one.snapshots.remove('b')
    expect(readdirSync(one.shelf)).toHaveLength(2)
  })

  test('one that takes the place of another is there, also where the folder of that cannot be removed', async () => {
    const one = await world()
    await stock(one)
    await one.snapshots.save('a', { replace: false })
    const file = join(one.shelf, 'a.json')
    const tooLong = 'x'.repeat(300)
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), folder: tooLong }))
    await one.snapshots.save('a', { replace: true })
    await one.service.reset()
    expect(await one.snapshots.load('a')).toMatchObject({ vatoms: 3 })
  })

  /** A shelf with a snapshot, and what its service writes to its log. */
  async function logged() {
    const said: string[] = []
    const service = await openService({ db: newDatabase(), scryptCost: 16, log: (line) => said.push(line) })
    onTestFinished(() => service.close())
    const shelf = join(newFolder(), 'snapshots')
    const snapshots = await service.snapshots(shelf)
    await snapshots.save('a', { replace: false })
    return { said, shelf, snapshots }
  }

  test('what is done is done, and what cannot be removed after it is said in the log', async () => {
    const { said, shelf, snapshots } = await logged()
    const restore = failRemoval((path) => !path.endsWith('.json') && path.startsWith(shelf))
    const times = () => said.splice(0).filter((line) => line.includes('is removed later: EIO')).length
    expect(await snapshots.load('a')).toMatchObject({ name: 'a', templates: 0 })
    expect(times()).toBe(1)
    expect(await snapshots.save('b', { replace: false })).toMatchObject({ name: 'b' })
    expect(times()).toBe(1)
    expect(await snapshots.remove('a')).toMatchObject({ name: 'a' })
    expect(times()).toBe(1)
    restore()
    expect((await snapshots.list()).map(({ name }) => name)).toEqual(['b'])
  })

  test('a name that is not there has its nearest as a hint', async () => {
    const { snapshots } = await world()
    const unknown = (hint: string) => ({ code: 'snapshot_unknown', hint: expect.stringContaining(hint) })
    await expect(snapshots.load('before')).rejects.toMatchObject(unknown('vatom snapshot save'))
    await snapshots.save('before-launch', { replace: false })
    await expect(snapshots.load('before-lunch')).rejects.toMatchObject(unknown('did you mean before-launch?'))
    await expect(snapshots.remove('x')).rejects.toMatchObject(unknown('choose one of: before-launch'))
  })

  test.runIf(process.getuid?.() === 0)(
    'a folder that another user made there stays, and is named in the log',
    async () => {
      const { said, shelf, snapshots } = await logged()
      const theirs = join(shelf, `00000000-0000-4000-8000-000000000000.${2 ** 22 + 1}`)
      mkdirSync(join(theirs, 'd'), { recursive: true })
      writeFileSync(join(theirs, 'd', 'x'), '')
      chownSync(theirs, 65_534, 65_534)
      await snapshots.save('b', { replace: false })
      expect(existsSync(join(theirs, 'd', 'x'))).toBe(true)
      expect(said.join('\n')).toContain(
        `${theirs} is of no use any more, and is removed later: it is the folder of another user`,
      )
      expect((await snapshots.list()).map(({ name }) => name)).toEqual(['a', 'b'])
    },
  )

  test('what crashes left is no snapshot, and is removed when its process has ended', async () => {
    const { shelf, snapshots } = await world()
    await snapshots.save('a', { replace: false })
    const left = (pid: number) => `00000000-0000-4000-8000-000000000000.${pid}`
    const manifest = readFileSync(join(shelf, 'a.json'))
    for (const name of [`${left(2 ** 22 + 1)}.part`, `${left(process.ppid)}.part`])
      writeFileSync(join(shelf, name), manifest)
    for (const name of [left(2 ** 22 + 1), 'notes.txt']) writeFileSync(join(shelf, name), '')
    expect((await snapshots.list()).map(({ name }) => name)).toEqual(['a'])
    await snapshots.save('b', { replace: false })
    const names = readdirSync(shelf)
    expect(names).toContain(`${left(process.ppid)}.part`)
    expect(names).toContain('notes.txt')
    expect(names.filter((name) => name.includes(String(2 ** 22 + 1)))).toEqual([])
    expect((await snapshots.list()).map(({ name }) => name)).toEqual(['a', 'b'])
  })

  test.skipIf(process.platform === 'win32')('a pipe in the place of its own file is not waited for', async () => {
    const { shelf, snapshots } = await world()
    await snapshots.save('a', { replace: false })
    rmSync(join(shelf, 'a.json'))
    execFileSync('mkfifo', [join(shelf, 'a.json')])
    await expect(snapshots.load('a')).rejects.toMatchObject({ code: 'snapshot_unusable' })
  })

  test.each(['', '{"when_saved":', '{}'])(
    'one whose own file is damaged (%s) is named by everything, and nothing of it is removed',
    async (text) => {
      const { publisher, shelf, snapshots } = await world()
      await made(publisher, ['POST', '/v1/templates', template()])
      await snapshots.save('a', { replace: false })
      const file = join(shelf, 'a.json')
      const before = readFileSync(file)
      // As another process had saved it, which has ended.
      const { folder } = JSON.parse(String(before))
      const old = folder.replace(/\.[^.]+$/, `.${2 ** 22 + 1}`)
      renameSync(join(shelf, folder), join(shelf, old))
      writeFileSync(file, text)
      const damaged = { code: 'snapshot_unusable', message: `${file} is damaged: it does not describe a snapshot` }
      await expect(snapshots.list()).rejects.toMatchObject(damaged)
      await expect(snapshots.load('a')).rejects.toMatchObject(damaged)
      await expect(snapshots.remove('a')).rejects.toMatchObject(damaged)
      await expect(snapshots.save('b', { replace: false })).rejects.toMatchObject(damaged)
      writeFileSync(file, String(before).replace(folder, old))
      expect(await snapshots.load('a')).toMatchObject({ name: 'a', templates: 1 })
    },
  )

  /** The database of the only snapshot there is. */
  const copyIn = (shelf: string) =>
    join(shelf, readdirSync(shelf).find((name) => !name.endsWith('.json')) ?? '', 'service.db')

  test('one of a newer version is refused, and one that is damaged', async () => {
    const one = await world()
    await made(one.publisher, ['POST', '/v1/templates', template()])
    await one.snapshots.save('a', { replace: false })
    const copy = copyIn(one.shelf)
    const bytes = readFileSync(copy)
    const db = await openSqlite(copy)
    db.exec(`PRAGMA user_version = ${migrations.length + 1}`)
    db.close()
    await expect(one.snapshots.load('a')).rejects.toMatchObject({
      code: 'db_newer',
      message: expect.stringMatching(/^The snapshot was written by a newer version/),
    })
    writeFileSync(copy, bytes.fill(0xff, 8192))
    await expect(one.snapshots.load('a')).rejects.toMatchObject({
      code: expect.stringMatching(/db_unusable/),
      message: expect.stringMatching(/^The snapshot/),
    })
    rmSync(copy)
    await expect(one.snapshots.load('a')).rejects.toMatchObject({ code: 'db_unusable' })
    expect((await one.publisher.call('GET', '/v1/templates')).payload).toHaveLength(1)
    expect(readdirSync(one.shelf)).toHaveLength(2)
  })

  /** Somebody has it open, so that whoever opens it does not wait for that. */
  const makePipe = (path: string) => {
    execFileSync('mkfifo', [path])
    const pipe = openSync(path, 'r+')
    onTestFinished(() => closeSync(pipe))
  }

  test.skipIf(process.platform === 'win32').each([
    ['a pipe', 'is no regular file', makePipe],
    ['an empty file', 'is empty', (path: string) => writeFileSync(path, '')],
    ['nothing', 'is missing', () => undefined],
  ])('one that has %s as its database is refused, and nothing is replaced', async (_, why, make) => {
    const { publisher, shelf, snapshots } = await world()
    await made(publisher, ['POST', '/v1/templates', template()])
    await snapshots.save('a', { replace: false })
    const copy = copyIn(shelf)
    rmSync(copy)
    make(copy)
    const names = readdirSync(shelf)
    await expect(snapshots.load('a')).rejects.toMatchObject({
      code: 'db_unusable',
      message: `The snapshot is damaged: its database ${why}`,
      hint: 'load another snapshot',
    })
    expect((await publisher.call('GET', '/v1/templates')).payload).toHaveLength(1)
    expect(readdirSync(shelf)).toEqual(names)
  })

  test('one whose assets have paths for ids is refused, and writes no file', async () => {
    const one = await world()
    await stock(one)
    await one.snapshots.save('a', { replace: false })
    const copy = copyIn(one.shelf)
    writeFileSync(join(copy, '../payload'), 'anything')
    const db = await openSqlite(copy)
    db.exec("UPDATE assets SET id = '../payload'")
    db.close()
    await expect(one.snapshots.load('a')).rejects.toMatchObject({
      code: 'db_unusable',
      message: 'The snapshot has assets whose ids are none',
    })
    expect(existsSync(join(one.db, '../payload'))).toBe(false)
  })

  test('what is no file in the place of one of its assets is not taken over', async () => {
    const one = await world()
    const { id } = await stock(one)
    await one.snapshots.save('a', { replace: false })
    const file = join(copyIn(one.shelf), '../assets', id)
    rmSync(file)
    symlinkSync(join(one.db, '..', 'secret'), file)
    writeFileSync(join(one.db, '..', 'secret'), 'secret')
    await one.service.reset()
    await one.snapshots.load('a')
    expect(await one.publisher.call('GET', '/v1/publisher/asset')).toMatchObject({ payload: [{ id }] })
    expect(assetFiles(`${one.db}.assets`)).not.toContain(id)
  })

  test('the names in a database that somebody made run as nothing but names', async () => {
    const one = await world()
    const outside = newDatabase()
    const db = await openSqlite(one.db)
    const name = `x"; COMMIT; ATTACH '${outside}' AS o; CREATE TABLE o.t (a); DETACH o; BEGIN; --`
    const odd = `"${name.replaceAll('"', '""')}"`
    const trigger = 'AFTER INSERT ON templates BEGIN SELECT 1; END'
    db.exec(`CREATE TABLE ${odd} (${odd}); CREATE TRIGGER ${odd} ${trigger}; CREATE TRIGGER x ${trigger}`)
    db.close()
    await one.snapshots.save('a', { replace: false })
    await one.service.reset()
    await expect(one.snapshots.load('a')).rejects.toMatchObject({ code: 'db_unusable' })
    expect(existsSync(outside)).toBe(false)
  })

  test('a table that a tool keeps in a database is nothing to it', async () => {
    const one = await world()
    await one.snapshots.save('a', { replace: false })
    const copy = await openSqlite(copyIn(one.shelf))
    copy.exec('CREATE TABLE _copied (id INTEGER PRIMARY KEY, seq INTEGER)')
    copy.close()
    await expect(one.snapshots.load('a')).resolves.toBeDefined()
  })

  test('a database that somebody else made is refused before a view or a trigger of theirs can run', async () => {
    const one = await world()
    await one.snapshots.save('a', { replace: false })
    const copy = await openSqlite(copyIn(one.shelf))
    const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, i, i FROM n WHERE i < 0'
    copy.exec(`DROP TABLE threads; CREATE VIEW threads (user_id, thread, latest) AS ${endless}`)
    copy.close()
    await expect(one.snapshots.load('a')).rejects.toMatchObject({
      code: 'db_unusable',
      message: 'The snapshot has the view threads not as this service has made it',
      hint: 'load another snapshot',
    })
    expect((await rows(one.db)).users).not.toEqual([])
  })

  test('an asset whose id is a path is deleted alone', async () => {
    const one = await world()
    await stock(one)
    const path = join(one.db, '..', 'important')
    writeFileSync(path, 'important')
    const db = await openSqlite(one.db)
    db.exec("UPDATE assets SET id = '../important'")
    db.close()
    const deleted = await one.publisher.call('DELETE', `/v1/publisher/asset/${encodeURIComponent('../important')}`)
    expect(deleted).toMatchObject({ status: 200 })
    expect(existsSync(path)).toBe(true)
  })

  test('one of an older version is brought up to date', async () => {
    const one = await world()
    await one.snapshots.save('a', { replace: false })
    const copy = copyIn(one.shelf)
    rmSync(copy)
    const db = await openSqlite(copy)
    db.exec(`${migrations[0]?.sql}; PRAGMA user_version = 1; PRAGMA application_id = ${0x7661746f}`)
    db.exec("INSERT INTO settings VALUES ('colour', 'red')")
    db.close()
    await one.snapshots.load('a')
    expect((await rows(one.db)).users).toEqual([])
    const reopened = await openService({ db: one.db, scryptCost: 16 })
    onTestFinished(() => reopened.close())
    expect(reopened.localToken()).toEqual(expect.any(String))
  })

  test('an asset whose file was lost before is as it was', async () => {
    const one = await world()
    const asset = await stock(one)
    rmSync(join(`${one.db}.assets`, asset.id))
    expect(await one.snapshots.save('a', { replace: false })).toMatchObject({ assets: 1 })
    expect(await one.snapshots.load('a')).toMatchObject({ damaged_assets: [{ id: asset.id, name: 'a.txt' }] })
    expect((await one.publisher.call('GET', '/v1/publisher/asset')).payload).toHaveLength(1)
    expect(assetFiles(`${one.db}.assets`)).toEqual([])
  })

  const damages: readonly (readonly [string, string])[] = [
    ['truncated', ''],
    ['overwritten by something longer', 'not what was uploaded'],
  ]

  test.each(damages)('an asset whose file was %s is brought back from a copy that is apart', async (_, text) => {
    const one = await world()
    const { id } = await stock(one)
    await one.snapshots.save('a', { replace: false })
    const file = join(`${one.db}.assets`, id)
    rmSync(file)
    writeFileSync(file, text)
    expect(await one.snapshots.load('a')).not.toHaveProperty('damaged_assets')
    expect(readFileSync(file, 'utf8')).toBe('first')
    expect(assetFiles(`${one.db}.assets`)).toEqual([id])
  })

  test.each(damages)('an asset whose file was %s together with that of the copy is named', async (_, text) => {
    const one = await world()
    const { id } = await stock(one)
    await one.snapshots.save('a', { replace: false })
    writeFileSync(join(`${one.db}.assets`, id), text)
    writeFileSync(join(copyIn(one.shelf), '../assets', id), text)
    expect(await one.snapshots.load('a')).toMatchObject({ vatoms: 3, damaged_assets: [{ id, name: 'a.txt' }] })
    await one.service.reset()
    expect(await one.snapshots.load('a')).toMatchObject({ vatoms: 3, damaged_assets: [{ id, name: 'a.txt' }] })
    expect((await one.publisher.call('GET', '/v1/publisher/asset')).payload).toHaveLength(1)
    expect(assetFiles(`${one.db}.assets`)).toEqual([])
  })

  test.skipIf(process.getuid?.() === 0)('a folder that cannot be written to is told', async () => {
    const one = await world()
    chmodSync(join(one.db, '..'), 0o500)
    onTestFinished(() => chmodSync(join(one.db, '..'), 0o700))
    await expect(one.snapshots.save('a', { replace: false })).rejects.toMatchObject({ code: 'snapshot_unusable' })
  })

  test('an asset that is deleted while one is saved is in it with its file, or not at all', async () => {
    const one = await world()
    const asset = await stock(one)
    const store = await openStore(one.db)
    onTestFinished(() => store.close())
    const other = await openSqlite(one.db)
    onTestFinished(() => other.close())
    const path = `${one.db}.assets`
    let copies = 0
    const copyInto = (file: string) => {
      store.copyInto(file)
      if (copies++ > 0) return
      other.prepare('DELETE FROM assets WHERE id = ?').run(asset.id)
      rmSync(join(path, asset.id))
    }
    expect(
      await copyTo(join(one.shelf, 'x'), { store: { ...store, copyInto }, assets: { path, tidy: async () => {} } }),
    ).toMatchObject({
      assets: 0,
      templates: 2,
    })
    expect(copies).toBe(2)
  })

  test('an asset whose file is set aside is in one with its file', async () => {
    const { db, service, ...one } = await world()
    const { id } = await stock({ ...one, db, service })
    await service.close()
    renameSync(join(`${db}.assets`, id), join(`${db}.assets`, `${id}.unrecorded`))
    const later = await world(db)
    await later.snapshots.save('a', { replace: false })
    await later.service.reset()
    expect(await later.snapshots.load('a')).toMatchObject({ assets: 1 })
    expect(assetFiles(`${db}.assets`)).toEqual([id])
  })

  test('a folder in the place of an asset is said to be where the assets are, and nothing is replaced', async () => {
    const one = await world()
    const { id } = await stock(one)
    await one.snapshots.save('a', { replace: false })
    const assets = `${one.db}.assets`
    rmSync(join(assets, id))
    mkdirSync(join(assets, id))
    await expect(one.snapshots.load('a')).rejects.toMatchObject({
      code: 'snapshot_unusable',
      message: expect.stringMatching(/\.assets cannot be read or written: EISDIR/),
    })
    expect((await one.publisher.call('GET', '/v1/publisher/asset')).payload).toHaveLength(1)
    expect(readdirSync(one.shelf)).toHaveLength(2)
  })

  test('a shelf that is a file is told', async () => {
    const { service, db } = await world()
    await expect((await service.snapshots(db)).save('a', { replace: false })).rejects.toMatchObject({
      code: 'snapshot_unusable',
      message: expect.stringContaining(db),
    })
  })
})

test.runIf(process.platform === 'linux')('copies that are deleted do not stay open', async () => {
  const { service, publisher } = await testService()
  await made(publisher, ['POST', '/v1/templates', template()], ['POST', '/v1/template_variations', variation()])
  await emitted(publisher, 'local.vatom::Emitted', 4000)
  const folder = newFolder()
  const snapshots = await service.snapshots(folder)
  for (let time = 0; time < 3; time++) await snapshots.save('a', { replace: true })
  for (let time = 0; time < 2; time++) await snapshots.load('a')
  await snapshots.remove('a')
  expect(openFiles().filter((file) => file.startsWith(folder))).toEqual([])
})
