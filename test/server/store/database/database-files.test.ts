import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  type StatSyncOptions,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { DatabaseFiles } from '../../../../src/server/store/database/database-files.ts'
import { RemoteSqlite } from '../../../../src/server/store/database/remote-sqlite.ts'
import { freeClosed, isBusy, openSqlite, sqliteProvider } from '../../../../src/server/store/database/sqlite.ts'
import { migrations } from '../../../../src/server/store/migrations.ts'
import { openStore } from '../../../../src/server/store/store.ts'
import { template, variation, variationName } from '../../../fixtures/bodies.ts'
import { smallFile } from '../../../fixtures/files.ts'
import { replaceCall } from '../../../support/file-calls.ts'
import { assetFiles, newDatabase, newFolder } from '../../../support/folders.ts'
import { openFiles } from '../../../support/open-files.ts'
import { made, testService } from '../../../support/service.ts'

/** A service on a file, and what creates a template there. */
async function onDisk() {
  const db = newDatabase()
  const { publisher, lines, service } = await testService({ db })
  const create = (name: string) => publisher.call('POST', '/v1/templates', { body: template({ template: name }) })
  expect(await create('local.vatom::First')).toMatchObject({ status: 200 })
  return { db, publisher, service, lines, create }
}

test.each(['', '-wal', '-shm'])('a write is refused once the file of the database%s was deleted', async (suffix) => {
  const { db, publisher, create, lines } = await onDisk()
  unlinkSync(db + suffix)
  const { status, body } = await create('local.vatom::Lost')
  expect([status, body.error]).toEqual([503, 9017])
  expect(body.message).toMatch(/^\S+ was deleted, moved or replaced while its service is running, so nothing is stored/)
  expect(body.message).not.toContain('/')
  expect(lines.join()).toContain('storage: ')
  expect(await publisher.call('GET', '/v1/templates')).toMatchObject({ payload: [{ name: 'local.vatom::First' }] })
})

describe('a database that is opened by a link', () => {
  function linkTo(file: string): string {
    const link = newDatabase()
    symlinkSync(file, link)
    return link
  }

  /** A service on a link to a database, and what creates a template there. */
  async function linked() {
    const real = newDatabase()
    const link = linkTo(real)
    const { publisher, service } = await testService({ db: link })
    const create = (name: string) => publisher.call('POST', '/v1/templates', { body: template({ template: name }) })
    expect(await create('local.vatom::First')).toMatchObject({ status: 200 })
    return { real, link, service, publisher, create }
  }

  test.each<readonly [string, (real: string, link: string) => void]>([
    ['the log was deleted', (real) => unlinkSync(`${real}-wal`)],
    ['the log was emptied', (real) => truncateSync(`${real}-wal`)],
    ['the index of the log was deleted', (real) => unlinkSync(`${real}-shm`)],
    ['the file was moved', (real) => renameSync(real, `${real}.away`)],
    ['the link was deleted', (_, link) => unlinkSync(link)],
    ['the link leads to another file', (real, link) => renameSync(linkTo(`${real}-wal`), link)],
  ])('refuses a write once %s', async (_, damage) => {
    const { real, link, create } = await linked()
    damage(real, link)
    expect(await create('local.vatom::Lost')).toMatchObject({ status: 503, body: { error: 9017 } })
  })

  test('has its assets beside what the link leads to, where any of its names finds them', async () => {
    const { real, link, publisher } = await linked()
    await publisher.call('POST', '/v1/publisher/asset', { files: [smallFile('a.txt', 'first')] })
    expect([existsSync(`${link}.assets`), assetFiles(`${real}.assets`).length]).toEqual([false, 1])
  })

  test('goes on with assets that are beside the link', async () => {
    const link = linkTo(newDatabase())
    mkdirSync(`${link}.assets`)
    const { publisher } = await testService({ db: link })
    await publisher.call('POST', '/v1/publisher/asset', { files: [smallFile('a.txt', 'first')] })
    expect(assetFiles(`${link}.assets`)).toHaveLength(1)
  })

  test('stores what others do through SQLite, and is copied', async () => {
    const { real, link, service, create } = await linked()
    await elsewhere(real, copied)
    expect(await create('local.vatom::Second')).toMatchObject({ status: 200 })
    const snapshots = await service.snapshots(`${link}.snapshots`)
    await snapshots.save('a', { replace: false })
    await service.reset()
    await snapshots.load('a')
    expect(await create('local.vatom::Second')).toMatchObject({ status: 400 })
  })
})

test('a folder is no database', async () => {
  const folder = newFolder()
  await expect(openStore(folder)).rejects.toMatchObject({
    code: 'db_unusable',
    message: expect.stringMatching(/ is a folder$/),
    hint: 'name a file',
  })
})

test('a file of two names is not opened by any, as a log of each would have what the other lacks', async () => {
  const { db, service } = await onDisk()
  await service.close()
  linkSync(db, `${db}.backup`)
  for (const name of [db, `${db}.backup`])
    await expect(openStore(name)).rejects.toMatchObject({
      code: 'db_unusable',
      message: expect.stringMatching(/ has 2 names \(hard links\).*copy it, and move the copy into its place$/),
    })
  unlinkSync(`${db}.backup`)
  const { publisher } = await testService({ db })
  expect(await publisher.call('GET', '/v1/templates')).toMatchObject({ payload: [{ name: 'local.vatom::First' }] })
})

test('a write is refused while the database is moved away, and stored once it is back', async () => {
  const { db, create } = await onDisk()
  renameSync(db, `${db}.away`)
  expect(await create('local.vatom::Second')).toMatchObject({ status: 503 })
  renameSync(`${db}.away`, db)
  expect(await create('local.vatom::Second')).toMatchObject({ status: 200 })
})

test('a write is refused once another file is in the place of the database', async () => {
  const { db, create } = await onDisk()
  renameSync(db, `${db}.away`)
  writeFileSync(db, '')
  expect(await create('local.vatom::Second')).toMatchObject({ status: 503 })
})

test.each([
  ['the log of the database was', ['-wal']],
  ['the log of the database and its index were', ['-wal', '-shm']],
])('what was stored before %s deleted is saved with the next write', async (_, suffixes) => {
  const { db, create } = await onDisk()
  for (const suffix of suffixes) unlinkSync(db + suffix)
  expect(await create('local.vatom::Lost')).toMatchObject({ status: 503 })
  const copy = `${db}.copy`
  copyFileSync(db, copy)
  const { publisher } = await testService({ db: copy })
  expect(await publisher.call('GET', '/v1/templates')).toMatchObject({ payload: [{ name: 'local.vatom::First' }] })
})

describe('a copy that is put in the place of the database', () => {
  /** A service on a file of which there is a copy without its second template, which is in the log only. */
  async function copied() {
    const { db, create, service } = await onDisk()
    const copy = `${db}.copy`
    await elsewhere(db, `VACUUM INTO '${copy}'`)
    expect(await create('local.vatom::Second')).toMatchObject({ status: 200 })
    return { db, copy, create, service }
  }

  const namesIn = async (db: string) => {
    const { publisher } = await testService({ db })
    const { payload } = await publisher.call('GET', '/v1/templates')
    return payload.map(at('name')).sort()
  }
  const at = (key: string) => (record: object) => Object(record)[key]
  /** A copy of a database as it is after a kill: what the process has open is of no use to the next one. */
  const afterKill = (db: string) => {
    const place = newDatabase()
    for (const suffix of ['', '-wal']) if (existsSync(db + suffix)) copyFileSync(db + suffix, place + suffix)
    return place
  }
  const sound = async (db: string) => {
    const other = await openSqlite(db)
    expect(other.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    other.close()
  }

  test.each<[string, (world: Awaited<ReturnType<typeof copied>>) => unknown]>([
    ['a write was refused', ({ create }) => create('local.vatom::Lost')],
    ['the service has ended', ({ service }) => service.close()],
    [
      'a second has passed',
      async ({ db, service }) => {
        await service.listen({ host: '127.0.0.1', port: 0 })
        await expect.poll(() => readFileSync(`${db}-wal`).length).toBe(0)
      },
    ],
  ])('is what it was once %s, and the file that was moved away has everything', async (_, happens) => {
    const world = await copied()
    const { db, copy } = world
    renameSync(db, `${db}.away`)
    renameSync(copy, db)
    await happens(world)
    const place = afterKill(db)
    await sound(place)
    expect(await namesIn(place)).toEqual(['local.vatom::First'])
    expect(await namesIn(`${db}.away`)).toEqual(['local.vatom::First', 'local.vatom::Second'])
  })

  test('is not taken for the file that was there, whatever others write into it', async () => {
    const { db, copy, create } = await copied()
    renameSync(db, `${db}.away`)
    renameSync(copy, db)
    expect(await create('local.vatom::Lost')).toMatchObject({ status: 503 })
    await elsewhere(db, 'CREATE TABLE t (x)')
    for (let count = 0; count < 3; count++) expect(await create('local.vatom::Lost')).toMatchObject({ status: 503 })
    await sound(db)
    await sound(`${db}.away`)
    expect(await namesIn(`${db}.away`)).toEqual(['local.vatom::First', 'local.vatom::Second'])
  })

  test('is what it was also where the file was away before, and came back', async () => {
    const { db, copy, create } = await copied()
    renameSync(db, `${db}.away`)
    expect(await create('local.vatom::Lost')).toMatchObject({ status: 503 })
    renameSync(`${db}.away`, db)
    expect(await create('local.vatom::Third')).toMatchObject({ status: 200 })
    renameSync(db, `${db}.away`)
    renameSync(copy, db)
    expect(await create('local.vatom::Lost')).toMatchObject({ status: 503 })
    expect(await namesIn(afterKill(db))).toEqual(['local.vatom::First'])
    expect(await namesIn(`${db}.away`)).toEqual(['local.vatom::First', 'local.vatom::Second', 'local.vatom::Third'])
  })

  /** The same, with what makes a second pass for the service, which looks at its files then. */
  async function watched() {
    vi.useFakeTimers({ toFake: ['setInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const world = await copied()
    await world.service.listen({ host: '127.0.0.1', port: 0 })
    return { ...world, look: () => vi.advanceTimersByTime(1000) }
  }

  test('keeps what other processes write that have it open, and the file that was moved away does not get it', async () => {
    const { db, copy, look } = await watched()
    await elsewhere(copy, 'PRAGMA journal_mode = WAL')
    renameSync(db, `${db}.away`)
    renameSync(copy, db)
    look()
    const end = await openInProcess(db, 'DELETE FROM templates')
    look()
    expect(await namesIn(afterKill(db))).toEqual([])
    await end()
    expect(await namesIn(afterKill(`${db}.away`))).toEqual(['local.vatom::First', 'local.vatom::Second'])
  })

  test('whose log comes with it leaves the file that was moved away as it is', async () => {
    const { db, copy, look } = await watched()
    renameSync(db, `${db}.away`)
    renameSync(copy, db)
    writeFileSync(`${db}-wal`, Buffer.alloc(readFileSync(`${db}-wal`).length), { flag: 'r+' })
    look()
    await sound(afterKill(`${db}.away`))
  })
})

test('a database that cannot be looked at for a moment goes on, and is closed', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  const { db, service, publisher } = await onDisk()
  await service.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => void vi.useRealTimers())
  let looks = 0
  const restore = replaceCall('statSync', (stat) => {
    const look = (path: string, options?: StatSyncOptions) => {
      if (!path.startsWith(db)) return stat(path, options)
      looks++
      throw Object.assign(new Error(`EIO: i/o error, stat '${path}'`), { code: 'EIO' })
    }
    return look as typeof stat
  })
  vi.advanceTimersByTime(3000)
  expect(looks).toBeGreaterThanOrEqual(3)
  expect(await publisher.call('GET', '/v1/templates')).toMatchObject({ status: 200 })
  await service.close()
  restore()
  vi.useRealTimers()
  const again = await testService({ db })
  expect(await again.publisher.call('GET', '/v1/templates')).toMatchObject({
    payload: [{ name: 'local.vatom::First' }],
  })
})

/** Runs SQL on a database as another program does. */
async function elsewhere(db: string, sql: string): Promise<void> {
  const other = await openSqlite(db)
  other.exec(`PRAGMA busy_timeout = 1000; ${sql}`)
  other.close()
}

/** Opens a database in a process of its own, and runs SQL there; closes it when it is called. */
async function openInProcess(db: string, sql: string): Promise<() => Promise<unknown>> {
  const program = `
    const { DatabaseSync } = require('${sqliteProvider()}')
    const [, file, sql] = process.argv
    const db = new DatabaseSync(file)
    db.exec(sql)
    console.log('done')
    process.stdin.resume().on('end', () => db.close())`
  const child = spawn(process.execPath, ['-e', program, db, sql], { stdio: ['pipe', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  await once(child.stdout, 'data')
  return () => {
    child.stdin.end()
    return closed
  }
}

const copied = 'PRAGMA wal_checkpoint(PASSIVE)'

test.each<readonly [string, string, (db: string, old: Buffer) => void]>([
  ['an older copy is written over the file', '', (db, old) => writeFileSync(db, old)],
  ['the file is emptied', '', (db) => truncateSync(db)],
  ['the end of the file is cut off', '', (db) => truncateSync(db, readFileSync(db).length - 4096)],
  ['the log is emptied', '-wal', (db) => truncateSync(`${db}-wal`)],
  ['the end of the log is cut off', '-wal', (db) => truncateSync(`${db}-wal`, 32 + 24 + 4096)],
  ['the log begins with zeros', '-wal', (db) => writeFileSync(`${db}-wal`, Buffer.alloc(32), { flag: 'r+' })],
])('a write is refused once %s', async (_, suffix, damage) => {
  const { db, create } = await onDisk()
  const old = readFileSync(db)
  await elsewhere(db, copied)
  expect(await create('local.vatom::Second')).toMatchObject({ status: 200 })
  damage(db, old)
  for (const name of ['local.vatom::Lost', 'local.vatom::Again']) {
    const { status, body } = await create(name)
    expect([status, body.error]).toEqual([503, 9017])
    expect(body.message).toMatch(/^\S+ was overwritten while its service is running, so nothing is stored: stop/)
    expect(body.message.split(' ')[0].endsWith(`.db${suffix}`)).toBe(true)
  }
})

test('a write is refused if the file was overwritten since the log was copied into it, before any other write', async () => {
  const { db, create } = await onDisk()
  const old = readFileSync(db)
  await elsewhere(db, copied)
  writeFileSync(db, old)
  expect(await create('local.vatom::Lost')).toMatchObject({ status: 503 })
})

test('a database without a log, as on a file system that cannot share memory, is not compared with one', async () => {
  const path = newDatabase()
  const db = await openSqlite(path)
  db.exec(`CREATE TABLE t (x); PRAGMA user_version = ${migrations.length}`)
  const files = new DatabaseFiles(db, { path, name: path })
  db.exec('INSERT INTO t VALUES (1)')
  files.committed()
  expect(files.check).not.toThrow()
  db.close()
  files.close()
})

test('a write is stored whatever other programs and the service itself do with the database', async () => {
  const { db, publisher, create, service } = await onDisk()
  const modes = ['PASSIVE', 'FULL', 'RESTART', 'TRUNCATE'].map((mode) => `PRAGMA wal_checkpoint(${mode})`)
  const all = [...modes, 'VACUUM', 'PRAGMA journal_mode = WAL', 'PRAGMA journal_size_limit = 0', 'PRAGMA user_version']
  let count = 0
  const stored = async () => expect(await create(`local.vatom::T${count++}`)).toMatchObject({ status: 200 })
  for (const sql of [...all, ...all.toReversed()]) {
    await elsewhere(db, sql)
    await stored()
    await stored()
  }
  const snapshots = await service.snapshots(`${db}.snapshots`)
  await snapshots.save('a', { replace: false })
  await service.reset()
  await stored()
  await snapshots.load('a')
  await stored()
  expect(await publisher.call('GET', '/v1/templates?limit=0')).toMatchObject({ status: 200 })
})

/** A served service on a file, and what emits so many vAtoms that it is a long write. */
async function emitting() {
  const db = newDatabase()
  const { publisher, service } = await testService({ db })
  await service.listen({ host: '127.0.0.1', port: 0 })
  await made(
    publisher,
    ['POST', '/v1/templates', template({ unpublished: false })],
    ['POST', '/v1/template_variations', variation({ unpublished: false })],
  )
  const body = { template_variation: variationName, num: 3000 }
  return { db, publisher, emit: (headers = {}) => publisher.call('POST', '/v1/vatoms', { body, headers }) }
}

/** Resolves once a transaction writes to a database. */
async function untilWritten(db: string): Promise<void> {
  const other = await openSqlite(db)
  try {
    for (;;) {
      other.exec('BEGIN IMMEDIATE; ROLLBACK')
      await new Promise((resolve) => setImmediate(resolve))
    }
  } catch (error) {
    expect(isBusy(error)).toBe(true)
  } finally {
    other.close()
  }
}

test.each(['', '-wal', '-shm'])(
  'a long write is refused if the file of the database%s is moved while it is made, and leaves nothing',
  async (suffix) => {
    const { db, publisher, emit } = await emitting()
    const emission = emit()
    await untilWritten(db)
    renameSync(db + suffix, `${db}.away`)
    expect(await emission).toMatchObject({ status: 503, body: { error: 9017 } })
    const { payload } = await publisher.call('POST', '/v1/user/vatom/inventorystats', { body: {} })
    expect(payload).toEqual({ stats: [] })
  },
)

test('what opens the file anew makes none, and leaves the log, once the database is moved away', async () => {
  const { db, emit } = await emitting()
  renameSync(db, `${db}.away`)
  expect(await emit()).toMatchObject({ status: 503, body: { error: 9017 } })
  expect(await emit({ 'vatom-dry-run': 'true' })).toMatchObject({ status: 503 })
  expect([existsSync(db), existsSync(`${db}-wal`)]).toEqual([false, true])
  renameSync(`${db}.away`, db)
  expect(await emit()).toMatchObject({ status: 200 })
})

test('the log stays where the database is moved away while a long write opens it', async () => {
  const { db, emit } = await emitting()
  const open = RemoteSqlite.open.bind(RemoteSqlite)
  const opened = vi.spyOn(RemoteSqlite, 'open').mockImplementationOnce((path) => {
    renameSync(db, `${db}.away`)
    return open(path)
  })
  onTestFinished(() => opened.mockRestore())
  expect(await emit()).toMatchObject({ status: 503, body: { error: 9017 } })
  expect([opened.mock.calls.length, existsSync(`${db}-wal`)]).toEqual([1, true])
  renameSync(`${db}.away`, db)
  expect(await emit()).toMatchObject({ status: 200 })
})

test.runIf(process.platform === 'linux')('files of closed databases stay open until they are deleted', async () => {
  const folder = newFolder()
  const openIn = () => openFiles().filter((file) => /[abc]\.db/.test(file) && file.startsWith(folder))
  const opened = async (name: string) => await (await openStore(join(folder, name))).close()
  for (const name of ['a.db', 'b.db', 'c.db']) await opened(name)
  expect(openIn()).not.toEqual([])
  for (const name of readdirSync(folder)) unlinkSync(join(folder, name))
  await opened('d.db')
  await freeClosed()
  expect(openIn()).toEqual([])
})
